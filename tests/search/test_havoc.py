"""Havoc: inputs are changed at random, and of a burst only what is new is looked at.

The changes themselves are the runtime's: tests/execute/test_burst.py."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.search.trees import Tree, UntilCovered, full
from untaken.model.burst import BurstStart, ChangedInputs
from untaken.search.attempts import Burst, Steps
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.strategies.havoc import Bases, havoc
from untaken.search.tally import GLANCE_COST
from untaken.search.view import SearchView, new_search
from untaken.search.world import BookedRun, Glimpse, Observer, Sight, World


class Glances:
    """Knows a tree; says which inputs come to a leaf that none came to. Each copy but the first differs by a byte."""

    def __init__(self, tree: Tree, at_once: int = 1000) -> None:
        self._tree = tree
        self._at_once = at_once
        self._seen: set[bytes] = set()
        self.asked: list[bytes] = []

    def glance(self, changes: ChangedInputs, runs: range, passes: NDArray[np.uint8]) -> Sight:
        for number in runs[: self._at_once]:
            input = self.changed(changes, number)
            self.asked.append(input)
            if (glimpse := self.look(input)) is not Glimpse.NOTHING:
                break
        return Sight(glimpse, input, number + 1 - runs.start)

    def changed(self, changes: ChangedInputs, number: int) -> bytes:
        start = changes.starts[number // changes.copies]
        rng = Random(changes.seed + number)
        input = bytearray(start.input.ljust(3, b"\0"))
        if not start.is_new:
            input[rng.randrange(len(input))] = rng.randrange(256)
        return bytes(input)

    def look(self, input: bytes) -> Glimpse:
        events = Tree(self._tree.root).run(input).events.tobytes()
        is_new = events not in self._seen
        self._seen.add(events)
        return Glimpse.NEW if is_new else Glimpse.NOTHING


def as_they_are(*inputs: bytes) -> ChangedInputs:
    return ChangedInputs([BurstStart(input, (), is_new=True) for input in inputs])


class Counting(Observer):
    def __init__(self) -> None:
        self.runs = self.glances = 0

    def on_run(self, run: BookedRun) -> None:
        self.runs += 1

    def on_glances(self, count: int) -> None:
        self.glances += count


@pytest.mark.parametrize("at_once", [1, 3, 1000])
def test_of_a_burst_only_what_is_new_is_run_as_usual(at_once: int) -> None:
    tree, told = Tree(full(3)), Counting()
    sent: list[int] = []

    def bursts(search: SearchView) -> Steps:
        yield search.initial()
        sent.append(len((yield search.burst(as_they_are(b"\0\0\0", b"\0\0\1", b"\0\0\1", b"\0\0\0")))))
        yield search.initial()
        return None

    world = World(tree.program, tree, tree, glancer=Glances(tree, at_once))
    driver = Driver(world, bursts, Random(1), Budget(iterations=6), observer=told)
    assert driver.run() is Ending.ITERATIONS
    assert sent == [2], "each leaf once"
    assert (told.runs, told.glances, driver.search.tally.iterations) == (4, 2, 6)


def test_how_many_runs_come_at_once_does_not_matter() -> None:
    """That is a matter of time. All are cut, so after a while they are to have more inputs: after the same run."""

    class Cut(Glances):
        def glance(self, changes: ChangedInputs, runs: range, passes: NDArray[np.uint8]) -> Sight:
            sight = super().glance(changes, runs, passes)
            return Sight(sight.glimpse, sight.input, sight.runs, sight.runs - (sight.glimpse is Glimpse.NEW))

    def learnt(at_once: int) -> tuple[list[int], float]:
        tree, raised = Tree(full(4)), list[int]()
        glances = Cut(tree, at_once)

        def more_inputs() -> bool:
            raised.append(len(glances.asked))
            return True

        world = World(tree.program, tree, tree, glancer=glances, more_inputs=more_inputs)
        driver = Driver(world, havoc, Random(1), Budget(iterations=700))
        driver.run()
        return raised, driver.search.tally.fresh

    assert len(learnt(1000)[0]) > 1
    assert learnt(1) == learnt(3) == learnt(1000)


def test_what_passes_something_oftener_is_run_as_usual_and_kept() -> None:
    tree, told = Tree(full(2)), Counting()

    class Odd(Glances):
        """An odd last byte passes something oftener."""

        def look(self, input: bytes) -> Glimpse:
            return Glimpse.OFTENER if input[-1] % 2 else Glimpse.NOTHING

    def bursts(search: SearchView) -> Steps:
        search.analyses.counts.kept.clear()
        yield search.initial()
        yield search.burst(as_they_are(b"\0\0\2", b"\0\0\3", b"\0\0\2", b"\0\0\5", b"\0\0\6"))
        return None

    world = World(tree.program, tree, tree, glancer=Odd(tree))
    driver = Driver(world, bursts, Random(1), Budget(iterations=6), observer=told)
    driver.run()
    assert [input[-1] for input, _ in driver.search.analyses.counts.kept[1:]] == [3, 5]
    assert (told.runs, told.glances) == (3, 3)


def test_a_burst_ends_with_the_budget() -> None:
    tree = Tree(full(2))
    driver = Driver(World(tree.program, tree, tree, glancer=Glances(tree)), havoc, Random(1), Budget(iterations=10))
    assert driver.run() is Ending.ITERATIONS
    assert driver.search.tally.iterations == 10


def test_a_burst_ends_where_nothing_was_new_for_long_enough() -> None:
    tree = Tree(full(1))
    driver = Driver(World(tree.program, tree, tree, glancer=Glances(tree)), havoc, Random(1), Budget(stale=40))
    assert driver.run() is Ending.STALE
    tally = driver.search.tally
    assert tally.iterations - tally.last_new == 40


def test_changes_cover_what_there_is() -> None:
    tree = Tree(full(2))
    world = World(tree.program, tree, tree, glancer=Glances(tree))
    driver = Driver(world, havoc, Random(1), Budget(iterations=500), observer=UntilCovered())
    assert driver.run() is Ending.FULL_COVERAGE


def test_without_anybody_to_glance_inputs_are_run_as_they_are() -> None:
    tree = Tree(full(2))
    driver = Driver(World(tree.program, tree, tree), havoc, Random(1), Budget(iterations=20))
    assert driver.run() is Ending.ITERATIONS
    assert len(set(tree.runs)) == 1


def test_where_executions_are_not_counted_inputs_are_changed_several_times() -> None:
    def copies(budget: Budget) -> int:
        glances = Glances(Tree(full(1)))
        tree = Tree(full(1))
        driver = Driver(World(tree.program, tree, tree, glancer=glances), havoc, Random(1), budget)
        steps = havoc(driver.search)
        next(steps)
        driver.search.corpus.add(tree.run(b"\0"))
        burst = steps.send(None)
        assert isinstance(burst, Burst)
        return burst.changes.copies

    assert copies(Budget(iterations=100)) == 1
    assert copies(Budget(seconds=100.0)) > 1


def test_where_executions_are_not_counted_a_glance_costs_less() -> None:
    tree = Tree(full(2))

    def cost(budget: Budget) -> float:
        driver = Driver(World(tree.program, tree, tree), havoc, Random(1), budget)
        driver.search.tally.iterations = driver.search.tally.glances = 8
        return driver.search.tally.cost

    assert cost(Budget(iterations=100)) == 8.0
    assert cost(Budget(seconds=100.0, is_counted_elsewhere=True)) == 8.0  # by the owner of a campaign of many
    assert cost(Budget(seconds=100.0)) == pytest.approx(8 * GLANCE_COST)


def test_an_old_input_that_came_to_an_open_condition_is_changed_as_long_as_that_is_open() -> None:
    """Of fifty that covered something the first alone came there; later ones are preferred otherwise."""
    tree = Tree(full(2))
    search = new_search(tree.program, Random(1))
    first, *others = (tree.run(bytes(input)) for input in [(0, 0), *[(1, 0), (1, 1)] * 25])
    for path in (first, *others):
        search.coverage.add_run(path)
        search.corpus.add(path)
    bases = Bases(search.corpus, search.analyses.counts, search.coverage, Random(1))
    assert 200 < [bases.next().input for _ in range(1_000)].count(first.input) < 400
    search.coverage.add_run(tree.run(b"\0\1"))
    assert [bases.next().input for _ in range(1_000)].count(first.input) < 20
