"""Names that are no text, that have dollars, or that a terminal's alphabet cannot show: every command gets by."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from tests.campaign.commands import untaken
from untaken.campaign.source_text import function_spans

SOURCE = "#include <stdio.h>\nint main(void) { return getchar() == 97 ? 3 : 4; }\n"
FORMATS = ("files", "ktest", "junit", "sarif", "script", "cobertura", "lcov")
SHORT = ("--stdin", 2, "--iterations", 9, "--seed", 1)


def said(folder: Path, *words: object, **variables: str) -> str:
    """What a command prints; it goes well."""
    with chdir(folder):
        answer = untaken(*words, environment=variables)
    assert answer.code == 0, answer.said
    return answer.printed


@pytest.fixture(scope="module")
def odd_campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd") / os.fsdecode(b"na$m$e\xff")
    folder.mkdir()
    (folder / os.fsdecode(b"p\xff$a_$q.c")).write_text(SOURCE)
    said(folder, "run", os.fsdecode(b"p\xff$a_$q.c"), *SHORT, "--out", "out")
    return folder


@pytest.mark.parametrize("form", FORMATS)
def test_exports(odd_campaign: Path, form: str) -> None:
    if form in ("cobertura", "lcov") and not (shutil.which("gcov") and shutil.which("gcc")):
        pytest.skip("needs gcc and gcov")
    said(odd_campaign, "export", "out", "--format", form, "--out", f"exported-{form}")
    assert any((odd_campaign / f"exported-{form}").iterdir())


def test_reports(odd_campaign: Path) -> None:
    assert (odd_campaign / "out" / "report.html").exists()  # of the campaign itself
    for words in (("report", "out"), ("status", "out"), ("doctor", "out"), ("replay", "out")):
        said(odd_campaign, *words)


def test_comparisons_and_heuristics(odd_campaign: Path) -> None:
    name = os.fsdecode(b"p\xff$a_$q.c")
    said(odd_campaign, "compare", name, *SHORT, "--trials", 1, "--strategies", "dfs,bfs", "--out", "compared")
    assert (odd_campaign / "compared" / "iterations.svg").exists()
    said(odd_campaign, "tune", name, *SHORT, "--method", "random", "--samples", 2, "--out", "weights.json")
    weights = json.loads((odd_campaign / "weights.json").read_text())
    weights["program"]["name"] = weights["untaken"] = "\ud800\033[2J"
    (odd_campaign / "weights.json").write_text(json.dumps(weights))
    assert "\\ud800\\x1b[2J" in said(odd_campaign, "tune", "--explain", "weights.json")


def test_an_alphabet_without_bars(odd_campaign: Path) -> None:
    assert "branches" in said(odd_campaign, "status", "out", PYTHONIOENCODING="ascii")


def test_a_source_shorter_than_the_program_was_built_from() -> None:
    text = "int f(void) {\n return 1;\n}\n"
    assert function_spans(text, [1, 9, 20]) == {1: (1, 3)}
    assert function_spans("", [2]) == {}


@pytest.mark.parametrize(
    "name", ["-x.c", "@x.c", "n" * 240 + ".c"], ids=["like an option", "like words in a file", "as long as can be"]
)
def test_a_source_is_explored_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SOURCE)
    said(tmp_path, "run", f"./{name}", *SHORT, "--out", "out")
    said(tmp_path, "replay", "out")
    said(tmp_path, "export", "out", "--format", "script", "--out", "exported")
