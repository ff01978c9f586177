"""Truth tables over one input byte: bit v is set if an assertion holds when the byte has the value v.

All other bytes have the values of the old input, so a table belongs to a node, a byte and the values of the node's
other bytes. From one run to the next few bytes change, so tables are found again; then a conjunction of assertions
is an AND of integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from untaken.solve.graph import Graph, indices
from untaken.solve.query import kept
from untaken.solve.values.batch import same
from untaken.solve.values.vectors import VALUES, ByteVectors, as_table

EVERY_VALUE = (1 << 256) - 1
CONTEXTS = 64  # remembered for a node and byte; the oldest goes first, so that memory stays flat

Context = int | tuple[int, ...]  # the values of the other bytes; a single one is not wrapped


class TablesOfByte:
    """The tables of one node and byte, by the values of the node's other bytes."""

    __slots__ = ("others", "select", "tables")

    def __init__(self, others: list[int]) -> None:
        self.others = others
        self.select: Callable[[Sequence[int]], Context] = itemgetter(*others) if others else lambda _: ()
        self.tables: dict[Context, int] = {}


class TruthTables:
    """Memory over one generation of the node table."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.vectors = ByteVectors(graph)
        self._known: dict[tuple[int, int], TablesOfByte] = {}

    def of(self, code: int, byte: int, old: Sequence[int] = b"") -> int:
        """The values of the byte for which the assertion holds; `old` must reach all other bytes of the assertion."""
        if code < 0:
            index, value = kept(code)
            return 1 << value if index == byte else EVERY_VALUE
        key = code >> 1, byte
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = TablesOfByte(indices(self._graph.inputs(key[0]) & ~(1 << byte)))
        context = known.select(old)
        table = known.tables.get(context)
        if table is None:
            table = self._compute(key[0], byte, {index: old[index] for index in known.others})
            if len(known.tables) >= CONTEXTS:
                del known.tables[next(iter(known.tables))]
            known.tables[context] = table
        return table if code & 1 else table ^ EVERY_VALUE

    def _compute(self, node: int, byte: int, others: dict[int, int]) -> int:
        if not others:
            return self.vectors.table(node, 1)
        inputs = {index: same(value) for index, value in others.items()}
        return as_table(self.vectors.evaluate(node, {**inputs, byte: VALUES}) != 0)
