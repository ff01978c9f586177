"""Comparisons with quotients that ask whether a product would be too large: `a > LIMIT / b`, `a * b / a != b`.

Programs ask so since a product may overflow; solvers need seconds for a division of 64 bits, but have a predicate for
the overflow itself. What is said here is exact, division by zero included, which has SMT-LIB's results.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from untaken.model.expression import Node, Op
from untaken.solve.backends.factory import TermFactory
from untaken.solve.graph import Graph

T = TypeVar("T")

_QUOTIENT = {Op.ULT: Op.UDIV, Op.ULE: Op.UDIV, Op.SLT: Op.SDIV, Op.SLE: Op.SDIV}


@dataclass(frozen=True, slots=True)
class QuotientBound:
    """A factor compared with limit / divisor: above it, or below it. `holds` tells the comparison from its negation."""

    factor: int
    divisor: int
    limit: int  # as a number
    above: bool
    signed: bool
    holds: bool


@dataclass(frozen=True, slots=True)
class OverflowCheck:
    """product / a == b, where the product is a * b."""

    a: int
    b: int
    signed: bool


def product_of(graph: Graph, node: Node) -> QuotientBound | OverflowCheck | None:
    """What a comparison says of a product, if it does."""
    if node.op is Op.EQ:
        return _check(graph, node.a, node.b) or _check(graph, node.b, node.a)
    if node.op not in _QUOTIENT:
        return None
    strict = node.op in (Op.ULT, Op.SLT)
    # quotient < factor, and the negation of factor <= quotient; factor < quotient, and that of quotient <= factor.
    return _bound(graph, node, node.a, node.b, above=strict) or _bound(graph, node, node.b, node.a, above=not strict)


def _bound(graph: Graph, node: Node, quotient: int, factor: int, *, above: bool) -> QuotientBound | None:
    found = graph.node(quotient)
    if found.op is not _QUOTIENT[node.op] or graph.node(found.b).op is Op.CONST:
        return None
    dividend, signed = graph.node(found.a), found.op is Op.SDIV
    if dividend.op is not Op.CONST:
        return None
    limit = dividend.constant
    if signed and limit >> (dividend.width - 1):
        limit -= 1 << dividend.width
    if limit < 0 if above else not signed:
        return None
    return QuotientBound(factor, found.b, limit, above, signed, holds=node.op in (Op.ULT, Op.SLT))


def _check(graph: Graph, quotient: int, factor: int) -> OverflowCheck | None:
    found = graph.node(quotient)
    if found.op not in (Op.UDIV, Op.SDIV):
        return None
    product = graph.node(found.a)
    if product.op is not Op.MUL or {product.a, product.b} != {found.b, factor}:
        return None
    return OverflowCheck(found.b, factor, found.op is Op.SDIV)


class ProductTerms(Generic[T]):
    """Such comparisons as terms of a solver."""

    def __init__(self, graph: Graph, factory: TermFactory[T], vector: Callable[[int], T]) -> None:
        self._graph = graph
        self._make = factory
        self._vector = vector

    def condition(self, product: QuotientBound | OverflowCheck, plain: T) -> T:
        """What the comparison says; `plain` says it by the quotient."""
        if isinstance(product, OverflowCheck):
            return self._check(product)
        if product.holds:
            return self._bound(product, plain)
        return self._make.negation(self._bound(product, self._make.negation(plain)))

    def _bound(self, bound: QuotientBound, plain: T) -> T:
        """Of signed numbers, for the sign of the divisor that programs ask about; else as it is said."""
        make, width = self._make, self._graph.node(bound.factor).width
        factor, divisor, zero = self._vector(bound.factor), self._vector(bound.divisor), make.constant(width, 0)
        if not bound.signed:
            return self._exceeds(factor, divisor, width, bound.limit)
        sign = make.compare(Op.SLT, zero, factor) if bound.above else make.compare(Op.SLT, factor, zero)
        positive = bound.above or bound.limit < 0
        usual = make.compare(Op.SLT, zero, divisor) if positive else make.compare(Op.SLT, divisor, zero)
        a = factor if bound.above else make.binary(Op.SUB, zero, factor)
        b = divisor if positive else make.binary(Op.SUB, zero, divisor)
        large = make.logical(Op.AND, sign, self._exceeds(a, b, width, abs(bound.limit)))
        return make.ite(usual, large, plain)

    def _exceeds(self, a: T, b: T, width: int, limit: int) -> T:
        """Whether a product is above a limit, all of them without sign."""
        make = self._make
        above = make.compare(Op.ULT, make.constant(width, limit), make.binary(Op.MUL, a, b))
        return make.logical(Op.OR, make.overflows(a, b, signed=False), above)

    def _check(self, check: OverflowCheck) -> T:
        make, width = self._make, self._graph.node(check.a).width
        a, b, ones = self._vector(check.a), self._vector(check.b), make.constant(width, (1 << width) - 1)
        right = make.negation(make.overflows(a, b, signed=check.signed))
        if check.signed:  # the one product that overflows, and back
            lowest = make.compare(Op.EQ, b, make.constant(width, 1 << (width - 1)))
            right = make.logical(Op.OR, right, make.logical(Op.AND, make.compare(Op.EQ, a, ones), lowest))
        return make.ite(make.compare(Op.EQ, a, make.constant(width, 0)), make.compare(Op.EQ, b, ones), right)
