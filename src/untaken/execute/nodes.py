"""The node table in shared memory, as solvers and evaluators see it (`model.expression.Expressions`)."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from untaken.execute.layout import TABLE_DTYPE, offset_of
from untaken.execute.memory import SharedMemory
from untaken.model.expression import ARITY, WIDE, Node, Op, ReadTable
from untaken.model.path import DamagedTrace

NODE = struct.Struct("<BBHIII")
NODE_SIZE = 24
TABLE_HEADER = struct.Struct("<II")
SIZES, SIZES_OFFSET = struct.Struct("<QQ"), offset_of("node_count")  # and table_bytes
NEARLY_FULL = 0.75  # of nodes or table bytes: above it, one more run might be cut off
OPERATORS: tuple[Op | None, ...] = tuple(Op(i & ~WIDE) if i & ~WIDE in set(Op) else None for i in range(256))
WIDE_CONCAT = Op.CONCAT | WIDE
WIDEST, WORD = 128, 64  # bits of a node, and of a table's entries
ENTRY_SIZE = 12  # bytes: a value and a node


def _comes_after(node: int, op: Op, a: int, b: int, c: int) -> bool:
    """Whether all that it is built from is older: so there are no circles."""
    arity = ARITY[op]
    if arity == 2:
        return 0 < a < node and 0 < b < node
    return arity == 0 or (0 < a < node and (arity == 1 or (0 < b < node and 0 < c < node)))


class NodeTable:
    """Reads nodes in place; whoever keeps node ids must watch `generation`."""

    def __init__(self, memory: SharedMemory) -> None:
        self._memory = memory
        self._nodes_offset = memory.layout.regions["nodes"].offset
        self._tables_offset = memory.layout.regions["tables"].offset
        self._tables: dict[int, ReadTable] = {}
        self.generation = 0  # changes when the table was cleared: ids of older ones mean nothing any more
        regions = memory.layout.regions
        self._most_nodes, self._most_bytes = (NEARLY_FULL * regions[name].capacity for name in ("nodes", "tables"))

    def __len__(self) -> int:
        """One more than the largest id."""
        return self._memory.get("node_count")

    def node(self, node: int) -> Node:
        """One node; the caller names an id that a run has recorded."""
        op, width, _, a, b, c = NODE.unpack_from(self._memory.map, self._nodes_offset + NODE_SIZE * node)
        operator = OPERATORS[op]
        if operator is None or not 0 < width <= WIDEST or not _comes_after(node, operator, a, b, c):
            raise DamagedTrace(f"node {node} is none")
        found = Node(operator, width, a, b, c)
        if operator is Op.READ and max(self.table(b).entries, default=0) >= node:
            raise DamagedTrace(f"node {node} reads a later one")
        return self._constant(found) or found if op == WIDE_CONCAT else found

    def _constant(self, node: Node) -> Node | None:
        """A constant of more than 64 bits is written as two; to all who ask it is one."""
        high, low = self.node(node.a), self.node(node.b)
        if high.op is not Op.CONST or low.op is not Op.CONST:
            return None
        value = high.constant << low.width | low.constant
        return Node(Op.CONST, node.width, 0, value & 0xFFFFFFFF, value >> 32)

    def table(self, offset: int) -> ReadTable:
        """The table that a READ names in `b`; tables never change, so each is decoded once."""
        table = self._tables.get(offset)
        if table is None:
            table = self._tables[offset] = self._decode(self._tables_offset + offset)
        return table

    def columns(self) -> NDArray[np.void]:
        """All nodes in use, in place, as NODE_DTYPE; row 0 is no node."""
        return self._memory.nodes[: len(self)]

    def reach(self) -> NDArray[np.void]:
        """Of all nodes that runs have left, in place, as REACH_DTYPE."""
        return self._memory.reach[: self._memory.get("reach_count")]

    @property
    def nearly_full(self) -> bool:
        """Whether it is time to clear, before runs are cut off."""
        nodes, table_bytes = SIZES.unpack_from(self._memory.map, SIZES_OFFSET)
        return bool(nodes > self._most_nodes or table_bytes > self._most_bytes)

    def clear(self) -> None:
        """Starts a new, empty table; only between runs."""
        self._memory.clear_nodes()
        self._tables.clear()
        self.generation += 1

    def _decode(self, start: int) -> ReadTable:
        room = self._memory.layout.regions["tables"].capacity - (start - self._tables_offset)
        if room < TABLE_DTYPE.itemsize:
            raise DamagedTrace("a table lies beyond all tables")
        count, width = TABLE_HEADER.unpack_from(self._memory.map, start)
        if not count or not 0 < width <= WORD or TABLE_DTYPE.itemsize + count * ENTRY_SIZE > room:
            raise DamagedTrace("a table is none")
        values = start + TABLE_DTYPE.itemsize
        entries = values + 8 * count
        return ReadTable(
            width,
            tuple(np.frombuffer(self._memory.map, "<u8", count, values).tolist()),
            tuple(np.frombuffer(self._memory.map, "<u4", count, entries).tolist()),
        )
