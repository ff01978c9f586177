"""The search over a real session: paths stay good when the table of expressions is begun anew."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.campaign.commands import written
from untaken.campaign.machinery.executor import SessionExecutor
from untaken.campaign.machinery.flips import StackFlips
from untaken.execute.layout import TraceLimits
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import find_target
from untaken.search.attempts import Verdict
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.registry import strategy
from untaken.search.world import Solution, World
from untaken.solve.answers import Sat
from untaken.solve.stack import default_solver
from untaken.solve.statistics import Statistics
from untaken.solve.worker.aside import SolverAside

# Every path builds expressions of its own, so that the table fills up.
HASH = """
#include <untaken.h>
int main(void) {
    unsigned char text[6];
    unsigned hash = 1;
    untaken_input(text, sizeof text, "text");
    for (int i = 0; i < 6; i++)
        hash = text[i] & 1 ? hash * 31 + text[i] : (hash ^ text[i]) * 17;
    for (int i = 0; i < 6; i++)
        if (text[i] & 1)
            hash += i;
    return hash == 12345;
}
"""
ECHO = """
#include <untaken.h>
int main(void) {
    unsigned char text[4];
    untaken_input(text, sizeof text, "text");
    if (text[0] == 'a') return 1;
    return text[3] > 9;
}
"""


def search(program: Path, limits: TraceLimits) -> tuple[Driver, SessionExecutor, Ending]:
    target = find_target([str(program)])
    with Session(target.program, SessionSettings(limits=limits)) as session:
        executor = SessionExecutor(session, target.map)
        solver = default_solver(session.expressions)
        world = World(target.map, executor, StackFlips(executor, solver))
        driver = Driver(world, strategy("dfs"), Random(0), Budget(iterations=500))
        ending = driver.run()
        solver.close()
        return driver, executor, ending


def test_a_full_table_is_begun_anew(tmp_path: Path) -> None:
    program = written(tmp_path, HASH)
    roomy, unhurried, _ = search(program, TraceLimits())
    tight, executor, ending = search(program, TraceLimits(nodes=250))
    assert unhurried.renewals == 0
    assert executor.renewals >= 2
    assert executor.reruns > 0
    # What was known about old paths is not used wrongly, and nothing is lost.
    assert tight.search.tally.divergences == 0
    assert tight.search.coverage.count == roomy.search.coverage.count
    assert tight.search.tally.verdicts[Verdict.HELD] == roomy.search.tally.verdicts[Verdict.HELD]
    assert ending in (Ending.EXHAUSTED, Ending.ITERATIONS)


def test_bytes_that_nobody_asked_about_are_filled(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, ECHO))])
    with Session(target.program) as session:
        executor = SessionExecutor(session, target.map)
        solver = default_solver(session.expressions)
        flips = StackFlips(executor, solver)
        path = executor.run(b"zzz\x01")
        first = int(path.symbolic[0])
        plain, filled = flips.solve_flip(path, first), flips.solve_flip(path, first, b"1234")
        solver.close()
    assert isinstance(plain, Solution)
    assert isinstance(filled, Solution)
    assert plain.input == b"azz\x01"
    assert filled.input == b"a234"


def test_what_is_guessed_in_place_of_an_answer_is_asked_beside_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = find_target([str(written(tmp_path, ECHO))])
    with Session(target.program) as session:
        executor, solver = SessionExecutor(session, target.map), default_solver(session.expressions)
        aside = SolverAside("bitwuzla", session.expressions, lambda side: True, Statistics(), waits=True)
        flips = StackFlips(executor, solver, aside=aside)
        path = executor.run(b"zzz\x01")
        assert flips.solve_flip(path, int(path.symbolic[0])) and aside.is_idle
        monkeypatch.setattr(solver, "solve", lambda query: Sat({3: 10}, optimistic=True, gave_up=True))
        guess = flips.solve_flip(path, int(path.symbolic[0]))
        solver.close()
    assert isinstance(guess, Solution) and not guess.certain
    assert not aside.is_idle
