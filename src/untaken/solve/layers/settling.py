"""Makes the two sides of an equality equal, by bytes that only one of them depends on.

A checksum, and the field that it is compared with: a solver would spell out the sum bit by bit, and the field as well,
which is read through an index if a length says where it is. But the field can be anything. So it is tried out which
bytes move one side alone, and these get the values that bring the two sides together, one byte after the other: in
fields of bytes, whatever their order, and of hexadecimal digits each byte sets a part of the number. What is found is
tried against all assertions, so it is exact; that there is no answer only a solver can tell. What is asked
behind a checksum that was right is answered in the same way: the goal by itself, and then the checksum anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import Op
from untaken.model.floats import Words
from untaken.solve.answers import Answer, Sat, apply
from untaken.solve.graph import Graph, indices
from untaken.solve.query import Query
from untaken.solve.values.batch import evaluate
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.conjunctions import Domains
from untaken.solve.values.scalar import ScalarEvaluator

FEWEST_BYTES = 3  # of such a goal: fewer are tried in all combinations
MOST_BYTES = 256  # that are tried out, each alone
MOST_MOVERS = 8  # bytes that a field has
MOST_SUMS = 4  # that a query says are right
_VALUES = 256
_BITS = 64
_DIGIT = 4  # bits
_DIGIT_MASK = np.uint64((1 << _DIGIT) - 1)

ComparedTerms = tuple[int, int]  # nodes


class SettlingSearch:
    """`meet` answers a question about the goal by itself."""

    def __init__(self, domains: DomainFinder, scalar: ScalarEvaluator, meet: Callable[[Query], Answer]) -> None:
        self._graph = domains.graph
        self._domains = domains
        self._scalar = scalar
        self._meet = meet

    def solve(self, query: Query, around: Query, old: bytes) -> Sat | None:
        """`around`: the assertions of the query that have bytes of its goal."""
        if wanted_equal(self._graph, query.goal) is not None:
            return self.settle(query, old)
        sums = [code for code in around.assertions[:-1] if wanted_equal(self._graph, code) is not None]
        return self._settled_behind(query, sums, old) if 0 < len(sums) <= MOST_SUMS else None

    def settle(self, query: Query, old: bytes, keeps: int = 0) -> Sat | None:
        """Brings the sides of the goal together, and leaves the bytes as they are that are to be kept."""
        return self._first_that_holds(query, self._made_equal(query, query.goal, old, keeps))

    def _settled_behind(self, query: Query, sums: list[int], old: bytes) -> Sat | None:
        """Meets the goal by itself, and then brings sides together that were equal and are no more."""
        alone = self._meet(query.goal_alone())
        if not isinstance(alone, Sat):
            return None
        met = [apply(alone.model, old)]
        for code in sums:
            if met and not self._scalar.holds(code, met[0]):
                met = list(self._made_equal(query, code, met[0], self._graph.bits(query.goal)))
        return self._first_that_holds(query, met)

    def _first_that_holds(self, query: Query, found: Iterable[bytes]) -> Sat | None:
        for data in found:
            if self._scalar.all_hold(query.assertions, data):
                return Sat({byte: data[byte] for byte in self._graph.inputs_of(query.assertions)})
        return None

    def _made_equal(self, query: Query, code: int, old: bytes, keeps: int) -> Iterator[bytes]:
        """Inputs in which the sides of an assertion are equal, by other values for some bytes, none that is kept."""
        sides, bits = wanted_equal(self._graph, code), self._graph.bits(code)
        free = indices(bits & ~keeps)
        if sides is None or len(free) > MOST_BYTES or not self._may_evaluate(sides, MOST_MOVERS * _VALUES):
            return
        allowed = self._domains.with_goal(query, free, old).domains
        for movers in self._movers(sides, old, allowed):
            data = self._brought_together(sides, old, allowed, movers)
            if data is not None:
                yield data

    def _may_evaluate(self, sides: ComparedTerms, inputs: int) -> bool:
        return self._graph.effort.may_operate(len(self._graph.below(sides)), inputs)

    def _movers(self, sides: ComparedTerms, old: bytes, allowed: Domains) -> list[list[int]]:
        """For each side the bytes that move it alone, fewer first; none where these are no field's."""
        free = [byte for byte, values in allowed.items() if values & ~(1 << old[byte])]
        columns = {byte: np.full(len(free) + 1, old[byte], np.uint64) for byte in free}
        for place, byte in enumerate(free):
            columns[byte][place] = _another(allowed[byte], old[byte])
        first, second = (values != values[-1] for values in self._values(sides, old, columns, len(free) + 1))
        found = [[free[place] for place in np.flatnonzero(moved[:-1])] for moved in (first & ~second, second & ~first)]
        return sorted((movers for movers in found if 0 < len(movers) <= MOST_MOVERS), key=len)

    def _brought_together(self, sides: ComparedTerms, old: bytes, allowed: Domains, movers: list[int]) -> bytes | None:
        """The input with other values for these bytes, with which both sides are the same."""
        data, left = bytearray(old), _BITS // _DIGIT + 1
        pool = {byte: np.array(indices(allowed[byte]), np.uint64) for byte in movers}
        size = sum(map(len, pool.values()))
        while self._may_evaluate(sides, size):
            columns = _around(data, pool, size)
            first, second = self._values(sides, bytes(data), columns, size)
            apart = _digits_apart(first, second)
            best = int(apart.argmin())
            if apart[best] >= left:
                return None
            left = int(apart[best])
            for byte in movers:
                data[byte] = int(columns[byte][best])
            if not left:
                return bytes(data)
        return None

    def _values(self, sides: ComparedTerms, old: bytes, columns: dict[int, Words], size: int) -> tuple[Words, Words]:
        others = self._graph.inputs_of([2 * side for side in sides])
        inputs = {byte: np.array((old[byte],), np.uint64) for byte in others} | columns
        values = evaluate(self._graph, sides, inputs, size)
        return values[sides[0]], values[sides[1]]


def wanted_equal(graph: Graph, goal: int) -> ComparedTerms | None:
    """The two terms that a goal wants to be equal, if both depend on the input, and not on a byte or two."""
    if goal < 0 or not goal & 1 or graph.bits(goal).bit_count() < FEWEST_BYTES:
        return None
    node = graph.node(goal >> 1)
    if node.op is not Op.EQ or graph.node(node.a).width > _BITS:
        return None
    return (node.a, node.b) if graph.inputs(node.a) and graph.inputs(node.b) else None


def _another(values: int, old: int) -> int:
    """One of these values that is not the old one, and as far as may be of other bits."""
    return max(indices(values & ~(1 << old)), key=lambda value: (value ^ old).bit_count())


def _around(data: Sequence[int], pool: dict[int, Words], size: int) -> dict[int, Words]:
    """Columns of the inputs that differ from this one in one byte."""
    columns = {byte: np.full(size, data[byte], np.uint64) for byte in pool}
    start = 0
    for byte, values in pool.items():
        columns[byte][start : start + len(values)] = values
        start += len(values)
    return columns


def _digits_apart(first: Words, second: Words) -> NDArray[np.int64]:
    """How many hexadecimal digits the numbers do not share."""
    differing = first ^ second
    shifts = np.arange(0, _BITS, _DIGIT, dtype=np.uint64)[:, np.newaxis]
    apart: NDArray[np.int64] = np.count_nonzero(differing[np.newaxis, :] >> shifts & _DIGIT_MASK, axis=0)
    return apart
