"""Terms about one input byte, as vectors of what they are for each of its 256 values.

Programs do the same to one byte after the other, so a term that differs from another only in the byte that it is about
has the same vector, which is computed once: by one numpy operation, from the vectors of its operands. Terms about more
bytes are put together from those.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import Node, Op
from untaken.model.floats import Words
from untaken.solve.graph import Graph
from untaken.solve.values.batch import ZERO, apply, same

# Members by themselves: to look one up in its class takes ten times as long as to compare it.
INPUT, CONST, EXTRACT, READ, CONCAT = Op.INPUT, Op.CONST, Op.EXTRACT, Op.READ, Op.CONCAT
FROUND, FUNCTION, FUNCTION2 = Op.FROUND, Op.FUNCTION, Op.FUNCTION2
VALUES = np.arange(256, dtype=np.uint64)
REMEMBERED = 16_384  # vectors, of 2 KiB, and tables; then it starts afresh

Key = tuple[int, ...]


class ByteVectors:
    """Memory over one generation of the node table."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[int, Words] = {}
        self._made: dict[Key, Words] = {}
        self._tables: dict[tuple[int, int], int] = {}  # by the id of the vector, which is kept in _made

    def __contains__(self, term: object) -> bool:
        """Whether a term is about one byte at most."""
        bits = self._graph.inputs(term) if isinstance(term, int) else -1
        return not bits & (bits - 1)

    def of(self, term: int) -> Words:
        """The vector of a term about one byte; of a constant, a vector of one."""
        found = self._known.get(term)
        if found is None:
            if len(self._made) + len(self._tables) > REMEMBERED:
                for memory in (self._known, self._made, self._tables):
                    memory.clear()
            for index in self._graph.below((term,), self._known):
                self._known[index] = self._make(index)
            found = self._known[term]
        return found

    def table(self, term: int, value: int) -> int:
        """The values of the byte, as bits, for which a term about it has this value."""
        vector = self.of(term)
        key = id(vector), value
        found = self._tables.get(key)
        if found is None:
            holds = vector == (value if vector.dtype == object else np.uint64(value))
            found = self._tables[key] = as_table(holds if len(holds) > 1 else np.repeat(holds, len(VALUES)))
        return found

    def evaluate(self, term: int, inputs: Mapping[int, Words]) -> Words:
        """A term about several bytes; a byte that is the same in all inputs is given once, or not at all if zero."""
        values = _Values(self, self._graph, inputs)
        below = self._graph.below((term,), self)
        for index in below:
            values[index] = apply(self._graph, self._graph.node(index), values)
        self._graph.effort.operate(len(below), max(map(len, inputs.values()), default=1))
        return values[term]

    def _make(self, index: int) -> Words:
        node = self._graph.node(index)
        children = [id(self._known[child]) for child in self._graph.children(index)]
        key = (node.op, node.width, *self._details(node), *children)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._compute(node)
        return found

    def _details(self, node: Node) -> Key:
        """What a node's value depends on besides its operator, its width and its operands."""
        op = node.op
        if op is INPUT:
            return ()
        if op is CONST or op is EXTRACT or op is READ:
            return node.b, node.c
        if op is FUNCTION or op is FUNCTION2:
            return (node.c,)
        other = self._graph.node(node.b).width if op is CONCAT else node.b if op is FROUND else 0
        return self._graph.node(node.a).width, other

    def _compute(self, node: Node) -> Words:
        if node.op is INPUT:
            return VALUES
        if node.op is CONST:
            return same(node.constant, node.width)
        return apply(self._graph, node, self._known)


class _Values(dict[int, Words]):
    """Of nodes, where those about one byte are looked up when they are asked for."""

    def __init__(self, vectors: ByteVectors, graph: Graph, inputs: Mapping[int, Words]) -> None:
        self._vectors = vectors
        self._graph = graph
        self._inputs = inputs

    def __missing__(self, term: int) -> Words:
        vector = self._vectors.of(term)
        if len(vector) > 1:
            column = self._inputs.get(self._graph.inputs(term).bit_length() - 1, ZERO)
            vector = vector if column is VALUES else vector[column]
        self[term] = vector
        return vector


def as_table(holds: NDArray[np.bool_]) -> int:
    """A truth value for each value as one integer, the first in its lowest bit."""
    return int.from_bytes(np.packbits(holds, bitorder="little").tobytes(), "little")
