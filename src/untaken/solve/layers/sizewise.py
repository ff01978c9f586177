"""Decides goals about the size of a stream by trying all sizes: exact, where nothing links the size to other bytes.

A loop over the input asks for the size again and again, so that a path may say hundreds of things of it. What they
leave of it together is remembered, since the next path mostly begins with the same.
"""

from __future__ import annotations

from collections.abc import Hashable

from untaken.solve.answers import Answer, Sat, Unsat
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.values.sizes import StreamSizes

REMEMBERED = 4096  # beginnings of paths; then it starts afresh

Left = tuple[int, int]  # sets of sizes: what all assertions leave, and what those leave that are no pins


class SizewiseSearch:
    """Memory over one generation of the node table."""

    def __init__(self, graph: Graph) -> None:
        self._sizes = StreamSizes(graph)
        self._left: dict[tuple[int, Hashable], Left | None] = {}

    def solve(self, around: Query) -> Answer | None:
        """`around` has all assertions about bytes of the goal; None: it is not about a size, or not alone."""
        goal = self._sizes.of(around.goal)
        if goal is None:
            return None
        size, wanted = goal
        key = size, around.assumed
        if key not in self._left:
            if len(self._left) >= REMEMBERED:
                self._left.clear()
            self._left[key] = self._assumed(around, size)
        left = self._left[key]
        return None if left is None else self._decided(around, size, wanted, left)

    def _assumed(self, around: Query, size: int) -> Left | None:
        allowed = relaxed = -1
        for code in around.assertions[:-1]:
            known = self._sizes.of(code)
            if known is None or known[0] != size:
                return None
            allowed &= known[1]
            if code not in around.pins:
                relaxed &= known[1]
        return allowed, relaxed

    def _decided(self, around: Query, size: int, wanted: int, left: Left) -> Answer:
        allowed, relaxed = (wanted & each for each in left)
        if allowed:
            return self._sat(size, allowed, around.salt)
        if relaxed:
            return Unsat(relaxed=self._sat(size, relaxed, around.salt))
        return Unsat(around.key - around.pins)

    def _sat(self, size: int, allowed: int, salt: int) -> Sat:
        return Sat(self._sizes.model(size, choose_size(allowed, salt)))


def choose_size(allowed: int, salt: int) -> int:
    """One of the sizes, every other time the largest: the more a program may read, the more it shows."""
    largest = allowed.bit_length() - 1
    if salt >> 7 & 1:
        return largest
    start = (salt >> 8) % (largest + 1)
    from_start = allowed >> start << start
    return (from_start & -from_start).bit_length() - 1
