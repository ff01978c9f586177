"""Havoc: random changes of inputs keep to their fields, and of a burst only what is new is looked at."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.search.trees import Tree, UntilCovered, full
from untaken.model.input import Field, FieldKind
from untaken.search.attempts import Steps
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.mutations import Mutations
from untaken.search.strategies.havoc import havoc
from untaken.search.view import SearchView
from untaken.search.world import BookedRun, Glimpse, Observer, World

LENGTH = Field("stdin", FieldKind.LENGTH, 0, 4)
STDIN = Field("stdin", FieldKind.STDIN, 4, 10)
NUMBER = Field("n", FieldKind.SIGNED, 14, 4)
FIELDS = (LENGTH, STDIN, NUMBER)


def given(text: bytes, number: int) -> bytes:
    return len(text).to_bytes(4, "little") + text.ljust(10, b"\0") + number.to_bytes(4, "little")


def mutated(input: bytes, count: int, fields: tuple[Field, ...] = FIELDS) -> list[bytes]:
    mutations = Mutations(Random(3), [b"another", b""])
    mutations.words = [b"word"]
    return [mutations.of(input, fields) for _ in range(count)]


def test_no_field_moves_and_streams_have_their_lengths() -> None:
    made = mutated(given(b"text", 7), 2000)
    assert {len(input) for input in made} == {18}
    lengths = {int.from_bytes(input[:4], "little") for input in made}
    assert lengths == set(range(11))
    assert all(not any(input[4 + int.from_bytes(input[:4], "little") : 14]) for input in made), "zeros after its end"
    assert any(b"word" in input for input in made)
    assert any(b"othe" in input for input in made)
    assert len({input[14:] for input in made}) > 100


def test_inputs_without_fields_and_empty_ones_are_changed_too() -> None:
    assert len(set(mutated(b"abc", 200, ()))) > 100
    assert len(set(mutated(b"", 200, ()))) > 100
    assert len(set(mutated(given(b"", 0), 200))) > 100


def test_the_same_seed_makes_the_same_changes() -> None:
    assert mutated(given(b"text", 7), 50) == mutated(given(b"text", 7), 50)


class Glances:
    """Knows a tree; says which inputs come to a leaf that none came to."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._seen: set[bytes] = set()
        self.asked: list[bytes] = []

    def glance(self, input: bytes) -> Glimpse:
        self.asked.append(input)
        self._passed = Tree(self._tree.root).run(input).events
        events = self._passed.tobytes()
        is_new = events not in self._seen
        self._seen.add(events)
        return Glimpse.NEW if is_new else Glimpse.NOTHING

    def passed(self) -> NDArray[np.uint32]:
        return self._passed


class Counting(Observer):
    def __init__(self) -> None:
        self.runs = self.glances = 0

    def on_run(self, run: BookedRun) -> None:
        self.runs += 1

    def on_glances(self, count: int) -> None:
        self.glances += count


def test_of_a_burst_only_what_is_new_is_run_as_usual() -> None:
    tree, told = Tree(full(3)), Counting()
    glances = Glances(tree)
    sent: list[int] = []

    def bursts(search: SearchView) -> Steps:
        yield search.initial()
        sent.append(len((yield search.burst([b"\0\0\0", b"\0\0\1", b"\0\0\1", b"\0\0\0"]))))
        yield search.initial()
        return None

    driver = Driver(
        World(tree.program, tree, tree, glancer=glances), bursts, Random(1), Budget(iterations=6), observer=told
    )
    assert driver.run() is Ending.ITERATIONS
    assert sent == [2], "each leaf once"
    assert (told.runs, told.glances, driver.search.tally.iterations) == (4, 2, 6)


def test_what_passes_something_oftener_is_run_as_usual_and_kept() -> None:
    tree, told = Tree(full(2)), Counting()
    glances = Glances(tree)

    class Rounds(Glances):
        """Takes the last byte for a number of rounds."""

        def glance(self, input: bytes) -> Glimpse:
            glances.glance(input)
            self._passed = np.repeat(glances.passed(), input[-1])
            return Glimpse.NOTHING

    def bursts(search: SearchView) -> Steps:
        search.analyses.counts.kept.clear()
        yield search.initial()
        yield search.burst([b"\0\0\2", b"\0\0\3", b"\0\0\2", b"\0\0\4", b"\0\0\6"])
        return None

    world = World(tree.program, tree, tree, glancer=Rounds(tree))
    driver = Driver(world, bursts, Random(1), Budget(iterations=6), observer=told)
    driver.run()
    assert [input[-1] for input, _ in driver.search.analyses.counts.kept[1:]] == [2, 3, 4]
    assert (told.runs, told.glances) == (4, 2)


def test_a_burst_ends_with_the_budget() -> None:
    tree = Tree(full(2))
    driver = Driver(World(tree.program, tree, tree, glancer=Glances(tree)), havoc, Random(1), Budget(iterations=10))
    assert driver.run() is Ending.ITERATIONS
    assert driver.search.tally.iterations == 10


def test_without_anybody_to_glance_every_path_is_read() -> None:
    tree = Tree(full(2))
    driver = Driver(World(tree.program, tree, tree), havoc, Random(1), Budget(iterations=500), observer=UntilCovered())
    assert driver.run() is Ending.FULL_COVERAGE


def test_where_executions_are_not_counted_a_glance_costs_less() -> None:
    tree = Tree(full(2))

    def cost(budget: Budget) -> float:
        driver = Driver(World(tree.program, tree, tree), havoc, Random(1), budget)
        driver.search.tally.iterations = driver.search.tally.glances = 8
        return driver.search.tally.cost

    assert cost(Budget(iterations=100)) == 8.0
    assert cost(Budget(seconds=100.0)) == pytest.approx(0.8)
