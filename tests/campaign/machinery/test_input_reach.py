"""How far runs had looked into their input at each decision, and where they were reading."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.campaign.machinery.input_reach import InputCursor, InputReach
from untaken.model.expression import REACH_DTYPE, UNREACHED
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.search.pieces.spans import NOWHERE


class Reaches:
    """Nodes 1 to 4: bytes 2 to 4, byte 0, no byte, bytes 1 to 7."""

    generation = 3

    def reach(self) -> NDArray[np.void]:
        return np.array([(UNREACHED, 0), (2, 5), (0, 1), (UNREACHED, 0), (1, 8)], REACH_DTYPE)


def run_of(nodes: list[int], generation: int = Reaches.generation) -> Path:
    constraints = np.zeros(len(nodes), CONSTRAINT_DTYPE)
    constraints["node"] = nodes
    return Path(b"", np.zeros(0, np.uint32), constraints, Exit(ExitKind.CODE, 0), generation=generation)


def test_what_was_looked_at_only_grows() -> None:
    reach = InputReach(Reaches())
    assert reach(run_of([2, 1, 2, 3, 4])).tolist() == [1, 5, 5, 5, 8]
    assert reach(run_of([3])).tolist() == [0]
    assert reach(run_of([])).tolist() == []


def test_where_a_run_is_reading_goes_back_and_forth() -> None:
    cursor = InputCursor(Reaches())
    assert cursor(run_of([2, 1, 3, 4])).tolist() == [0, 2, NOWHERE, 1]
    assert cursor(run_of([])).tolist() == []


def test_of_a_run_from_before_the_table_was_cleared_nothing_is_told() -> None:
    assert min(InputReach(Reaches())(run_of([1, 2], 2))) > 1 << 32
    assert set(InputCursor(Reaches())(run_of([1, 2], 2))) == {NOWHERE}


def test_of_nodes_that_nobody_has_made_nothing_is_told() -> None:
    assert min(InputReach(Reaches())(run_of([1, 5]))) > 1 << 32
    assert set(InputCursor(Reaches())(run_of([1, 5]))) == {NOWHERE}
