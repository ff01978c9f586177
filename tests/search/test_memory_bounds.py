"""Bounds of memory that runs showed are given out once each, by places in turn."""

from __future__ import annotations

import numpy as np

from untaken.model.path import CONSTRAINT_DTYPE, ConstraintKind, Exit, ExitKind, Path
from untaken.search.knowledge.memory_bounds import MemoryBounds


def run(input: bytes, *rows: tuple[ConstraintKind, int, int]) -> Path:
    """One with constraints of these kinds, nodes and positions."""
    constraints = np.zeros(len(rows), CONSTRAINT_DTYPE)
    for row, (kind, node, position) in zip(constraints, rows, strict=True):
        row["kind"], row["node"], row["position"] = kind, node, position
    return Path(input, np.arange(1, 9, dtype=np.uint32), constraints, Exit(ExitKind.CODE))


BOUND, PIN, BRANCH = ConstraintKind.BOUND, ConstraintKind.PIN, ConstraintKind.BRANCH


def test_each_is_given_out_once() -> None:
    bounds, path = MemoryBounds(), run(b"a", (BRANCH, 3, 1), (BOUND, 4, 2), (PIN, 5, 2))
    bounds.observe(path)
    bounds.observe(path)
    assert bounds.any_left
    assert bounds.next()[:2] == (b"a", 1)
    assert not bounds.any_left and bounds.tried == 1


def test_the_place_that_was_tried_least_comes_first() -> None:
    bounds = MemoryBounds()
    for number in range(3):
        bounds.observe(run(bytes([number]), (BOUND, 10 + number, 2)))
    assert bounds.next().input == b"\2", "the newest"
    bounds.observe(run(b"a", (BOUND, 20, 2), (BOUND, 21, 2), (BOUND, 22, 5)))
    assert {bounds.next().constraint for _ in range(2)} == {1, 2}, "another one behind the same event is another place"


def test_what_holds_as_a_pin_does_is_no_decision() -> None:
    path = run(b"a", (BRANCH, 3, 1), (BOUND, 4, 2), (PIN, 5, 2))
    assert path.symbolic.tolist() == [0]
    assert path.has_pins and path.is_pin.tolist() == [False, True, True]
