"""Whether what a run left in shared memory can be what the runtime wrote there.

The memory is the program's, too: a wild pointer, or a program that means harm, may have written over it. What could
lead us astray is looked at before it is used: numbers that others are counted by, ids that arrays are indexed with.
What the constraints are built from is looked at when it is decoded (`nodes.py`).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from mmap import mmap

import numpy as np
from numpy.typing import NDArray

from untaken.execute.layout import CONCRETISED_KINDS, FIELD_DTYPE, Layout, offset_of
from untaken.model.path import DamagedTrace, ExitKind

# id_count, node_count, table_bytes, external_count
COUNTS = struct.Struct("<4Q")
COUNTS_OFFSET = offset_of("id_count")
LAST_EXIT, LARGEST_CODE = max(ExitKind), 255
ALL_CUT_OFF, ALL_GAPS = 31, 63
MOST_COUNTED = 1 << 48  # sums of many runs must still fit into a database's integers
FURTHEST_INPUT = 1 << 36
MOST_THREADS = 1 << 20
# Of a constraint, as numbers of 32 bits: how many there are, and where its node and its branch are.
COLUMNS, NODE, BRANCH = 4, 0, 1


def is_exit(kind: int, code: int) -> bool:
    """Whether a run can have ended so: the code is an exit code or a signal."""
    return kind <= LAST_EXIT and 0 <= code <= LARGEST_CODE


def _largest(numbers: NDArray[np.uint32]) -> int:
    """Many times as fast as `max`, which copies first: this is in the way of every run."""
    return int(numbers.item(numbers.argmax()))


@dataclass(slots=True)
class TraceBounds:
    """What a run's numbers must be within. `ids` and `nodes` are those of the program, and of the run before."""

    layout: Layout
    ids: int
    nodes: int = 1

    def check_numbers(self, results: Sequence[int], memory: mmap) -> None:
        """Those of the header; `results` as memory.RESULT has them."""
        ids, nodes, tables, externals = COUNTS.unpack_from(memory, COUNTS_OFFSET)
        used, fields, _constraints, events, new_ids, _words, cut_off, kind, code, threads = results[:10]
        regions = self.layout.regions
        plausible = (
            ids == self.ids
            and self.nodes <= nodes <= regions["nodes"].capacity
            and tables <= regions["tables"].capacity
            and externals <= regions["externals"].capacity
            and used <= FURTHEST_INPUT
            and fields <= regions["fields"].capacity
            and events <= regions["events"].capacity
            and new_ids <= ids
            and cut_off <= ALL_CUT_OFF
            and is_exit(kind, code)
            and threads <= MOST_THREADS
            and results[-1] <= ALL_GAPS
            and max(results[10 : 11 + len(CONCRETISED_KINDS)]) < MOST_COUNTED
        )
        if not plausible:
            raise DamagedTrace("numbers that cannot be")
        self.nodes = nodes

    def check_path(self, events: bytes, constraints: bytes) -> None:
        """Whether all ids are of the program, and all nodes are there."""
        if events and _largest(np.frombuffer(events, np.uint32)) >= self.ids:
            raise DamagedTrace("events of no branch")
        if constraints:
            columns = np.frombuffer(constraints, np.uint32)
            if _largest(columns[NODE::COLUMNS]) >= self.nodes or _largest(columns[BRANCH::COLUMNS]) >= self.ids:
                raise DamagedTrace("constraints of no expression")

    def check_fields(self, data: bytes, used: int) -> None:
        """Those that were not decoded before: none reaches beyond what was asked for."""
        fields = np.frombuffer(data, FIELD_DTYPE)
        ends = fields["offset"] + fields["size"]
        if len(fields) and max(ends.max(), fields["size"].max()) > used:
            raise DamagedTrace("fields past the input")
