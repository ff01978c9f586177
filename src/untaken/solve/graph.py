"""The node table as solvers use it: each node is read once, and what it depends on is computed once.

All walks are iterative, since expressions get as deep as loops run long. They rely on operands and table entries
having smaller indices than the node that uses them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

import numpy as np
from numpy.typing import NDArray

from untaken.model.effort import Effort
from untaken.model.expression import FUNCTION_CALLS, Expressions, Node, Op, ReadTable, operands
from untaken.solve.query import kept
from untaken.solve.values.input_sets import WORD, InputSets

# Members by themselves: to look one up in its class takes ten times as long as to compare it.
READ = Op.READ
QUADRATIC = {Op.MUL: 1, Op.UDIV: 3, Op.SDIV: 4, Op.UREM: 3, Op.SREM: 4}
QUADRATIC |= {Op.FADD: 1, Op.FSUB: 1, Op.FMUL: 2, Op.FDIV: 4, Op.FSQRT: 4, Op.FROUND: 1, Op.FCONVERT: 1}
QUADRATIC |= {Op.FROM_SIGNED: 1, Op.FROM_UNSIGNED: 1, Op.TO_SIGNED: 1}
SHIFTS = frozenset({Op.SHL, Op.LSHR, Op.ASHR})
# Sets of operators, as sets of bits.
MULTIPLYING, CALLING = (sum(1 << op for op in ops) for ops in (QUADRATIC, FUNCTION_CALLS))
FLOATS = frozenset(op for op in Op if op >= Op.FADD)
FLOATING = sum(1 << op for op in FLOATS)
JOINING = 1 << Op.CONCAT
FOLDED = 8  # most choices in a table fold, since neighbours are equal
TABLE_SIZE = 256  # of a truth table over one byte; mostly far less
SATURATED = 1 << 60
WALKED = 8  # nodes, in the time of an operation of numpy
LONG = 1024  # bits: to take one after the other out of a longer number takes a time that grows with its square


class Graph:
    """Memory over one generation of the node table, shared by all layers."""

    def __init__(self, expressions: Expressions, effort: Effort | None = None) -> None:
        self._expressions = expressions
        self.effort = Effort() if effort is None else effort  # counts what it takes to evaluate nodes
        self._nodes: dict[int, Node] = {}
        self._children: dict[int, tuple[int, ...]] = {}
        self._tables: dict[int, ReadTable] = {}
        self._columns: dict[int, NDArray[np.uint64]] = {}
        self._labelled: dict[int, list[tuple[int, int]]] = {}
        self.input_sets = InputSets(self.node, self.children)
        self._bounds: dict[int, int] = {}
        self._operators: dict[int, int] = {}

    def node(self, index: int) -> Node:
        """The record of a node, read from the table once."""
        found = self._nodes.get(index)
        if found is None:
            found = self._nodes[index] = self._expressions.node(index)
        return found

    def table(self, offset: int) -> ReadTable:
        """What a READ selects from."""
        found = self._tables.get(offset)
        if found is None:
            found = self._tables[offset] = self._expressions.table(offset)
        return found

    def column(self, offset: int) -> NDArray[np.uint64]:
        """The constants of a table, and last the zero that is read past its end."""
        found = self._columns.get(offset)
        if found is None:
            found = self._columns[offset] = np.array((*self.table(offset).values, 0), np.uint64)
        return found

    def labelled(self, offset: int) -> list[tuple[int, int]]:
        """Places of a table, and the nodes there."""
        found = self._labelled.get(offset)
        if found is None:
            entries = self.table(offset).entries
            found = self._labelled[offset] = [(place, label) for place, label in enumerate(entries) if label]
        return found

    def children(self, index: int) -> tuple[int, ...]:
        """All nodes that a node is built from, table entries included."""
        found = self._children.get(index)
        if found is None:
            node = self.node(index)
            found = operands(node)
            if node.op is READ:
                found += tuple(label for _, label in self.labelled(node.b))
            self._children[index] = found
        return found

    def below(self, roots: Iterable[int], known: Container[int] = ()) -> list[int]:
        """What the roots are built from, themselves included, operands first; stops at what is `known`."""
        stack = [root for root in roots if root not in known]
        seen, found = set(stack), self._children
        while stack:
            index = stack.pop()
            children = found.get(index)
            for child in self.children(index) if children is None else children:
                if child not in seen and child not in known:
                    seen.add(child)
                    stack.append(child)
        self.effort.operate(len(seen) // WALKED, 1)
        return sorted(seen)

    def inputs(self, index: int) -> int:
        """The input bytes that a node depends on, as a set of bits."""
        return self.input_sets.of(index)

    def bits(self, code: int) -> int:
        """The input bytes that an assertion depends on, as a set of bits."""
        return self.input_sets.of(code >> 1) if code >= 0 else 1 << kept(code)[0]

    def multiplies(self, code: int) -> bool:
        """Whether an assertion has a product, a quotient or a remainder inside: hashes have."""
        return bool(self._operators_below(code) & MULTIPLYING)

    def has_floats(self, code: int) -> bool:
        """Whether an assertion has floats or doubles inside."""
        return bool(self._operators_below(code) & FLOATING)

    def has_functions(self, code: int) -> bool:
        """Whether an assertion has functions without an expression inside."""
        return bool(self._operators_below(code) & CALLING)

    def has_words(self, code: int) -> bool:
        """Whether an assertion has something inside that is put together of smaller parts."""
        return bool(self._operators_below(code) & JOINING)

    def _operators_below(self, code: int) -> int:
        """All operators that an assertion is made of, as a set of bits."""
        if code < 0:
            return 0
        known, root = self._operators, code >> 1
        found = known.get(root)
        if found is None:
            for each in self.below((root,), known):
                operators = 1 << self.node(each).op
                for child in self.children(each):
                    operators |= known[child]
                known[each] = operators
            found = known[root]
        return found

    def inputs_of(self, codes: Iterable[int]) -> list[int]:
        """The input bytes that some assertions depend on, in order."""
        found: set[int] = set()
        windows = {self.input_sets.window(code >> 1) if code >= 0 else _window_of(kept(code)[0]) for code in codes}
        for first, window in windows:
            found.update(first * WORD + place for place in indices(window))
        return sorted(found)

    def one_byte(self, code: int) -> bool:
        """Whether an assertion is about exactly one input byte."""
        bits = self.bits(code)
        return bits != 0 and not bits & (bits - 1)

    def by_table(self, code: int) -> bool:
        """Whether an assertion is best given to a solver as its truth table, since that is smaller."""
        return code >= 0 and self.one_byte(code) and self._bound(code >> 1) > TABLE_SIZE

    def size(self, codes: Iterable[int]) -> int:
        """About how many gates the assertions bit-blast to."""
        return sum(map(self.weight, self.below(nodes_of(code for code in codes if not self.by_table(code)))))

    def size_apart(self, codes: Iterable[int]) -> int:
        """The same if they had nothing in common. Much more than the size: a chain, with assertions about each link."""
        return sum(map(self.size_alone, codes))

    def size_alone(self, code: int) -> int:
        """At least the size of one assertion: shared parts count every time."""
        if code < 0:
            return 8
        bound = self._bound(code >> 1)
        return TABLE_SIZE if bound > TABLE_SIZE and self.one_byte(code) else bound

    def weight(self, index: int) -> int:
        """The part of the size that is this node's own."""
        node = self.node(index)
        width = node.width
        if node.op in QUADRATIC:
            return QUADRATIC[node.op] * width * width
        if node.op in SHIFTS:
            return width * width.bit_length()
        if node.op is READ:
            return width * len(self.table(node.b).values) // FOLDED
        return width

    def _bound(self, index: int) -> int:
        known = self._bounds
        found = known.get(index)
        if found is None:
            for each in self.below((index,), known):
                known[each] = min(SATURATED, self.weight(each) + sum(known[child] for child in self.children(each)))
            found = known[index]
        return found


def nodes_of(codes: Iterable[int]) -> list[int]:
    """The nodes that assertions are about."""
    return [code >> 1 for code in codes if code >= 0]


def indices(bits: int) -> list[int]:
    """The members of a set of bits, smallest first."""
    if bits >> LONG:
        octets = np.frombuffer(bits.to_bytes(bits.bit_length() // 8 + 1, "little"), np.uint8)
        places: list[int] = np.unpackbits(octets, bitorder="little").nonzero()[0].tolist()
        return places
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def _window_of(byte: int) -> tuple[int, int]:
    """The set of one byte, as InputSets have it."""
    return byte // WORD, 1 << byte % WORD


def set_of(members: Iterable[int]) -> int:
    """The members as a set of bits."""
    bits = 0
    for member in members:
        bits |= 1 << member
    return bits
