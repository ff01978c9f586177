"""Goals of a search: what they are, that they are counted rightly, and that pruning never costs any of them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from untaken.model.path import CutOff
from untaken.search.attempts import Flip, Force, Outcome, Verdict
from untaken.search.budget import Budget, Ending
from untaken.search.coverage import Coverage
from untaken.search.coverage_goals import CoverageGoals, Criterion, coverage_goals
from untaken.search.driver import Driver
from untaken.search.program.distance import UncoveredDistance
from untaken.search.program.graph import StaticGraph
from untaken.search.pruning.registry import pruning
from untaken.search.registry import strategies, strategy
from untaken.search.world import Observer, World

from .programs import Condition, Part, Program, random_program
from .trees import Tree, full


def made_up(seed: int) -> Program:
    rng = Random(seed)
    return random_program(rng, rng.randint(1, 4), 6, pointers=seed % 2 == 1)


def joins_at_once(program: Program) -> set[tuple[int, int]]:
    """Blocks that only one conditional leads to, with both sides: as after `?:`, no blocks of their own."""
    found = set()
    for number, body in enumerate(program.bodies):
        targets = [target for part in body for target in ends(part)]
        for part in body:
            if part.test is not None and part.test.true == part.test.false and targets.count(part.test.true) == 2:
                found.add((number, part.test.true))
    return found


def ends(part: Part) -> list[int]:
    if part.test is not None:
        return [part.test.true, part.test.false]
    return [] if part.jump is None else [part.jump]


@pytest.mark.parametrize("seed", range(40))
def test_statements_are_the_blocks_that_ran(seed: int) -> None:
    program, rng = made_up(seed), Random(seed)
    coverage = Coverage(program.map, coverage_goals(program.map, Criterion.STATEMENTS))
    drawn, ran = joins_at_once(program), set()
    for _ in range(12):
        input = rng.randbytes(30)
        path = program.run(input)
        assert not path.cut_off & CutOff.EVENTS
        coverage.add(path.events)
        blocks = {statement[1:] for statement in program.statements(input) if statement[0] == "block"}
        ran |= blocks - drawn
        assert coverage.count == len(ran)
    assert coverage.total >= coverage.count


def test_branches_are_the_default_and_can_be_those_of_some_functions() -> None:
    program = made_up(5)
    every = Coverage(program.map)
    assert every.criterion is Criterion.BRANCHES and every.total == every.branch_total == len(program.map.branches)
    for function in program.map.functions:
        own = [branch.id for branch in program.map if branch.function == function.index]
        coverage = Coverage(program.map, coverage_goals(program.map, functions={function.index}))
        assert coverage.uncovered().tolist() == sorted(own)
        coverage.add(np.asarray(own, np.uint32))
        assert coverage.full and coverage.branches == len(own)


def goals(program: Program, goal: Criterion, seed: int) -> CoverageGoals:
    """Of the whole program, or of its last function."""
    return coverage_goals(program.map, goal, None if seed % 3 else [len(program.bodies) - 1])


def drive(seed: int, goal: Criterion, rules: str) -> tuple[Ending, Coverage]:
    program = made_up(seed)
    world = World(
        program.map, program, program, filters=(pruning(rules),) if rules else (), goals=goals(program, goal, seed)
    )
    driver = Driver(world, strategy("dfs"), Random(seed), Budget(600))
    return driver.run(), driver.search.coverage


@pytest.mark.parametrize("goal", Criterion)
def test_lookahead_costs_no_goal(goal: Criterion) -> None:
    compared = pruned = 0
    for seed in range(2_000, 2_030):
        ending, plain = drive(seed, goal, "")
        if ending is Ending.EXHAUSTED:
            early, ahead = drive(seed, goal, "lookahead")
            compared += 1
            pruned += early is Ending.PRUNED
            assert ahead.count == plain.count, seed
            assert early in (Ending.EXHAUSTED, Ending.PRUNED) or ahead.full, seed
    assert compared >= 15 and pruned >= 3


@pytest.mark.parametrize("seed", range(20))
def test_distances_to_statements_are_kept_up_to_date(seed: int) -> None:
    program, rng = random_program(Random(seed), 5, 7, loops=True), Random(seed)
    coverage = Coverage(program.map, coverage_goals(program.map, Criterion.STATEMENTS))
    kept = UncoveredDistance(StaticGraph(program.map), coverage)
    kept.by_id()
    for _ in range(8):
        coverage.add(program.run(rng.randbytes(30)).events)
        fresh = UncoveredDistance(StaticGraph(program.map), coverage)
        assert (kept.by_id() == fresh.by_id()).all()


# ---- endings --------------------------------------------------------------------------------------------------------


def unreachable_part() -> Program:
    """Two choices, and a function that nobody calls."""
    main = [Part(reads=(0, 1), test=Condition(0, 1, 1, 1)), Part(test=Condition(1, 1, 2, 2)), Part()]
    return Program([main, [Part(reads=(0,), test=Condition(0, 1, 1, 1)), Part()]])


class Asked(Observer):
    """Counts flips that were pruned."""

    def __init__(self) -> None:
        self.pruned = 0

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        self.pruned += outcome.verdict is Verdict.PRUNED


# These also try inputs that no flip leads to, so that no path of theirs is the last.
_BESIDE_FLIPS = {"random", "words", "records", "havoc", "frequencies", "stores", "causes", "hybrid", "openings"}


@pytest.mark.parametrize("name", [name for name in strategies() if name not in _BESIDE_FLIPS])
def test_a_search_that_lookahead_left_nothing_ends_and_says_so(name: str) -> None:
    program = unreachable_part()
    world = World(program.map, program, program, filters=(pruning("lookahead"),))
    driver = Driver(world, strategy(name), Random(0), Budget(iterations=50))
    assert driver.run() is Ending.PRUNED
    assert driver.search.coverage.count == 4


def test_looking_whether_anything_is_left_skips_nothing() -> None:
    """What is said to be skipped are flips that the strategy has asked for."""
    program, rules = unreachable_part(), pruning("lookahead")
    asked = Asked()
    world = World(program.map, program, program, filters=(rules,))
    driver = Driver(world, strategy("uniform"), Random(0), Budget(iterations=50), observer=asked)
    assert driver.run() is Ending.PRUNED
    assert rules.skipped["lookahead"] == asked.pruned > 0


def test_a_search_within_bounds_begins_again() -> None:
    tree = Tree(full(4))
    world = World(tree.program, tree, tree, filters=(pruning("lookahead", max_path=2),))
    driver = Driver(world, strategy("dfs"), Random(0), Budget(iterations=40))
    assert driver.run() is Ending.ITERATIONS
    assert driver.search.tally.restarts > 0


@pytest.mark.parametrize("seed", range(8))
def test_going_back_from_the_end_visits_the_same_paths(seed: int) -> None:
    found = []
    for name in ("dfs", "dfs:last-first=yes"):
        program = made_up(seed)
        driver = Driver(World(program.map, program, program), strategy(name), Random(0), Budget(400))
        ending = driver.run()
        traces = sorted(program.run(input).events.tobytes() for input in list(program.runs))
        found.append((ending, traces if ending is Ending.EXHAUSTED else []))
    assert found[0] == found[1]
