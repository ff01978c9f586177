"""A node table built in Python, random conditions over it, and a solver that tries every input."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import NODE_DTYPE, Node, Op, ReadTable
from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.values.batch import evaluate

ARITHMETIC = (Op.ADD, Op.SUB, Op.MUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM)
BITWISE = (Op.SHL, Op.LSHR, Op.ASHR, Op.AND, Op.OR, Op.XOR)
COMPARISONS = (Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE)
COUNTS = (Op.CTPOP, Op.CTLZ, Op.CTTZ)


@dataclass
class FakeExpressions:
    """Hash-consed like the real table: the same expression has the same index."""

    generation: int = 1
    nodes: list[Node | None] = field(default_factory=lambda: [None])
    tables: list[ReadTable] = field(default_factory=list)
    _known: dict[Node, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.nodes)

    def node(self, node: int) -> Node:
        found = self.nodes[node]
        assert found is not None
        return found

    def table(self, offset: int) -> ReadTable:
        return self.tables[offset]

    def columns(self) -> NDArray[np.void]:
        rows = [(node.op, node.width, 0, node.a, node.b, node.c, 0) for node in self.nodes if node is not None]
        return np.array([(0,) * 7, *rows], NODE_DTYPE)

    def clear(self) -> None:
        self.generation += 1
        self.nodes = [None]
        self.tables = []
        self._known = {}

    def add(self, op: Op, width: int, a: int = 0, b: int = 0, c: int = 0) -> int:
        node = Node(op, width, a, b, c)
        if node not in self._known:
            self._known[node] = len(self.nodes)
            self.nodes.append(node)
        return self._known[node]

    def input(self, index: int) -> int:
        return self.add(Op.INPUT, 8, index)

    def constant(self, width: int, value: int) -> int:
        value &= (1 << width) - 1
        return self.add(Op.CONST, width, 0, value & 0xFFFFFFFF, value >> 32)

    def binary(self, op: Op, a: int, b: int) -> int:
        return self.add(op, 1 if op in COMPARISONS else self.node(a).width, a, b)

    def unary(self, op: Op, a: int) -> int:
        return self.add(op, self.node(a).width, a)

    def extend(self, op: Op, a: int, width: int) -> int:
        return self.add(op, width, a)

    def extract(self, a: int, low: int, width: int) -> int:
        return self.add(Op.EXTRACT, width, a, low)

    def concat(self, high: int, low: int) -> int:
        return self.add(Op.CONCAT, self.node(high).width + self.node(low).width, high, low)

    def ite(self, condition: int, then: int, other: int) -> int:
        return self.add(Op.ITE, self.node(then).width, condition, then, other)

    def read(self, index: int, width: int, entries: Sequence[int], labels: Sequence[int] | None = None) -> int:
        self.tables.append(ReadTable(width, tuple(entries), tuple(labels or [0] * len(entries))))
        return self.add(Op.READ, width, index, len(self.tables) - 1)

    def equals(self, a: int, value: int) -> int:
        return self.binary(Op.EQ, a, self.constant(self.node(a).width, value))

    def negated(self, a: int) -> int:
        return self.binary(Op.XOR, a, self.constant(1, 1))

    def word(self, first: int, size: int) -> int:
        """`size` input bytes as one little-endian number."""
        result = self.input(first)
        for index in range(first + 1, first + size):
            result = self.concat(self.input(index), result)
        return result


class BruteForceSolver:
    """The oracle: every value of every input byte of the query, at most two of them."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def solve(self, query: Query) -> Answer:
        indices = self._graph.inputs_of(query.assertions)
        assert len(indices) <= 2, "too many inputs to try them all"
        columns = np.array(list(itertools.product(range(256), repeat=len(indices))), np.uint64)
        inputs = {index: np.ascontiguousarray(columns[:, place]) for place, index in enumerate(indices)}
        values = evaluate(self._graph, [code >> 1 for code in query.assertions], inputs, len(columns))
        holds = np.logical_and.reduce([values[code >> 1] == code & 1 for code in query.assertions])
        if not holds.any():
            return Unsat()
        row = int(holds.argmax())
        return Sat({index: int(columns[row, place]) for place, index in enumerate(indices)})

    def close(self) -> None:
        """Nothing to free."""


class RandomConditions:
    """Random nodes of all operators and odd widths over a few input bytes."""

    def __init__(
        self, expressions: FakeExpressions, rng: random.Random, inputs: Sequence[int], *, widest: int = 64
    ) -> None:
        self._make = expressions
        self._rng = rng
        self._inputs = inputs
        self._widest = widest

    def condition(self, depth: int) -> int:
        width = self._rng.choice((1, 8, 8, 16, 32, self._widest, self._rng.randint(1, self._widest)))
        op = self._rng.choice(COMPARISONS)
        return self._make.binary(op, self.vector(width, depth), self.vector(width, depth))

    def boolean(self, depth: int) -> int:
        if depth <= 0 or self._rng.random() < 0.5:
            return self.condition(depth - 1)
        a, b = self.boolean(depth - 1), self.boolean(depth - 1)
        match self._rng.randrange(3):
            case 0:
                return self._make.binary(self._rng.choice((Op.AND, Op.OR, Op.XOR)), a, b)
            case 1:
                return self._make.negated(a)
            case _:
                return self._make.ite(self.boolean(depth - 1), a, b)

    def vector(self, width: int, depth: int) -> int:
        make, rng = self._make, self._rng
        if depth <= 0:
            return self._leaf(width)
        match rng.randrange(8):
            case 0 | 1:
                return make.binary(
                    rng.choice((*ARITHMETIC, *BITWISE)), self.vector(width, depth - 1), self.vector(width, depth - 1)
                )
            case 2:
                return make.unary(rng.choice(COUNTS), self.vector(width, depth - 1))
            case 3:
                return make.ite(self.boolean(depth - 1), self.vector(width, depth - 1), self.vector(width, depth - 1))
            case 4 if width > 1:
                low = rng.randint(1, width - 1)
                return make.concat(self.vector(width - low, depth - 1), self.vector(low, depth - 1))
            case 5 if width <= 64:
                return self._read(width, depth)
            case 6 if width > 1:
                return make.extend(rng.choice((Op.ZEXT, Op.SEXT)), self.vector(rng.randint(1, width), depth - 1), width)
            case _:
                wide = rng.randint(width, self._widest)
                return make.extract(self.vector(wide, depth - 1), rng.randint(0, wide - width), width)

    def _read(self, width: int, depth: int) -> int:
        index = self._make.extend(Op.ZEXT, self.vector(8, depth - 1), 64)
        count = self._rng.choice((1, 2, 3, 16, 100, 256, 300))
        values = [self._rng.randrange(1 << width) for _ in range(count)]
        labels = [self.vector(width, depth - 2) if self._rng.random() < 2 / count else 0 for _ in range(count)]
        return self._make.read(index, width, values, labels)

    def _leaf(self, width: int) -> int:
        if self._rng.random() < 0.4:
            interesting = (0, 1, 1 << width - 1, (1 << width) - 1, self._rng.randrange(1 << width))
            return self._make.constant(width, self._rng.choice(interesting))
        byte = self._make.input(self._rng.choice(self._inputs))
        if width == 8:
            return byte
        if width < 8:
            return self._make.extract(byte, self._rng.randint(0, 8 - width), width)
        return self._make.extend(self._rng.choice((Op.ZEXT, Op.SEXT)), byte, width)


class Silent:
    """A solver that knows nothing."""

    def solve(self, query: Query) -> Answer:
        return Unknown("not asked")

    def close(self) -> None: ...
