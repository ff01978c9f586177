"""Stream sizes: four input bytes that a program sees only as min(their value, capacity), so as few values.

Most of what a parser asks of its input's size is a comparison in a loop. Over all sizes up to the capacity such a
condition is a table, as one over a byte is (truth.py).
"""

from __future__ import annotations

import numpy as np

from untaken.model.expression import Op
from untaken.solve.graph import Graph
from untaken.solve.values.batch import evaluate
from untaken.solve.values.vectors import as_table

LARGEST = 1 << 16  # capacity; beyond it a solver is cheaper
NOTHING = 0  # node 0 is no node
OTHER = -1


class StreamSizes:
    """Memory over one generation of the node table."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._size_below: dict[int, int] = {}
        self._known: dict[int, tuple[int, int] | None] = {}

    def of(self, code: int) -> tuple[int, int] | None:
        """The node of the one size that an assertion depends on, and on nothing else, and its table.

        In the table, bit n is set if the assertion holds for size n.
        """
        if code not in self._known:
            size = self._below(code)
            self._known[code] = None if size is None else (size, self._table(code, size))
        return self._known[code]

    def _below(self, code: int) -> int | None:
        if code < 0:
            return None
        known = self._size_below
        if code >> 1 not in known:
            for index in self._graph.below((code >> 1,), known):
                known[index] = self._find(index)
        found = known[code >> 1]
        return found if found > 0 else None

    def _table(self, code: int, size: int) -> int:
        other = self._known.get(code ^ 1)
        if other is not None:
            return other[1] ^ self._every(size)
        table = self._compute(code >> 1, size)
        return table if code & 1 else table ^ self._every(size)

    def _every(self, size: int) -> int:
        """The table that is true of all sizes."""
        return (1 << self._capacity(size) + 1) - 1

    def model(self, size: int, value: int) -> dict[int, int]:
        """The bytes that give this size."""
        first = self._first_byte(size)
        return {first + place: value >> 8 * place & 0xFF for place in range(4)}

    def _find(self, index: int) -> int:
        if self._is_size(index):
            return index
        if self._graph.node(index).op is Op.INPUT:
            return OTHER
        below = {self._size_below[child] for child in self._graph.children(index)} - {NOTHING}
        return below.pop() if len(below) == 1 else OTHER if below else NOTHING

    def _is_size(self, index: int) -> bool:
        """How the runtime writes it: the four bytes, if they are below the capacity, else the capacity."""
        graph, node = self._graph, self._graph.node(index)
        if node.op is not Op.ITE:
            return False
        test, then, other = graph.node(node.a), graph.node(node.b), graph.node(node.c)
        if test.op is not Op.ULT or then.op is not Op.ZEXT or other.op is not Op.CONST or then.a != test.a:
            return False
        bound = graph.node(test.b)
        same = bound.op is Op.CONST and bound.constant == other.constant <= LARGEST
        return same and self._is_length(test.a)

    def _is_length(self, index: int) -> bool:
        """Four neighbouring bytes, the lowest first."""
        node = self._graph.node(index)
        bytes_found = []
        while node.op is Op.CONCAT:
            bytes_found.append(self._graph.node(node.a))
            node = self._graph.node(node.b)
        bytes_found.append(node)
        places = [byte.a for byte in reversed(bytes_found) if byte.op is Op.INPUT]
        return len(bytes_found) == 4 and places == list(range(node.a, node.a + 4))

    def _capacity(self, size: int) -> int:
        return self._graph.node(self._graph.node(size).c).constant

    def _first_byte(self, size: int) -> int:
        bits = self._graph.inputs(size)
        return (bits & -bits).bit_length() - 1

    def _compute(self, node: int, size: int) -> int:
        values = np.arange(self._capacity(size) + 1, dtype=np.uint64)
        first = self._first_byte(size)
        inputs = {first + place: values >> np.uint64(8 * place) & np.uint64(0xFF) for place in range(4)}
        holds = evaluate(self._graph, (node,), inputs, len(values))[node]
        return as_table(holds.astype(np.bool_))
