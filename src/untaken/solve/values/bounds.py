"""Bounds of expressions, from the values that each input byte may have: unsigned intervals, found without a solver.

Terms about one byte have exact bounds, by their vectors; those of others are put together from these. An interval that
may wrap around is given up: then a term may have any value. What operators mean is said in model/operators.py; what
follows of it for intervals is said here, and a test holds each rule against the meaning, for all intervals of small
numbers.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from untaken.model.expression import Op
from untaken.solve.graph import Graph
from untaken.solve.values.conjunctions import Domains
from untaken.solve.values.vectors import ByteVectors

Bounds = tuple[int, int]  # the lowest and the highest value

TRUE, FALSE, EITHER = (1, 1), (0, 0), (0, 1)
SIGNED = frozenset((Op.SLT, Op.SLE))
CONST = Op.CONST
AT_ONCE = 4  # terms in the time of an operation of numpy


class BoundFinder:
    """Memory over one generation of the node table."""

    def __init__(self, graph: Graph, vectors: ByteVectors) -> None:
        self._graph = graph
        self._vectors = vectors
        self._of_byte: dict[tuple[int, int], Bounds] = {}  # by term and domain

    def of(self, term: int, domains: Domains) -> Bounds:
        """Bounds of a term, if each byte has a value of its domain; no domain may be empty."""
        found: dict[int, Bounds] = {}

        def bounds(index: int) -> Bounds:
            known = found.get(index)
            if known is None:
                known = found[index] = self._at_the_bottom(index, domains)
            return known

        below = self._graph.below((term,), self)
        self._graph.effort.operate(len(below), 1)
        for index in below:
            found[index] = put_together(self._graph, index, bounds)
        return bounds(term)

    def __contains__(self, term: object) -> bool:
        """Whether nothing below a term says more of its bounds: it is about one byte, or may have any value."""
        return term in self._vectors or (isinstance(term, int) and self._graph.node(term).op not in TRANSPARENT)

    def _at_the_bottom(self, term: int, domains: Domains) -> Bounds:
        if term in self._vectors:
            return self._about_byte(term, domains)
        return 0, (1 << self._graph.node(term).width) - 1

    def _about_byte(self, term: int, domains: Domains) -> Bounds:
        vector = self._vectors.of(term)
        if len(vector) == 1:
            return int(vector[0]), int(vector[0])
        domain = domains[self._graph.inputs(term).bit_length() - 1]
        known = self._of_byte.get((term, domain))
        if known is None:
            bits = np.frombuffer(domain.to_bytes(32, "little"), np.uint8)
            values = vector[np.unpackbits(bits, bitorder="little").astype(np.bool_)]
            known = self._of_byte[term, domain] = int(values.min()), int(values.max())
        return known


class LastingBounds:
    """Bounds that terms have whatever the input is: what a mask or a remainder leaves. Found once for each term."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._found: dict[int, Bounds] = {}

    def rule_out(self, code: int) -> bool:
        """Whether an assertion holds for no input."""
        low, high = self._of(code >> 1)
        return low == high != code & 1

    def _of(self, term: int) -> Bounds:
        below = self._graph.below((term,), self._found)
        self._graph.effort.operate(len(below) // AT_ONCE, 1)
        for index in below:
            self._found[index] = self._bounds(index)
        return self._found[term]

    def _bounds(self, index: int) -> Bounds:
        node = self._graph.node(index)
        if node.op is CONST:
            return node.constant, node.constant
        if node.op not in TRANSPARENT:
            return 0, (1 << node.width) - 1
        return put_together(self._graph, index, self._found.__getitem__)


def put_together(graph: Graph, index: int, bounds: Callable[[int], Bounds]) -> Bounds:
    """Bounds of a term by those of what it is made of."""
    node = graph.node(index)
    op, a = node.op, bounds(node.a)
    if op in COMPARISONS or op in ARITHMETIC:  # as most are
        return combined(op, graph.node(node.a).width, a, bounds(node.b))
    everything = 0, (1 << node.width) - 1
    match op:
        case Op.ITE:
            return _choice(a, bounds(node.b), bounds(node.c))
        case Op.CONCAT:
            low, shift = bounds(node.b), graph.node(node.b).width
            return a[0] << shift | low[0], a[1] << shift | low[1]
        case Op.ZEXT:
            return a
        case Op.SEXT:
            number, size = _signed(a, graph.node(node.a).width), 1 << node.width
            return (number[0] % size, number[1] % size) if number[0] >= 0 or number[1] < 0 else everything
        case Op.EXTRACT:
            return (a[0] >> node.b, a[1] >> node.b) if a[1] >> node.b <= everything[1] else everything
    return everything


def combined(op: Op, width: int, a: Bounds, b: Bounds) -> Bounds:
    """What an operator makes of two numbers of a width that lie within these bounds."""
    if op in COMPARISONS:
        return COMPARISONS[op](*_compared(op, a, b, width))
    return _wrapped(ARITHMETIC[op](a, b), width)


def _choice(condition: Bounds, then: Bounds, other: Bounds) -> Bounds:
    if condition == TRUE:
        return then
    return other if condition == FALSE else (min(then[0], other[0]), max(then[1], other[1]))


def _signed(a: Bounds, width: int) -> Bounds:
    """As two's complement numbers; all of them, if the sign is open."""
    half = 1 << (width - 1)
    if a[1] < half:
        return a
    return (a[0] - 2 * half, a[1] - 2 * half) if a[0] >= half else (-half, half - 1)


def _compared(op: Op, a: Bounds, b: Bounds, width: int) -> tuple[Bounds, Bounds]:
    return (_signed(a, width), _signed(b, width)) if op in SIGNED else (a, b)


def _wrapped(found: Bounds | None, width: int) -> Bounds:
    """Modulo 2^width, if all of it lies between the same multiples."""
    size = 1 << width
    if found is None or found[0] // size != found[1] // size:
        return 0, size - 1
    return found[0] % size, found[1] % size


def _equal(a: Bounds, b: Bounds) -> Bounds:
    if a[1] < b[0] or b[1] < a[0]:
        return FALSE
    return TRUE if a[0] == a[1] == b[0] == b[1] else EITHER


def _less(a: Bounds, b: Bounds) -> Bounds:
    return TRUE if a[1] < b[0] else FALSE if a[0] >= b[1] else EITHER


def _not_more(a: Bounds, b: Bounds) -> Bounds:
    return TRUE if a[1] <= b[0] else FALSE if a[0] > b[1] else EITHER


def _quotient(a: Bounds, b: Bounds) -> Bounds | None:
    return (a[0] // b[1], a[1] // b[0]) if b[0] else None


def _remainder(a: Bounds, b: Bounds) -> Bounds | None:
    return None if not b[0] else a if a[1] < b[0] else (0, b[1] - 1)


def _shifted_up(a: Bounds, b: Bounds) -> Bounds | None:
    return (a[0] << b[0], a[1] << b[1]) if b[1] < 64 else None


def _shifted_down(a: Bounds, b: Bounds) -> Bounds | None:
    return (a[0] >> b[1], a[1] >> b[0]) if b[1] < 64 else None


def _any_of(a: Bounds, b: Bounds) -> Bounds:
    return max(a[0], b[0]), (1 << (a[1] | b[1]).bit_length()) - 1


def _differing(a: Bounds, b: Bounds) -> Bounds:
    exact = a[0] == a[1] and b[0] == b[1]
    return (a[0] ^ b[0],) * 2 if exact else (0, (1 << (a[1] | b[1]).bit_length()) - 1)


COMPARISONS: dict[Op, Callable[[Bounds, Bounds], Bounds]] = {
    Op.EQ: _equal,
    Op.ULT: _less,
    Op.ULE: _not_more,
    Op.SLT: _less,
    Op.SLE: _not_more,
}
ARITHMETIC: dict[Op, Callable[[Bounds, Bounds], Bounds | None]] = {
    Op.ADD: lambda a, b: (a[0] + b[0], a[1] + b[1]),
    Op.SUB: lambda a, b: (a[0] - b[1], a[1] - b[0]),
    Op.MUL: lambda a, b: (a[0] * b[0], a[1] * b[1]),
    Op.UDIV: _quotient,
    Op.UREM: _remainder,
    Op.SHL: _shifted_up,
    Op.LSHR: _shifted_down,
    Op.AND: lambda a, b: (0, min(a[1], b[1])),
    Op.OR: _any_of,
    Op.XOR: _differing,
}
TRANSPARENT = frozenset({Op.ITE, Op.CONCAT, Op.ZEXT, Op.SEXT, Op.EXTRACT, *COMPARISONS, *ARITHMETIC})
