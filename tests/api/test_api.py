"""The Python interface: what docs/reference/api.md promises."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import untaken
from tests.campaign.commands import files_of, written
from tests.campaign.commands import untaken as command
from untaken.search.world import BookedRun

ROOT = Path(__file__).parents[2]
PROGRAM = """
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
    char text[9] = {0};
    size_t size = fread(text, 1, 8, stdin);
    if (argc > 1 && argv[1][0] == 'v') puts("verbose");
    if (size > 2 && text[0] == 'k' && text[1] == 'x') assert(text[2] != '!');
    return size > 5 ? 1 : 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> untaken.Program:
    return untaken.Program.build(written(tmp_path_factory.mktemp("api"), PROGRAM))


@pytest.fixture(scope="module")
def result(program: untaken.Program, tmp_path_factory: pytest.TempPathFactory) -> untaken.Result:
    return untaken.explore(program, stdin=8, iterations=120, out=tmp_path_factory.mktemp("result") / "out")


def test_the_tour_runs() -> None:
    tour = subprocess.run([sys.executable, ROOT / "docs/tutorial/python.py"], capture_output=True, text=True)
    assert (tour.returncode, tour.stderr) == (0, "")
    assert "found: SIG" in tour.stdout
    assert re.search(r"newest-first: \d+ covered", tour.stdout)


def test_the_same_tests_as_the_command(result: untaken.Result, tmp_path: Path) -> None:
    source = result.suite.sources[0]
    command("run", source, "--stdin", 8, "--iterations", 120, "--out", tmp_path / "out")
    assert files_of(tmp_path / "out" / "tests") == files_of(result.folder / "tests")
    assert files_of(tmp_path / "out" / "crashes") == files_of(result.folder / "crashes")


def test_columns_agree_with_the_summary(program: untaken.Program, result: untaken.Result) -> None:
    branches = result.branches
    assert np.array_equal(branches["id"], program.branches["id"])
    assert np.count_nonzero(branches["covered"]) == result.summary["branches_covered"]
    assert np.array_equal(branches["covered"], branches["tests"] > 0)
    assert np.array_equal(branches["covered"], branches["first_test"] > 0)
    assert len({len(column) for column in (*branches.values(), *program.branches.values())}) == 1
    assert result.timeline["branches"][-1] == result.summary["branches_covered"]
    assert result.at(int(branches["id"][0])).startswith(str(result.suite.recipe.sources[0]))


def test_paths_of_tests_pass_what_they_cover(result: untaken.Result) -> None:
    for test, path in result.paths():
        assert set(test.covers) <= set(path.events.tolist())
        assert path.exit == test.exit


def test_an_earlier_campaign_is_read(result: untaken.Result) -> None:
    again = untaken.load(result.folder)
    assert again.summary == result.summary
    assert [test.input for test in again.tests] == [test.input for test in result.tests]
    assert len(again.findings) == 1 and again.findings[0].place is not None
    assert "assertion" in again.findings[0].place.what
    assert len(list(again.paths())) == len(again.tests)
    assert again.write_report().is_file()


def test_callbacks(program: untaken.Program, tmp_path: Path) -> None:
    runs: list[BookedRun] = []
    found: list[str] = []

    def look(run: BookedRun) -> bool:
        runs.append(run)
        return len(runs) == 7

    result = untaken.explore(
        program, stdin=8, on_run=look, on_finding=lambda each: found.append(each.name), out=tmp_path
    )
    assert len(runs) == result.summary["iterations"] == 7
    assert result.summary["ended_by"] == "seen enough"
    assert sum(len(run.new_branches) for run in runs) == result.summary["branches_covered"]
    assert found == [finding.name for finding in result.findings]


def test_an_exception_in_a_callback_comes_through_and_loses_nothing(program: untaken.Program, tmp_path: Path) -> None:
    def fail(run: BookedRun) -> bool:
        if not run.is_new:
            raise LookupError("mine")
        return False

    with pytest.raises(LookupError, match="mine"):
        untaken.explore(program, stdin=8, on_run=fail, out=tmp_path / "out")
    assert list((tmp_path / "out" / "tests").glob("*.bin"))


def test_inputs_and_other_settings(program: untaken.Program, tmp_path: Path) -> None:
    more = {"prune": "lookahead", "after_coverage": 0}
    settings = {"stdin": 8, "args": [3], "strategy": "bfs", "more": more}
    result = untaken.explore(program, iterations=60, out=tmp_path / "out", **settings)  # type: ignore[arg-type]
    assert result.summary["strategy"] == "bfs"
    assert {source.kind.name for source in result.suite.declared} == {"STDIN", "ARGUMENT"}


def test_mistakes_are_one_sentence(program: untaken.Program, tmp_path: Path) -> None:
    with pytest.raises(untaken.UntakenError, match="no setting is called 'prun'"):
        untaken.explore(program, more={"prun": ""}, out=tmp_path)
    with pytest.raises(untaken.UntakenError, match="no strategy is called 'best'"):
        untaken.explore(program, strategy="best", out=tmp_path)
    with pytest.raises(untaken.UntakenError, match="holds no campaign"):
        untaken.load(tmp_path)
    with pytest.raises(untaken.UntakenError, match="there is a strategy 'dfs' already"):
        untaken.add_strategy(lambda search: iter(()), "dfs")  # type: ignore[arg-type, return-value]
    with pytest.raises(AttributeError):
        untaken.no_such_name  # noqa: B018


def test_importing_it_is_cheap() -> None:
    script = "import sys, untaken; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.partition(".")[0] for name in loaded} & {"numpy", "llvmlite", "rich", "msgspec", "bitwuzla"}
    assert not [name for name in loaded if name.startswith("untaken.")]


def test_every_name_is_there_and_described() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text()
    for name in untaken.__all__:
        assert getattr(untaken, name)
        assert name in dir(untaken)
        assert name in page or name == "__version__"
