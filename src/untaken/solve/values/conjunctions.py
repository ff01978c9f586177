"""Splits an assertion into parts that all have to hold, as far as possible into parts about single bytes.

That a string equals another is one node, but a condition on each of its bytes by itself; so is that a number
assembled from bytes has a certain value. A part about one byte is a set of values (truth.py), cheap to work with
(solve/layers/bytewise.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from untaken.model.expression import Node, Op
from untaken.model.operators import COMPARISONS
from untaken.solve.graph import Graph
from untaken.solve.values.batch import apply
from untaken.solve.values.truth import EVERY_VALUE, TruthTables

# Members by themselves: to look one up in its class takes ten times as long as to compare it.
CONST, ITE, ZEXT, CONCAT, EQ = Op.CONST, Op.ITE, Op.ZEXT, Op.CONCAT, Op.EQ
ADD, SUB, XOR, AND, OR = Op.ADD, Op.SUB, Op.XOR, Op.AND, Op.OR
UNDONE = frozenset((ADD, SUB, XOR))

MOST_CHOICES = 64  # of a comparison, that are looked at
A_CHOICE = 4  # operations of numpy

Domains = dict[int, int]  # by input byte: the set of values that it may have
Equation = tuple[int, int]  # a term and the value that it must have


@dataclass(frozen=True, slots=True)
class Parts:
    """What an assertion says of single bytes, and the assertions that link several."""

    domains: Domains = field(default_factory=dict)
    linked: list[int] = field(default_factory=list)

    def narrow(self, byte: int, allowed: int) -> None:
        self.domains[byte] = self.domains.get(byte, EVERY_VALUE) & allowed


class ComparedChoice(NamedTuple):
    """Of something that is chosen with a constant, and how it is to come out."""

    node: Node
    chosen: int
    constant: int
    side: int


class Conjunctions:
    """Memory over one generation of the node table."""

    def __init__(self, graph: Graph, tables: TruthTables) -> None:
        self._graph = graph
        self._tables = tables
        self._known: dict[int, Parts] = {}

    def of(self, code: int) -> Parts:
        """The parts; not to be changed."""
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = self._split(code)
        return known

    def _split(self, code: int) -> Parts:
        parts = Parts()
        rest = [code]
        while rest:
            first = rest.pop()
            bits = self._graph.bits(first)
            if bits and not bits & (bits - 1):
                byte = bits.bit_length() - 1
                parts.narrow(byte, self._tables.of(first, byte))
                continue
            pieces = self._pieces(first, parts)
            if pieces is None:
                parts.linked.append(first)
            else:
                rest.extend(pieces)
        return parts

    def _pieces(self, code: int, parts: Parts) -> list[int] | None:
        node, side = self._graph.node(code >> 1), code & 1
        if node.op is EQ and side and (pieces := self._equal(node, parts)) is not None:
            return pieces
        if node.width > 1:
            return None
        if node.op in COMPARISONS:
            return self._of_choices(code, parts)
        if node.op is XOR and self._constant(node.b) == 1:
            return [2 * node.a + 1 - side]
        if node.op is (AND if side else OR):
            return [2 * node.a + side, 2 * node.b + side]
        return None

    def _of_choices(self, code: int, parts: Parts) -> list[int] | None:
        """What is chosen by one byte after the other, as the end of a string is: a comparison may exclude the first
        choices, and that is a condition on each byte. What it says of the others remains."""
        comparison = self._comparison(code)
        if comparison is None:
            return None
        conditions, term = list[int](), comparison.chosen
        for _ in range(MOST_CHOICES):
            choice = self._graph.node(term)
            if choice.op is not ITE:
                break
            if self._excludes(comparison, choice.b, choice.a, when=True):
                conditions.append(2 * choice.a)
                term = choice.c
            elif self._excludes(comparison, choice.c, choice.a, when=False):
                conditions.append(2 * choice.a + 1)
                term = choice.b
            else:
                break
        self._graph.effort.operate(A_CHOICE * len(conditions), 1)
        if conditions:
            parts.linked.append(code)
        return conditions or None

    def _comparison(self, code: int) -> ComparedChoice | None:
        """What an assertion compares, if one side is a constant."""
        node = self._graph.node(code >> 1)
        for chosen, constant in ((node.a, node.b), (node.b, node.a)):
            if self._constant(constant) is not None:
                return ComparedChoice(node, chosen, constant, code & 1)
        return None

    def _excludes(self, comparison: ComparedChoice, term: int, condition: int, *, when: bool) -> bool:
        """Whether the comparison never comes out so if this is what is chosen, the condition being so."""
        bits = self._graph.inputs(term)
        if bits & (bits - 1) or (bits and self._graph.inputs(condition) != bits):
            return False
        vectors = self._tables.vectors
        values = {comparison.chosen: vectors.of(term), comparison.constant: vectors.of(comparison.constant)}
        holds = apply(self._graph, comparison.node, values) == comparison.side
        return not (holds & (vectors.of(condition) == when)).any() if bits else not holds.any()

    def _equal(self, node: Node, parts: Parts) -> list[int] | None:
        """What has to hold for a term to have the constant value that it is compared with."""
        value = self._constant(node.b)
        if value is None:
            return None
        conditions: list[int] = []
        domains: list[tuple[int, int]] = []
        rest = [(node.a, value)]
        while rest:
            term, value = rest.pop()
            bits = self._graph.inputs(term)
            if bits & (bits - 1):
                needed = self._needed(term, value, conditions)
                if needed is None:
                    return None
                rest.extend(needed)
            elif bits:
                byte = bits.bit_length() - 1
                domains.append((byte, self._tables.vectors.table(term, value)))
            elif self._constant(term) != value:
                domains.append((self._some_byte(node), 0))
        for byte, allowed in domains:
            parts.narrow(byte, allowed)
        return conditions

    def _needed(self, term: int, value: int, conditions: list[int]) -> list[Equation] | None:
        """The values of the operands that give the term its value, if there are no others."""
        node = self._graph.node(term)
        op = node.op
        if op is ITE:
            return self._chosen(node, value, conditions)
        if op is ZEXT:
            return None if value >> self._graph.node(node.a).width else [(node.a, value)]
        if op is CONCAT:
            low = self._graph.node(node.b).width
            return [(node.a, value >> low), (node.b, value & (1 << low) - 1)]
        return self._undone(node, value) if op in UNDONE else None

    def _undone(self, node: Node, value: int) -> list[Equation] | None:
        """An operation that has one constant operand, which the runtime writes last if the order does not matter."""
        first, last = self._constant(node.a), self._constant(node.b)
        mask = (1 << node.width) - 1
        if node.op is SUB:
            return None if first is None else [(node.b, first - value & mask)]
        if last is None:
            return None
        return [(node.a, value - last & mask if node.op is ADD else value ^ last)]

    def _chosen(self, node: Node, value: int, conditions: list[int]) -> list[Equation] | None:
        """Where only one side of the choice can have the value, the condition is forced."""
        if self._never(node.c, value, node.a, when=False):
            conditions.append(2 * node.a + 1)
            return [(node.b, value)]
        if self._never(node.b, value, node.a, when=True):
            conditions.append(2 * node.a)
            return [(node.c, value)]
        return None

    def _never(self, term: int, value: int, condition: int, *, when: bool) -> bool:
        """Whether a term surely differs from the value where the condition is so."""
        constant = self._constant(term)
        if constant is not None:
            return constant != value
        bits = self._graph.inputs(term)
        if bits & (bits - 1) or self._graph.inputs(condition) != bits:
            return False
        vectors = self._tables.vectors
        return not vectors.table(term, value) & vectors.table(condition, when)

    def _some_byte(self, node: Node) -> int:
        return self._graph.inputs(node.a).bit_length() - 1

    def _constant(self, index: int) -> int | None:
        node = self._graph.node(index)
        return node.constant if node.op is CONST else None
