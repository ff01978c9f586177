"""SARIF and JUnit: what CI systems read of a campaign."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.campaign.commands import campaign, untaken, written
from tests.suite.sarif_schema import SCHEMA

jsonschema = pytest.importorskip("jsonschema", reason="needs jsonschema: pip install jsonschema")

PROGRAM = r"""
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static void fails(int d) { assert(d != 7 && "</failure> \x01 & <b>"); }
int main(void) {
    int c = getchar(), d = getchar();
    if (c == 'a') fails(d);
    if (c == 'b') abort();
    return c == 'd';
}
"""


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a folder & more")
    campaign(written(folder, PROGRAM), "--stdin", 2, "--iterations", 120, "--out", folder / "out")
    return folder / "out"


def sarif(folder: Path) -> dict[str, Any]:
    assert untaken("export", folder, "--format", "sarif").printed.startswith("2 findings")
    found: dict[str, Any] = json.loads((folder / "export-sarif" / "findings.sarif").read_text())
    return found


def test_sarif_is_what_its_schema_says(explored: Path) -> None:
    found = sarif(explored)
    jsonschema.validate(found, SCHEMA)
    (run,) = found["runs"]
    assert {result["ruleId"] for result in run["results"]} == {"assertion", "signal"}
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_the_schema_is_none_that_accepts_everything(explored: Path) -> None:
    """A wrong level, a message without text, a property that there is not, a line 0: as GitHub refuses them."""
    whole = sarif(explored)
    results = whole["runs"][0]["results"]
    good = results[0]
    place = good["locations"][0]["physicalLocation"]
    damages: list[dict[str, Any]] = [
        {"level": "fatal"},
        {"message": {}},
        {"frames": []},
        {"locations": [{"physicalLocation": {**place, "region": {"startLine": 0}}}]},
    ]
    for damage in damages:
        results[0] = {**good, **damage}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(whole, SCHEMA)


def test_sarif_names_lines_and_files_below_the_directory(explored: Path) -> None:
    (run,) = sarif(explored)["runs"]
    failing = next(result for result in run["results"] if result["ruleId"] == "assertion")
    place = failing["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 5}
    # The campaign was started elsewhere, so its program does not lie below.
    assert place["artifactLocation"]["uri"].startswith("file:///") and "%20" in place["artifactLocation"]["uri"]
    names = [frame["location"]["logicalLocations"][0]["name"] for frame in failing["stacks"][0]["frames"]]
    assert names == ["fails", "main"]


def test_below_the_directory_names_are_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, PROGRAM)
    campaign("program.c", "--stdin", 2, "--iterations", 120, "--out", "out")
    (run,) = sarif(tmp_path / "out")["runs"]
    artifacts = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
    assert artifacts == [{"uri": "program.c", "uriBaseId": "SRCROOT"}] * 2


def test_the_same_finding_has_the_same_fingerprint_when_lines_move(tmp_path: Path) -> None:
    prints = []
    for number, text in enumerate((PROGRAM, f"\n\n\n{PROGRAM}")):
        folder = tmp_path / str(number)
        folder.mkdir()
        campaign(written(folder, text), "--stdin", 2, "--iterations", 120, "--out", folder / "out")
        results = sarif(folder / "out")["runs"][0]["results"]
        prints.append({result["partialFingerprints"]["untakenFinding/v1"] for result in results})
    assert prints[0] == prints[1] and len(prints[0]) == 2


def test_a_finding_of_a_kind_that_nobody_knows_is_written_as_an_error(explored: Path, tmp_path: Path) -> None:
    shutil.copytree(explored, tmp_path / "out")
    for file in (tmp_path / "out" / "crashes").glob("*/finding.json"):
        file.write_text(json.dumps({**json.loads(file.read_text()), "kind": "strange"}))
    rules = {result["ruleId"] for result in sarif(tmp_path / "out")["runs"][0]["results"]}
    assert rules == {"error"}


def is_expected(description: Path) -> bool:
    """Whether the program left with a test in its own way."""
    return bool(json.loads(description.read_text())["exit"]["kind"] == "code")


def test_junit_counts_tests_and_findings(explored: Path) -> None:
    assert untaken("export", explored, "--format", "junit").code == 0
    root = ElementTree.parse(explored / "export-junit" / "junit.xml").getroot()
    assert root.tag == "testsuites" and len(root) == 2
    tests, findings = root
    kept = len(list((explored / "tests").glob("*.bin")))
    assert (tests.attrib["tests"], tests.attrib["failures"]) == (str(kept), "0")
    assert (findings.attrib["tests"], findings.attrib["failures"]) == ("2", "2")
    wrong = {file.stem for file in (explored / "tests").glob("*.json") if not is_expected(file)}
    assert wrong == {case.attrib["name"] for case in tests if case.find("skipped") is not None} != set()
    assert root.attrib["skipped"] == tests.attrib["skipped"] == str(len(wrong)) and findings.attrib["skipped"] == "0"
    for suite in root:
        assert len(suite.findall("testcase")) == int(suite.attrib["tests"])
        assert len(suite.findall("testcase/failure")) == int(suite.attrib["failures"])
    names = [case.attrib["name"] for case in root.iter("testcase")]
    assert len(set(names)) == len(names)
    said = {failure.attrib["type"]: failure for failure in root.iter("failure")}
    assert "</failure>" in said["assertion"].attrib["message"]
    assert "fails (" in (said["assertion"].text or "") and "input: " in (said["assertion"].text or "")
