"""Sums of integers of the input: totals over an array.

A solver adds up hundreds of integers bit by bit. But by how much each of them may grow or shrink is mostly said of it
alone, so what a sum lacks is given to one after the other, as much as each may take.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from untaken.model.expression import Op
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.sums import WantedSum, factors_of
from untaken.solve.values.variables import WORD, word_of

FEWEST_INTEGERS = 8  # of fewer a solver knows the sum soon


@dataclass(frozen=True, slots=True)
class Summand:
    """An integer of the input, by its bytes, the lowest first; how often the sum has it; what is said of it alone."""

    place: tuple[int, ...]
    factor: int
    alone: tuple[int, ...]

    def value(self, data: bytes | bytearray) -> int:
        """Its value in an input, with its sign."""
        return int.from_bytes(bytes(data[byte] for byte in self.place), "little", signed=True)

    def put(self, value: int, data: bytearray) -> None:
        for byte, part in zip(self.place, value.to_bytes(len(self.place), "little", signed=True), strict=True):
            data[byte] = part

    def nearest(self, value: int) -> int:
        """The nearest value that an integer of its size has."""
        half = 1 << (8 * len(self.place) - 1)
        return min(max(value, -half), half - 1)


class IntegerSums:
    """Shares out what sums lack, over one generation of the node table."""

    def __init__(self, graph: Graph, scalar: ScalarEvaluator) -> None:
        self._graph = graph
        self._scalar = scalar

    def shared_out(self, query: Query, wanted: WantedSum, old: bytes) -> Iterator[bytes | None]:
        """The old input with some integers changed so that the sum has one wanted value after the other; None where
        that is not found."""
        summands = self._summands(query, wanted.term)
        if len(summands) < FEWEST_INTEGERS:
            return
        summands.sort(key=lambda summand: (-abs(signed(summand.factor, wanted.width)), summand.place))
        now = self._scalar.value(wanted.term, old)
        for value in wanted.values:
            yield self._with_more(signed(value - now, wanted.width), wanted.width, summands, old)

    def _with_more(self, lacking: int, width: int, summands: list[Summand], old: bytes) -> bytes | None:
        data = bytearray(old)
        for summand in summands:
            if lacking == 0:
                break
            if factor := signed(summand.factor, width):
                lacking -= factor * self._moved(summand, _quotient(lacking, factor), data)
        return bytes(data) if lacking == 0 else None

    def _summands(self, query: Query, term: int) -> list[Summand]:
        """All that the sum is made of; none if that is something else, or bytes alone (sums.py)."""
        factors = factors_of(self._graph, term, self._is_part)
        if factors is None:
            return []
        places = {self._place(node): factor for node, factor in factors.items() if self._graph.inputs(node)}
        if all(len(place) == 1 for place in places):
            return []
        alone = self._said_alone(query, list(places))
        return [Summand(place, factor, tuple(alone[place])) for place, factor in places.items()]

    def _is_part(self, index: int) -> bool:
        return self._graph.node(index).op is Op.CONST or 0 < len(self._place(index)) <= WORD

    def _place(self, index: int) -> tuple[int, ...]:
        node = self._graph.node(index)
        return (node.a,) if node.op is Op.INPUT else word_of(self._graph, node)

    def _said_alone(self, query: Query, places: list[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
        """The assertions about one integer and nothing else."""
        said: dict[tuple[int, ...], list[int]] = {place: [] for place in places}
        whose = {byte: place for place in places for byte in place}
        for code in query.assertions[:-1]:
            bits = self._graph.bits(code)
            place = whose.get((bits & -bits).bit_length() - 1)
            if place is not None and bits & ~sum(1 << byte for byte in place) == 0:
                said[place].append(code)
        return said

    def _moved(self, summand: Summand, distance: int, data: bytearray) -> int:
        """By how much the integer was moved, at most so far: as far as what is said of it alone allows."""
        old = summand.value(data)
        new = summand.nearest(old + distance)
        summand.put(new, data)
        if not self._scalar.all_hold(summand.alone, data):
            new = self._last_that_holds(summand, old, new, data)
            summand.put(new, data)
        return new - old

    def _last_that_holds(self, summand: Summand, held: int, failed: int, data: bytearray) -> int:
        """On the way to a value that fails, as far as halving tells."""
        while abs(failed - held) > 1:
            middle = (held + failed) // 2
            summand.put(middle, data)
            if self._scalar.all_hold(summand.alone, data):
                held = middle
            else:
                failed = middle
        return held


def signed(number: int, width: int) -> int:
    """Of the numbers that are the same modulo 2 to the width, the nearest to zero."""
    half = 1 << (width - 1)
    return (number + half) % (1 << width) - half


def _quotient(number: int, divisor: int) -> int:
    """The result of a division, rounded towards zero."""
    quotient = abs(number) // abs(divisor)
    return quotient if (number < 0) == (divisor < 0) else -quotient
