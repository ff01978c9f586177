"""--baseline and --fail-under: exit codes and words for continuous integration."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .commands import Answer, untaken, written

PROGRAM = """
#include <assert.h>
#include <untaken.h>
static int grade(int x) {
    if (x == 1234)
        return 1;
    assert(x != 99);
    return x > 50;
}
int main(void) {
    int x;
    untaken_int(&x);
    return grade(x) ? 2 : 0;
}
"""
MOVED = PROGRAM.replace("static int grade", "/* a line\n   and another */\nstatic int grade")
# The same, but that the branch for 1234 cannot be taken any more.
LOST = PROGRAM.replace("untaken_int(&x);", "untaken_int(&x);\n    x = x % 1000;")
NEW_BUG = MOVED.replace("return x > 50;", "assert(x != 7);\n    return x > 50;")


def run(folder: Path, text: str, *words: object) -> Answer:
    program = written(folder, text)
    limits = ("--iterations", "150", "--after-coverage", "30", "--json", "--strategy", "bfs")
    return untaken("run", program, *limits, "--out", folder / "out", *words)


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Without a database: tests, crashes and the figures are what people keep."""
    folder = tmp_path_factory.mktemp("baseline")
    assert run(folder, PROGRAM).code == 1
    (folder / "out" / "campaign.sqlite").unlink()
    return folder / "out"


@pytest.mark.parametrize(
    ("text", "code", "new", "known", "lost"),
    [
        pytest.param(PROGRAM, 0, 0, 1, [], id="the same"),
        pytest.param(MOVED, 0, 0, 1, [], id="moved lines"),
        pytest.param(LOST, 1, 0, 1, ["never true any more"], id="lost coverage"),
        pytest.param(NEW_BUG, 1, 1, 1, [], id="a new finding"),
    ],
)
def test_only_what_is_new_counts(
    baseline: Path, tmp_path: Path, text: str, code: int, new: int, known: int, lost: list[str]
) -> None:
    answer = run(tmp_path, text, "--baseline", baseline)
    found = answer.summary["against"]
    assert answer.code == code, found
    assert (len(found["new_findings"]), found["known_findings"]) == (new, known)
    assert [sentence.split(": ")[1] for sentence in found["lost_coverage"]] == lost
    assert all("program.c:" in sentence and " in grade" in sentence for sentence in found["lost_coverage"])


def test_the_tests_of_the_baseline_come_first(baseline: Path, tmp_path: Path) -> None:
    """Else coverage would be lost whenever a short campaign has less luck."""
    tests = len(list((baseline / "tests").glob("*.bin"))) + len(list((baseline / "crashes").iterdir()))
    answer = run(tmp_path, PROGRAM, "--baseline", baseline, "--iterations", tests)
    assert answer.code == 0
    assert answer.summary["against"]["lost_coverage"] == []


def test_a_folder_may_be_its_own_baseline(baseline: Path, tmp_path: Path) -> None:
    shutil.copytree(baseline, tmp_path / "out")
    assert run(tmp_path, PROGRAM, "--baseline", tmp_path / "out").code == 0
    assert run(tmp_path, NEW_BUG, "--baseline", tmp_path / "out").code == 1


def test_words_for_people(baseline: Path, tmp_path: Path) -> None:
    program = written(tmp_path, LOST)
    words = ("--iterations", "150", "--baseline", baseline, "--fail-under", "99", "--out", tmp_path / "out")
    answer = untaken("run", program, *words)
    assert answer.code == 1
    assert f"Against {baseline}: 1 finding, none of them new; coverage is lost in 1 place:" in answer.printed
    assert "program.c:5 in grade: never true any more" in answer.printed
    assert "Too little for --fail-under 99: 5 of 6 branches covered" in answer.printed


@pytest.mark.parametrize(("percent", "code"), [("75", 0), ("75.1", 1)])
def test_fail_under(tmp_path: Path, percent: str, code: int) -> None:
    text = LOST.replace("assert(x != 99);", "")
    answer = run(tmp_path, text, "--fail-under", percent)
    assert (answer.code, answer.summary["fail_under"]["met"]) == (code, code == 0)


def test_what_is_no_baseline_is_told_before_anything_is_built(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder, words in (("nowhere", "is no folder"), ("empty", "holds no campaign")):
        answer = run(tmp_path, PROGRAM, "--baseline", tmp_path / folder)
        assert answer.code == 2
        assert words in answer.said
