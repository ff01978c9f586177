"""Coverage for other tools: lcov's and Cobertura's files say what gcov says of the same tests."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from glob import glob
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.campaign.commands import campaign, untaken, written

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include "level.h"
#ifndef END
#define END abort()
#endif
static int never(int c) {
    if (c == 'x') return 1;
    return 2;
}
static int grade(int c) {
    switch (c) {
    case 'a': return 1;
    case 'b':
    case 'c': return 2;
    default: return 3;
    }
}
int main(int argc, char **argv) {
    (void)argv;
    int c = getchar(), d = getchar();
    for (int i = 0; i < 3; i++)
        if (c == 'q' && d > i) putchar('!');
    if (c == 'k') END;
    if (argc > 9) return never(c);
    return d == 'z' ? grade(c) : level(d);
}
"""
HEADER = "static inline int level(int d) {\n    return d > 7 ? 1 : 2;\n}\n"
pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("gcov") is None, reason="needs gcov: apt-get install gcc"
)


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("measured")
    (folder / "level.h").write_text(HEADER)
    campaign(written(folder, PROGRAM), "--stdin", 2, "--iterations", 80, "--out", folder / "out")
    return folder


@pytest.fixture(scope="module")
def gcov(explored: Path) -> dict[str, dict[str, int]]:
    """By file, what gcov itself says after each test was given by hand to a build of our own."""
    folder = explored / "by-hand"
    folder.mkdir()
    untaken("export", explored / "out", "--format", "files", "--out", folder / "inputs")
    # Figures are written at exit, so this build leaves in its own way where the other one aborts.
    flags = ["--coverage", "-O0", "-w", "-DEND=exit(134)"]
    subprocess.run(["gcc", *flags, "../program.c", "-o", "program"], cwd=folder, check=True)
    for input in sorted((folder / "inputs").iterdir()):
        subprocess.run([folder / "program"], stdin=input.open(), cwd=folder, capture_output=True)
    command = ["gcov", "-b", *glob("*.gcda", root_dir=folder)]
    told = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    figures = {}
    for name, text in re.findall(r"File '([^']*)'\n(.*?)\n\n", told.stdout + "\n", re.DOTALL):
        lines = re.search(r"Lines executed:([\d.]+)% of (\d+)", text)
        branches = re.search(r"Taken at least once:([\d.]+)% of (\d+)", text)
        assert lines is not None
        figures[Path(name).name] = {
            "LF": int(lines[2]),
            "LH": round(float(lines[1]) * int(lines[2]) / 100),
            "BRF": int(branches[2]) if branches else 0,
            "BRH": round(float(branches[1]) * int(branches[2]) / 100) if branches else 0,
        }
    return figures


def records(text: str) -> dict[str, dict[str, int]]:
    """The totals of each file of a tracefile."""
    found = {}
    for record in text.split("end_of_record\n")[:-1]:
        name = re.search(r"^SF:(.*)$", record, re.MULTILINE)
        assert name is not None
        pairs = re.findall(r"^(LF|LH|BRF|BRH):(\d+)$", record, re.MULTILINE)
        found[Path(name[1]).name] = {key: int(value) for key, value in pairs}
    return found


@pytest.fixture(scope="module")
def tracefile(explored: Path) -> Path:
    assert untaken("export", explored / "out", "--format", "lcov", "--out", explored / "lcov").code == 0
    return explored / "lcov" / "coverage.info"


def test_lcov_says_what_gcov_says(tracefile: Path, gcov: dict[str, dict[str, int]]) -> None:
    found = records(tracefile.read_text())
    assert found == gcov and set(found) == {"program.c", "level.h"}
    assert 0 < found["program.c"]["BRH"] < found["program.c"]["BRF"]
    assert 0 < found["program.c"]["LH"] < found["program.c"]["LF"]


def test_runs_that_a_signal_ends_count(tracefile: Path) -> None:
    line = PROGRAM.splitlines().index("    if (c == 'k') END;") + 1
    taken = re.findall(rf"^BRDA:{line},0,\d,(\d+)$", tracefile.read_text(), re.MULTILINE)
    assert len(taken) == 2 and all(int(count) for count in taken)


@pytest.mark.skipif(shutil.which("genhtml") is None, reason="needs genhtml: apt-get install lcov")
def test_genhtml_reads_it(tracefile: Path, gcov: dict[str, dict[str, int]], tmp_path: Path) -> None:
    command = ["genhtml", "--branch-coverage", "--output-directory", str(tmp_path / "html"), str(tracefile)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines, branches = (sum(file[key] for file in gcov.values()) for key in ("LH", "BRH"))
    assert f"({lines} of " in told and f"({branches} of " in told
    assert list((tmp_path / "html").rglob("program.c.gcov.html"))


def test_cobertura_says_the_same(explored: Path, gcov: dict[str, dict[str, int]]) -> None:
    assert untaken("export", explored / "out", "--format", "cobertura").code == 0
    root = ElementTree.parse(explored / "out" / "export-cobertura" / "cobertura.xml").getroot()
    sums = {key: sum(file[key] for file in gcov.values()) for key in ("LF", "LH", "BRF", "BRH")}
    names = {"lines-valid": "LF", "lines-covered": "LH", "branches-valid": "BRF", "branches-covered": "BRH"}
    assert {key: int(root.attrib[name]) for name, key in names.items()} == sums
    assert float(root.attrib["line-rate"]) == pytest.approx(sums["LH"] / sums["LF"], abs=1e-3)
    classes = {entry.attrib["filename"]: entry for entry in root.iter("class")}
    assert {Path(name).name for name in classes} == {"program.c", "level.h"}
    lines = [line for entry in classes.values() for line in entry.iter("line")]
    assert len(lines) == sums["LF"] and sum(int(line.attrib["hits"]) > 0 for line in lines) == sums["LH"]
    conditions = [line.attrib["condition-coverage"] for line in lines if line.attrib["branch"] == "true"]
    shares = [re.fullmatch(r"\d+% \((\d+)/(\d+)\)", condition) for condition in conditions]
    assert sum(int(share[2]) for share in shares if share) == sums["BRF"]


def test_nothing_is_left_in_the_folder(explored: Path, tracefile: Path) -> None:
    assert tracefile.exists()
    assert not [name for name in os.listdir(explored / "out") if name.startswith((".measure", ".dump"))]


def test_a_machine_without_gcov_is_told(explored: Path, tmp_path: Path) -> None:
    for tool in ("cc", "ld", "as", "clang"):
        if found := shutil.which(tool):
            (tmp_path / tool).symlink_to(found)
    answer = untaken("export", explored / "out", "--format", "lcov", environment={"PATH": str(tmp_path)})
    assert answer.code == 2 and "apt-get install gcc" in answer.said
