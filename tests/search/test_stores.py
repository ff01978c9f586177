"""Stores: what a condition asks of a variable, where it gets that, and what of an input leads there."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from untaken.model.input import Field, FieldKind
from untaken.model.program import BranchId
from untaken.model.variables import AskedVariable, VariableDefinition
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.pieces.taken_around import Taken, TakenAround
from untaken.search.program.definitions import Definitions
from untaken.search.program.frames import Frames
from untaken.search.splice import spliced
from untaken.search.strategies.stores import stores
from untaken.search.world import World

from .test_pieces import MAIN, NAME, OTHER, ROUND, finder, program, ran
from .trees import Tree, full


@pytest.mark.parametrize(
    ("predicate", "constant", "value", "holds"),
    [("eq", 3, 3, True), ("ne", 3, 3, False), ("slt", 0, -1, True), ("ult", 5, -1, False), ("uge", 5, -1, True)],
)
def test_what_a_side_asks_for(predicate: str, constant: int, value: int, holds: bool) -> None:
    assert AskedVariable("x", predicate, constant).holds_for(value) is holds


def turning(predicate: str, constant: int, *definitions: VariableDefinition) -> tuple[list[int], list[int]]:
    """The gates that turn the true side, and the false side, of a condition on x."""
    asked = {BranchId(OTHER): AskedVariable("x", predicate, constant)}
    known = Definitions(replace(program(), asked=asked, definitions=definitions))
    true, false = ([gate for place in known.turning(OTHER + side) for gate in place.gates] for side in (0, 1))
    return true, false


def test_constants_turn_the_side_that_they_satisfy() -> None:
    two, three = VariableDefinition("x", (10,), value=2), VariableDefinition("x", (11,), value=3)
    assert turning("eq", 3, two, three) == ([11], [10])
    assert turning("sgt", 1, two, three) == ([10, 11], [])


def test_a_flag_that_many_places_hand_on_is_gone_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["x", *(f"x.{number}" for number in range(40))]
    copies = [VariableDefinition(one, (7,), copied=other) for one in names for other in names]
    asked: list[int] = []

    def holds_for(_: AskedVariable, value: int) -> bool:
        asked.append(value)
        return True

    monkeypatch.setattr(AskedVariable, "holds_for", holds_for)
    assert turning("eq", 3, *copies, VariableDefinition("x.39", (10,), value=3)) == ([10], [])
    assert len(asked) <= 2 * 4  # once for each number of copies at most, and each side


def test_steps_lead_in_their_direction_or_to_one_value() -> None:
    up, down = VariableDefinition("x", (10,), step=1), VariableDefinition("x", (11,), step=-1)
    assert turning("sge", 5, up, down) == ([10], [11])
    assert turning("eq", 5, up, down) == ([10, 11], [10, 11])


def test_copies_are_followed_and_end() -> None:
    copies = [VariableDefinition(one, (10,), copied=other) for one, other in ("xy", "yz", "zx")]
    assert turning("ne", 0, *copies, VariableDefinition("z", (12,), value=7)) == ([12], [])


def test_what_is_taken_around_an_event() -> None:
    """Two rounds of a loop in main, in each of which a function looks at one more byte; the event is in the second."""
    path = ran(b"abcd", MAIN, (ROUND, 0), NAME, (OTHER, 1), NAME + 1, (ROUND, 2), NAME, (OTHER, 3), NAME + 1, MAIN + 1)
    found = TakenAround(program(), Frames(program()), finder()).of(path, 7)
    assert found == [Taken(MAIN, 4, 8, 4), Taken(ROUND, 6, 8, 4), Taken(NAME, 7, 8, 7)]
    assert Taken(ROUND, 4, 6, 4) in TakenAround(program(), Frames(program()), finder()).of(path, 3)


def test_arrays_that_are_asked_for_in_a_loop_are_records() -> None:
    fields = tuple(Field(f"r{number}", FieldKind.BYTES, 2 * number, 2) for number in range(3))
    assert spliced(b"aabbcc", fields, slice(2, 2), b"XXYY") == b"aaXXYYbbcc"
    assert spliced(b"aabbcc", fields, slice(2, 4), b"") == b"aacc"
    assert spliced(b"aabbcc", fields, slice(2, 3), b"XY") == b"aaXYcc"  # within one it stays as long as it is


def test_where_nothing_is_known_of_variables_it_still_comes_to_an_end() -> None:
    tree = Tree(full(6))
    driver = Driver(World(tree.program, tree, tree), stores, Random(1), Budget(iterations=300))
    assert driver.run() is Ending.ITERATIONS
    assert driver.search.coverage.full
