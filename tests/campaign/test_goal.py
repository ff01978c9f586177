"""`--goal` on compiled programs: what counts, when a campaign ends, what is said of it; and the paper's benchmark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.osmose import SUBJECTS, Procedure, as_source, search
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.errors import UsageError
from untaken.execute.target import Target, find_target
from untaken.search.coverage_goals import Criterion

from .commands import untaken, written

PROGRAM = """
#include <untaken.h>
static int f(int x) {
    if (x > 5)
        return 1;
    return 2;
}
int main(void) {
    int a, b, found = 0;
    untaken_int(&a);
    untaken_int(&b);
    if (a == 3 && b == 4)
        found = 1;
    switch (a) {
    case 1: found += 2; break;
    case 7: found += 3; break;
    default: found += 4;
    }
    return found + f(b);
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("program"), PROGRAM)


@pytest.fixture(scope="module")
def built(program: Path) -> Target:
    return find_target([str(program)])


def config(program: Path, out: Path, goal: Criterion, only_in: tuple[str, ...] = ()) -> Config:
    wide = Config((str(program),), strategy="bfs", goal=goal, iterations=200, after_coverage=0, out=out)
    return replace(wide, only_in=only_in)


@pytest.mark.parametrize(
    ("goal", "only_in", "total"),
    [
        (Criterion.BRANCHES, (), 10),
        (Criterion.CONDITIONS, (), 6),
        (Criterion.BRANCHES, ("f",), 2),
        (Criterion.CONDITIONS, ("main",), 4),
    ],
)
def test_a_campaign_ends_when_its_goal_is_covered(
    program: Path, built: Target, tmp_path: Path, goal: Criterion, only_in: tuple[str, ...], total: int
) -> None:
    summary = run_campaign(config(program, tmp_path, goal, only_in), built, Watcher())
    assert (summary.goal.covered, summary.goal.total) == (total, total)
    assert summary.ended_by == "full coverage" and summary.total == 10
    assert summary.covered == 10 or summary.goal.total < 10


def test_one_test_covers_all_statements_but_not_all_branches(tmp_path: Path) -> None:
    words = "if (x[0] == 0) n++; if (x[1] < 5) n++; return n;"
    source = f"#include <untaken.h>\nint main(void) {{ char x[2]; int n = 0; untaken_input(x, 2, 0); {words} }}"
    program = written(tmp_path, source)
    target = find_target([str(program)])
    done = {goal: run_campaign(config(program, tmp_path / goal.value, goal), target, Watcher()) for goal in Criterion}
    assert [done[goal].totals.iterations for goal in (Criterion.STATEMENTS, Criterion.BRANCHES)] == [1, 3]
    assert done[Criterion.STATEMENTS].goal.covered == done[Criterion.STATEMENTS].goal.total == 5
    assert (done[Criterion.STATEMENTS].covered, done[Criterion.BRANCHES].covered) == (2, 4)


def test_the_goal_is_shown_and_written(program: Path, tmp_path: Path) -> None:
    words = (program, "--goal", "conditions", "--strategy", "bfs", "--iterations", 200, "--after-coverage", 0)
    shown = untaken("run", *words, "--out", tmp_path / "shown")
    assert "The goal: 6 of 6 outcomes of conditions covered (100%)" in shown.printed
    assert "Ended: every condition is covered." in shown.printed
    summary = untaken("run", *words, "--out", tmp_path / "json", "--json").summary
    assert (summary["goal"], summary["goal_covered"], summary["goal_total"]) == ("conditions", 6, 6)


def test_what_cannot_be_a_goal_is_refused(program: Path, built: Target, tmp_path: Path) -> None:
    answer = untaken("run", program, "--goal", "paths", "--out", tmp_path)
    assert answer.code == 2 and "--goal wants one of statements, branches, conditions" in answer.said
    with pytest.raises(UsageError, match="no function 'g'"):
        run_campaign(config(program, tmp_path, Criterion.BRANCHES, ("g",)), built, Watcher())


# ---- the paper's benchmark ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["check-pressure", "hysteresis", "merge", "triangle"])
def test_rules_save_tests_at_full_coverage_as_in_the_paper(name: str) -> None:
    program = as_source(next(each for each in SUBJECTS if each.name == name))
    ways = (Procedure(), Procedure(prune="lookahead"), Procedure("solve-first", "lookahead"))
    basic, looking, solved = (search(program, each) for each in ways)
    assert basic.covered == looking.covered == solved.covered == basic.total
    assert looking.tests <= 0.57 * basic.tests and solved.tests < basic.tests
    if name != "hysteresis":  # its callee decides nothing
        unit = search(program, Procedure(only_in=(program.top,)))
        shallow = search(program, Procedure(only_in=(program.top,), prune="call-depth=0"))
        assert shallow.covered == unit.covered == unit.total
        assert shallow.tests <= 0.46 * unit.tests
