"""Looks for an answer in which one integer of the input was moved as little as it takes.

Solvers answer `n > 3` with any number, two thousand million as well as four. Programs count up to such numbers, or call
themselves so often: runs that are as long as their numbers are large show little more than short ones, and take the
time of thousands. And what lies at the border of a comparison, where it is just true, is worth trying for itself.

The old input satisfies all but the goal. So an integer of the goal is moved by steps of all sizes until the goal holds,
and the border is found by halving. What is found there is tried against all assertions, so it is exact. A solver is
asked only if that fails: thousands of assertions, as loops have, may be too much for it. It is asked about some goals
at once, chosen by the goal and never by chance: things may lie far away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from untaken.solve.answers import Sat
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.variables import InputVariable, VariableKind, variables_of

MOST_BYTES = 32  # that a goal depends on
LARGEST = 4_000  # in units of Graph.size: expressions that are larger are mostly hashes
STRIDE = 4  # bits: each step is 16 times as long as the last
ONE_IN = 8  # goals for which nothing is looked for


class ClosestSearch:
    """Shares what it knows of nodes with the other layers."""

    def __init__(self, graph: Graph, scalar: ScalarEvaluator) -> None:
        self._graph = graph
        self._scalar = scalar
        self._integers: dict[int, list[InputVariable]] = {}  # by goal

    def solve(self, around: Query, old: bytes) -> Sat | None:
        """`around` has all assertions about bytes of the goal, `old` reaches all their bytes; None: not known."""
        if is_left_out(around):
            return None
        for integer in self._integers_of(around.goal):
            changed = bytearray(old)
            for value in self._borders(around.goal, integer, changed):
                _put(integer, value, changed)
                if self._scalar.all_hold(around.assertions, changed):
                    return Sat({byte: changed[byte] for byte in integer.place})
        return None

    def has_none(self, goal: int) -> bool:
        """Whether the goal is about no integer, as most are."""
        return not self._integers_of(goal)

    def _integers_of(self, goal: int) -> list[InputVariable]:
        found = self._integers.get(goal)
        if found is None:
            found = self._integers[goal] = self._find_integers(goal)
        return found

    def _find_integers(self, goal: int) -> list[InputVariable]:
        """The integers of several input bytes that the goal is about, if it is small enough."""
        bits = self._graph.bits(goal)
        if not bits & (bits - 1) or bits.bit_count() > MOST_BYTES or not self._graph.has_words(goal):
            return []
        if self._graph.size_alone(goal) > LARGEST:
            return []
        variables = variables_of(self._graph, self._graph.below((goal >> 1,)))
        return [variable for variable in variables if variable.kind is VariableKind.INTEGER]

    def _borders(self, goal: int, integer: InputVariable, changed: bytearray) -> list[int]:
        """Values with which the goal holds, next to ones with which it does not; small ones first."""

        def holds(value: int) -> bool:
            _put(integer, value, changed)
            return self._scalar.holds(goal, changed)

        old = _signed(integer.read(bytes(changed)), integer.width)
        ways = (_steps(old, sign, integer.width) for sign in (1, -1))
        reached = (next(filter(holds, way), None) for way in ways)
        found = [_border(old, value, holds) for value in reached if value is not None]
        return sorted(found, key=lambda value: (value < 0, abs(value)))  # what is negative may be large for the program


def is_left_out(query: Query) -> bool:
    """Whether this is one of the goals for which nothing is looked for."""
    return (query.salt >> 16) % ONE_IN == 0


def _steps(old: int, sign: int, width: int) -> Iterator[int]:
    """Values ever further away from the old one; at last the ends of all numbers, with and without sign."""
    half = 1 << (width - 1)
    for power in range(0, width, STRIDE):
        value = old + (sign << power)
        if -half <= value < half:
            yield value
    yield from (half - 1, -half, 0, -1)


def _border(without: int, with_it: int, holds: Callable[[int], bool]) -> int:
    """The last value of those that hold, on the way back to one that does not."""
    while abs(with_it - without) > 1:
        middle = (without + with_it) // 2
        if holds(middle):
            with_it = middle
        else:
            without = middle
    return with_it


def _signed(value: int, width: int) -> int:
    return value - (value >> (width - 1) << width)


def _put(integer: InputVariable, value: int, changed: bytearray) -> None:
    for place, byte in enumerate(integer.place):
        changed[byte] = value >> 8 * place & 255
