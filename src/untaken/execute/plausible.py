"""Whether what a run left in shared memory can be what the runtime wrote there.

The memory is the program's, too: a wild pointer, or a program that means harm, may have written over it. What could
lead us astray is looked at before it is used: numbers that others are counted by, ids that arrays are indexed with.
What the constraints are built from is looked at when it is decoded (`nodes.py`).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from mmap import mmap
from operator import le

import numpy as np
from numpy.typing import NDArray

from untaken.execute.layout import FIELD_DTYPE, Layout, offset_of
from untaken.model.gap import Gap
from untaken.model.path import CONCRETISED_KINDS, DamagedTrace, ExitKind

# id_count, node_count, table_bytes, reach_count, external_count
COUNTS = struct.Struct("<5Q")
COUNTS_OFFSET = offset_of("id_count")
LAST_EXIT, LARGEST_CODE = max(ExitKind), 255
ALL_CUT_OFF, ALL_GAPS = 31, sum(Gap)
MOST_COUNTED = 1 << 48  # sums of many runs must still fit into a database's integers
FURTHEST_INPUT = 1 << 36
MOST_THREADS = 1 << 20
EXIT_CODE = 2  # of the circumstances


def is_exit(kind: int, code: int) -> bool:
    """Whether a run can have ended so: the code is an exit code or a signal."""
    return kind <= LAST_EXIT and 0 <= code <= LARGEST_CODE


class TraceBounds:
    """What a run's numbers must be within. `ids` and `nodes` are those of the program, and of the run before."""

    def __init__(self, layout: Layout, ids: int) -> None:
        self.ids = ids
        self.nodes = 1
        capacity = {name: region.capacity for name, region in layout.regions.items()}
        self._most_counts = (ids, capacity["nodes"], capacity["tables"], capacity["reach"], capacity["externals"])
        self._counts: tuple[int, ...] = ()  # of the run before: mostly they are still the same
        # As memory.RESULT has them; of constraints and words, what is too many is not read.
        self._most = FURTHEST_INPUT, capacity["fields"], capacity["events"]
        self._most_else = (
            *(ALL_CUT_OFF, LAST_EXIT, LARGEST_CODE, MOST_THREADS),
            *([MOST_COUNTED] * len(CONCRETISED_KINDS)),
        )

    def check_sizes(self, results: Sequence[int], memory: mmap) -> None:
        """Those of the header that change with each run: sizes, and at the end pins and gaps; `results` as
        memory.RESULT has them."""
        counts = COUNTS.unpack_from(memory, COUNTS_OFFSET)
        if counts != self._counts or counts[1] != self.nodes:
            self._check_counts(counts)
        used, fields, _, events, new_ids = results[:5]
        furthest, most_fields, most_events = self._most
        is_larger = used > furthest or fields > most_fields or events > most_events or new_ids > self.ids
        if is_larger or results[-2] > MOST_COUNTED or results[-1] > ALL_GAPS:
            raise DamagedTrace("numbers that cannot be")

    def _check_counts(self, counts: tuple[int, ...]) -> None:
        if counts[0] != self.ids or counts[1] < self.nodes or not all(map(le, counts, self._most_counts)):
            raise DamagedTrace("numbers that cannot be")
        self._counts, self.nodes = counts, counts[1]

    def check_circumstances(self, results: Sequence[int]) -> None:
        """What lies between in memory.RESULT, and is mostly the same as of the run before."""
        if not all(map(le, results, self._most_else)) or results[EXIT_CODE] < 0:
            raise DamagedTrace("numbers that cannot be")

    def check_events(self, events: NDArray[np.uint32]) -> None:
        """Whether all ids are of the program."""
        if len(events) and events.item(events.argmax()) >= self.ids:
            raise DamagedTrace("events of no branch")

    def check_constraints(self, constraints: NDArray[np.void]) -> None:
        """Whether all ids are of the program, and all nodes are there."""
        if len(constraints):
            nodes, branches = constraints["node"], constraints["id"]
            # Many times as fast as `max`, which copies first.
            if nodes.item(nodes.argmax()) >= self.nodes or branches.item(branches.argmax()) >= self.ids:
                raise DamagedTrace("constraints of no expression")

    def check_fields(self, data: bytes, used: int) -> None:
        """Those that were not decoded before: none reaches beyond what was asked for."""
        fields = np.frombuffer(data, FIELD_DTYPE)
        ends = fields["offset"] + fields["size"]
        if len(fields) and max(ends.max(), fields["size"].max()) > used:
            raise DamagedTrace("fields past the input")
