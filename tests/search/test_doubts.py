"""Why no claim about all paths is made: each reason on a made-up tree whose runs have that one fault."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from untaken.model.gap import Gap
from untaken.model.path import ConstraintKind, CutOff, Exit, ExitKind, Path
from untaken.search.budget import Budget, Ending
from untaken.search.completeness import add_doubts
from untaken.search.doubts import Doubt
from untaken.search.driver import Driver
from untaken.search.registry import strategy
from untaken.search.strategies.dfs import dfs
from untaken.search.view import SearchView
from untaken.search.world import NoSolution, Solution, World

from .trees import Leaf, Tree, full


def driver_of(tree: Tree, steps: Any, budget: Budget) -> Driver:
    return Driver(World(tree.program, tree, tree), steps, Random(1), budget)


FAULTS: dict[Doubt, dict[str, Any]] = {
    Doubt.CUT_OFF: {"cut_off": CutOff.EVENTS},
    Doubt.LATE: {"exit": Exit(ExitKind.TIMEOUT)},
    Doubt.LENGTH: {"exit": Exit(ExitKind.LENGTH)},
    Doubt.MEMORY: {"exit": Exit(ExitKind.MEMORY)},
    Doubt.INPUTS: {"exit": Exit(ExitKind.INPUTS)},
    Doubt.LOST: {"lost": True},
    Doubt.CONCRETE: {"concretised": (1, 0)},
    Doubt.THREADS: {"threads": 2},
    Doubt.PROCESSES: {"gaps": int(Gap.PROCESSES)},
    Doubt.REPLACED: {"gaps": int(Gap.REPLACED)},
    Doubt.TIMERS: {"gaps": int(Gap.TIMERS)},
    Doubt.EARLY: {"gaps": int(Gap.EARLY)},
    Doubt.JUMPED: {"gaps": int(Gap.JUMPED)},
    Doubt.HANDLERS: {"gaps": int(Gap.HANDLERS)},
    Doubt.READS: {"gaps": int(Gap.READS)},
    Doubt.FAULTS: {"gaps": int(Gap.FAULTS)},
    Doubt.ASIDE: {"gaps": int(Gap.ASIDE)},
}
CHANCE: dict[Doubt, dict[str, Any]] = {Doubt.CHANCE: {"gaps": int(Gap.CHANCE)}}
KINDS = {Doubt.PINNED: ConstraintKind.PIN, Doubt.LIBRARY: ConstraintKind.LIBRARY}


class Faulty(Tree):
    """A tree whose runs have one fault."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(full(3))
        self.doubt = doubt

    def run(self, input: bytes) -> Path:
        path = super().run(input)
        if self.doubt in KINDS:
            constraints = path.constraints.copy()
            constraints["kind"][0] = KINDS[self.doubt]
            return replace(path, constraints=constraints)
        return replace(path, **(FAULTS | CHANCE).get(self.doubt, {}))

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        if index == 2 and self.doubt is Doubt.UNKNOWN:
            return NoSolution.UNKNOWN
        if index == 2 and self.doubt is Doubt.DIVERGED:
            return Solution(path.input)
        return super().solve_flip(path, index, fill)


@pytest.mark.parametrize("doubt", [*FAULTS, *KINDS, Doubt.UNKNOWN, Doubt.DIVERGED], ids=lambda doubt: doubt.name)
def test_nothing_is_exhausted_if_something_was_missed(doubt: Doubt) -> None:
    tree = Faulty(doubt)
    found: set[Doubt] = set()
    add_doubts(tree.run(b""), found)
    assert found == {doubt} - {Doubt.UNKNOWN, Doubt.DIVERGED}
    driver = driver_of(tree, dfs, Budget(iterations=60))
    assert driver.run() is Ending.ITERATIONS
    tally = driver.search.tally
    assert tally.restarts > 0 and tally.tried_all
    assert tally.doubts | tally.all_doubts == {doubt}


def test_what_no_input_changes_is_no_reason_to_go_on() -> None:
    driver = driver_of(Faulty(Doubt.CHANCE), dfs, Budget(iterations=60))
    assert driver.run() is Ending.ALL_OF_INPUT
    tally = driver.search.tally
    assert tally.restarts == 0 and tally.doubts == {Doubt.CHANCE}


def test_each_doubt_is_tested_or_belongs_to_the_program() -> None:
    of_the_program = {Doubt.EXTERNAL, Doubt.UNINSTRUMENTED, Doubt.STRANGERS}
    others = {Doubt.UNSEEN, Doubt.CHANGED, Doubt.PRUNED, Doubt.SNAPSHOTS, Doubt.UNKNOWN, Doubt.DIVERGED, Doubt.PUT_OFF}
    assert set(Doubt) == {*FAULTS, *CHANCE, *KINDS} | of_the_program | others


@pytest.mark.parametrize("doubt", [Doubt.EXTERNAL, Doubt.UNINSTRUMENTED])
def test_nothing_is_exhausted_if_inputs_went_where_we_cannot_see(doubt: Doubt) -> None:
    for root in (full(2), Leaf()):
        tree = Tree(root)
        world = World(tree.program, tree, tree, doubts=lambda: (doubt,))
        budget = Budget(iterations=20)
        driver = Driver(world, dfs, Random(0), budget)
        assert driver.run() is Ending.ITERATIONS
        assert driver.search.tally.doubts == {doubt}


def test_pruning_that_may_lose_something_is_a_doubt() -> None:
    class Lossy:
        lossless = False

        def allows(self, search: SearchView, path: Path, index: int) -> bool:
            return index != 1

        def rules_out(self, search: SearchView, path: Path, index: int) -> bool:
            return False

    tree = Tree(full(2))
    driver = Driver(
        World(tree.program, tree, tree, filters=(Lossy(),)),
        dfs,
        Random(0),
        Budget(iterations=20),
    )
    assert driver.run() is Ending.ITERATIONS
    assert driver.search.tally.all_doubts == {Doubt.PRUNED}


class Fickle(Tree):
    """Runs are whole but for every third one, which ends early."""

    def run(self, input: bytes) -> Path:
        path = super().run(input)
        if len(self.runs) % 3:
            return path
        return replace(path, constraints=path.constraints[:1], events=path.events[:2])


@pytest.mark.parametrize("name", ["dfs", "bfs", "generational", "cgs", "solve-first"])
def test_a_program_that_does_not_repeat_itself_is_no_trouble(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("untaken.search.view.DEFAULT_BYTES", 1)  # so that each path is run again
    driver = driver_of(Fickle(full(6)), strategy(name), Budget(iterations=300))
    assert driver.run() is Ending.ITERATIONS
    assert Doubt.CHANGED in driver.search.tally.doubts | driver.search.tally.all_doubts


def test_a_run_without_decisions_proves_nothing_where_others_had_some() -> None:
    """As when a library function that we cannot see into ends the program on some inputs."""

    class Blind(Tree):
        def run(self, input: bytes) -> Path:
            path = super().run(input)
            return path if len(self.runs) < 3 else replace(path, constraints=path.constraints[:0])

    driver = driver_of(Blind(full(4)), dfs, Budget(iterations=20))
    assert driver.run() is Ending.ITERATIONS
    assert Doubt.UNSEEN in driver.search.tally.doubts | driver.search.tally.all_doubts
