"""SearchAlongPath succeeds exactly where some execution follows a short static path to an uncovered branch."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from untaken.model.path import Path
from untaken.search.attempts import Finish, Steps
from untaken.search.budget import Budget
from untaken.search.driver import Driver
from untaken.search.knowledge.novelty import CampaignNovelty
from untaken.search.strategies.search_along_path import search_along_path
from untaken.search.view import SearchView
from untaken.search.world import Solution, World

from .programs import Condition, Part, Program, Statement, matches, random_program, static_paths

READS = 8


def run_along(program: Program, path: Path, start: int, weight: int, uncovered: set[int]) -> Path | None:
    """SearchAlongPath with everything covered but `uncovered`."""
    found: list[Path | None] = []

    def once(search: SearchView) -> Steps:
        covered = [branch for branch in program.map.branches if branch not in uncovered]
        search.coverage.add(np.array(covered, np.uint32))
        found.append((yield from search_along_path(search, CampaignNovelty(search), path, start, weight)))
        yield search.initial()
        return Finish.EXHAUSTED

    Driver(World(program.map, program, program), once, Random(0), Budget()).run()
    return found[0]


def place_of(execution: list[Statement], event: int) -> int:
    """Where the event of this number is among the statements."""
    events = [at for at, statement in enumerate(execution) if statement[0] in ("entry", "exit", "branch")]
    return events[event]


def follows(program: Program, path: Path, position: int, statics: list[list[Statement]]) -> bool:
    """Does the execution match one of the static paths from the branch at `position` on?"""
    execution = program.statements(path.input)
    at = place_of(execution, position)
    return any(matches(execution, at, static) for static in statics)


@pytest.mark.parametrize("block", range(2))
def test_search_along_path_is_exact(block: int) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(40 * block, 40 * block + 40):
        rng = Random(seed)
        program = small_program(rng)
        paths = [program.run(input) for input in program.all_inputs(READS)]
        paths = [path for path in paths if len(path)]
        kinds.update(check(rng, program, paths, rng.choice(paths)) for _ in range(25))
    assert kinds["found"] >= 50 and kinds["impossible"] >= 100, kinds


def small_program(rng: Random) -> Program:
    """One that reads few enough bytes on all its paths."""
    while True:
        program = random_program(rng, rng.randint(1, 4), 7)
        enough = len(program.map.branches) >= 8 and len(program.run(b"")) >= 2
        if enough and program.longest_input() < READS:
            return program


def check(rng: Random, program: Program, paths: list[Path], path: Path) -> str:
    """One flip, one set of uncovered branches, one weight; says what kind of case it was."""
    index = rng.randrange((len(path) + 1) // 2)
    answer = program.solve_flip(path, index)
    if not isinstance(answer, Solution):
        return "infeasible"
    flipped = program.run(answer.input)
    position = int(path.constraints["position"][index])
    elsewhere = sorted(set(program.map.branches) - set(flipped.events.tolist()))
    uncovered: set[int] = set(rng.sample(elsewhere, min(rng.randint(1, 3), len(elsewhere))))
    weight = rng.randint(1, 4)
    statics = list(static_paths(program, ("branch", int(flipped.events[position])), weight, uncovered))
    beginning = flipped.events[: position + 1]
    same_start = [other for other in paths if np.array_equal(other.events[: position + 1], beginning)]
    possible = any(follows(program, other, position, statics) for other in same_start)
    found = run_along(program, flipped, position + 1, weight, uncovered)
    if found is None:
        assert not possible
        return "impossible"
    assert uncovered & set(found.events.tolist())
    if not possible:
        # It ran into an uncovered branch outside of any static path; then none of them is matched by it.
        assert not follows(program, found, position, statics)
        return "by the way"
    return "found"


def test_common_prefixes_are_forced_once() -> None:
    """Five tests in a row, each on a byte of its own, all of the last unreachable: no run is made twice."""
    chain = [Part(reads=(0,), test=Condition(0, 1, block + 1, block + 1)) for block in range(5)]
    last = Condition(1, 2, 6, 6)
    program = Program([[*chain, Part(test=last), Part()]])
    path = program.run(b"")
    program.runs.clear()
    assert run_along(program, path, 1, 6, {last.id}) is None
    searched = program.runs[:-1]  # the last one is the test's own
    assert len(searched) == 2**5 - 1
    assert len({run.ljust(5, b"\0") for run in searched}) == len(searched)


def test_a_static_path_does_not_leave_the_function_it_is_in() -> None:
    """What lies behind the return, in the caller, is not on any static path, near as it is."""
    behind = Condition(0, 1, 1, 1)
    inner = [Part(reads=(0,), test=Condition(0, 1, 1, 1)), Part()]
    program = Program([[Part(reads=(0,), calls=(1,), test=behind), Part()], inner])
    path = program.run(b"")
    program.runs.clear()
    after_inner_branch = 3
    assert run_along(program, path, after_inner_branch, 9, {behind.id + 1}) is None
    assert len(program.runs) == 1  # only the test's own
    found = run_along(program, path, 1, 9, {behind.id + 1})
    assert found is not None and behind.id + 1 in found.events
