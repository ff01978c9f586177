"""Numbers that stand in the input as digits: where they are, and which ones the other side of a comparison asks for.

A solver gives digits other values, but there are never more of them: behind "7" comes what the program read behind it.
So where a condition asks for 1969, and no path has read four digits there, it has no answer on any path that was run.
But what is wanted is known, and where it stands: other digits are put in, as many as it takes, and the rest moves on.

That some bytes are a number is not taken from how it was computed, which each program does in its own way: it is so if
they are digits, all that a value depends on, and mean that value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from untaken.model.expression import Op
from untaken.model.word import Word
from untaken.solve.graph import Graph
from untaken.solve.values.scalar import ScalarEvaluator

MOST_DIGITS = 20
MOST_STEPS = 16  # of arithmetic between a number and what it is compared with
_HEXADECIMAL = frozenset(b"0123456789abcdefABCDEF")
_COMPARISONS = {Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE}
_SIGNED = {Op.SLT, Op.SLE}


class NumberFinder:
    """Over one generation of the node table."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._scalar = ScalarEvaluator(graph)

    def wanted(self, goal: int, input: bytes) -> list[Word]:
        """What could stand in place of numbers that the goal compares, so that it holds; nothing if it has none."""
        comparison = self._graph.node(goal >> 1)
        if comparison.op not in _COMPARISONS:
            return []
        found: list[Word] = []
        for side, other, is_left in ((comparison.a, comparison.b, True), (comparison.b, comparison.a, False)):
            place = self._place_of(side)
            if place is not None and _HEXADECIMAL.issuperset(input[place]):
                value = self._signed(other, input, comparison.op in _SIGNED)
                found += self._written(side, _target(comparison.op, goal & 1 == 1, is_left, value), input)
        return found

    def _written(self, term: int, target: int, input: bytes) -> list[Word]:
        """Goes down to the number that the term was computed of, as long as it is known what that would have to be."""
        for _ in range(MOST_STEPS):
            if found := self._digits(term, target, input):
                return found
            step = self._step_down(term, target, input)
            if step is None:
                return []
            term, target = step
        return []

    def _digits(self, term: int, target: int, input: bytes) -> list[Word]:
        place = self._place_of(term)
        if place is None or place.stop > len(input) or not _HEXADECIMAL.issuperset(input[place]):
            return []
        width = self._graph.node(term).width
        value = self._scalar.value(term, input.ljust(place.stop, b"\0"))
        values = {value, value - (value >> (width - 1) << width)}
        targets = (target,) if target >= 0 else (target, target % (1 << width))  # what is unsigned has no sign
        return [word for each in targets for word in _readings(input, place, values, each)]

    def _place_of(self, term: int) -> slice | None:
        """The bytes that a term depends on, if they are neighbours, and no more than a number has."""
        bits = self._graph.inputs(term)
        first = (bits & -bits).bit_length() - 1
        size = bits.bit_count()
        return slice(first, first + size) if 0 < size <= MOST_DIGITS and bits >> first == (1 << size) - 1 else None

    def _step_down(self, term: int, target: int, input: bytes) -> tuple[int, int] | None:
        """An operand, and what it would have to be so that the term is the target."""
        node = self._graph.node(term)
        if node.op in (Op.SEXT, Op.ZEXT, Op.EXTRACT):
            return (node.a, target) if node.op is not Op.EXTRACT or node.b == 0 else None
        for operand, other, is_left in ((node.a, node.b, True), (node.b, node.a, False)):
            if node.op in _UNDONE and operand and other and not self._graph.inputs(other):
                constant = self._signed(other, input, is_signed=True)
                wanted = _UNDONE[node.op](target, constant, is_left)
                return None if wanted is None else (operand, wanted)
        return None

    def _signed(self, term: int, input: bytes, is_signed: bool) -> int:
        node = self._graph.node(term)
        reach = self._graph.inputs(term).bit_length()
        value = node.constant if node.op is Op.CONST else self._scalar.value(term, input.ljust(reach, b"\0"))
        is_negative = is_signed or node.width < 64  # who compares a small number as unsigned did not mean a huge one
        return value - (value >> (node.width - 1) << node.width) if is_negative else value


def _readings(input: bytes, place: slice, values: set[int], target: int) -> Iterator[Word]:
    """In which ways the digits there mean one of the values, and what the target would be, written so."""
    digits = input[place]
    if digits.isdigit():
        sign = input[place.start - 1 : place.start] if place.start else b""
        number, signed = int(digits), sign in (b"-", b"+")
        start = place.start - signed
        if (-number if sign == b"-" else number) in values or (number in values and not signed):
            yield Word(start, place.stop - start, 0, b"%d" % target)
        elif number in values:  # the sign is no part of what is compared
            yield Word(place.start, len(digits), 0, b"%d" % target)
    if int(digits, 16) in values and (target > 9 or (target >= 0 and not digits.isdigit())):
        yield Word(place.start, len(digits), 0, (b"%X" if digits.isupper() else b"%x") % target)


def _target(op: Op, is_true: bool, is_left: bool, other: int) -> int:
    """The value nearest to the other one with which the comparison comes out so."""
    if op is Op.EQ:
        return other if is_true else other + 1
    may_be_equal = (op in (Op.ULE, Op.SLE)) is is_true
    is_below = is_left is is_true
    return other if may_be_equal else other - 1 if is_below else other + 1


def _minuend(target: int, constant: int, is_left: bool) -> int:
    return target + constant if is_left else constant - target


def _factor(target: int, constant: int, is_left: bool) -> int | None:
    return target // constant if constant and target % constant == 0 else None


def _summand(target: int, constant: int, is_left: bool) -> int:
    return target - constant


def _flipped(target: int, constant: int, is_left: bool) -> int:
    return target ^ constant


# What an operand has to be, whose other operand is a constant; `is_left`: it is the first.
_UNDONE: dict[Op, Callable[[int, int, bool], int | None]] = {
    Op.ADD: _summand,
    Op.SUB: _minuend,
    Op.MUL: _factor,
    Op.XOR: _flipped,
}
