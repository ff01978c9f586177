"""solve-first: all alternatives of a path at once, then back from its end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from untaken.search.attempts import Flip, Force, Outcome, Steps, Verdict
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.strategies.dfs import dfs
from untaken.search.strategies.solve_first import solve_first
from untaken.search.view import SearchView
from untaken.search.world import Observer, World

from .programs import random_program
from .trees import Fork, Leaf, Tree, comb, full

UNLIMITED = Budget()


class Flips(Observer):
    """Remembers which path was flipped where, by the numbers of the runs."""

    def __init__(self) -> None:
        self.seen: list[tuple[bytes, int, Verdict]] = []

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        taken = bytes(attempt.path.constraints["taken"].tolist())
        self.seen.append((taken, attempt.index, outcome.verdict))


def drive(tree: Tree, budget: Budget = UNLIMITED) -> tuple[Ending, Driver, Flips]:
    flips = Flips()
    driver = Driver(World(tree.program, tree, tree), solve_first, Random(0), budget, observer=flips)
    return driver.run(), driver, flips


@pytest.mark.parametrize("root", [full(0), full(5), comb(9)], ids=["none", "full", "comb"])
def test_each_path_is_run_once(root: Fork | Leaf) -> None:
    tree = Tree(root)
    ending, driver, _ = drive(tree)
    assert ending is Ending.EXHAUSTED
    assert driver.search.tally.iterations == sum(1 for _ in tree.leaves())


def test_all_alternatives_of_a_path_come_before_any_other_path() -> None:
    _, _, flips = drive(Tree(full(4)))
    first = flips.seen[0][0]
    assert [(path, index) for path, index, _ in flips.seen[:4]] == [(first, index) for index in range(4)]


def test_the_search_goes_back_from_the_end_of_the_path() -> None:
    """The alternative of the last branch has no branch left to flip, the one before it has one, and so on."""
    _, _, flips = drive(Tree(full(4)))
    first = flips.seen[0][0]
    later = [path for path, _, _ in flips.seen[4:]]
    left_at = [next(at for at in range(4) if path[at] != first[at]) for path in later]
    assert left_at == sorted(left_at, reverse=True)
    assert left_at[0] == 2


def test_impossible_sides_are_not_visited() -> None:
    ending, driver, flips = drive(Tree(Fork(None, Fork(Leaf(), Fork(None, Leaf())))))
    assert (ending, driver.search.tally.iterations) == (Ending.EXHAUSTED, 2)
    assert [verdict for _, _, verdict in flips.seen].count(Verdict.INFEASIBLE) == 2


def test_paths_that_memory_had_no_room_for_are_run_again() -> None:
    tree = Tree(full(4))

    def forgetful(search: SearchView) -> Steps:
        return (yield from solve_first(replace(search, cache_bytes=1)))

    driver = Driver(World(tree.program, tree, tree), forgetful, Random(0), UNLIMITED)
    assert driver.run() is Ending.EXHAUSTED
    assert driver.search.coverage.full
    assert driver.search.tally.iterations > 16


def test_it_runs_as_many_paths_as_depth_first_search_and_covers_the_same() -> None:
    compared = 0
    for seed in range(30):
        program = random_program(Random(seed), 3, 5)
        own, other = (
            Driver(World(program.map, program, program), steps, Random(0), Budget(300)) for steps in (solve_first, dfs)
        )
        endings = own.run(), other.run()
        if endings == (Ending.ITERATIONS, Ending.ITERATIONS):
            continue  # too many paths to see all of them
        assert endings == (Ending.EXHAUSTED, Ending.EXHAUSTED), seed
        assert own.search.tally.iterations == other.search.tally.iterations, seed
        assert own.search.coverage.uncovered().tolist() == other.search.coverage.uncovered().tolist(), seed
        compared += 1
    assert compared >= 20
