"""Learns calls that the program map does not show: through pointers, or back from uninstrumented code.

CREST has no edges for them, so what lies behind a dispatch table is unreachable to its distances. Here each call
seen in a run is added to the graph, at the first place after the caller's last branch that could have made it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import NO_BRANCH, BranchId, Function, ProgramMap
from untaken.search.program.frames import Frames
from untaken.search.program.graph import Ints, StaticGraph, straight_line

_BITS = np.uint8(1) << np.arange(8, dtype=np.uint8)


class SeenCalls:
    """Which functions were entered after which events.

    Runs have thousands of calls and are all looked at, so there is a bit for each pair that might be: no set of pairs
    is as quick. Most of that memory is never touched.
    """

    def __init__(self, program: ProgramMap) -> None:
        self._number = np.zeros(program.id_count, np.intp)  # of the function, by the id of its entry
        for function in program.functions:
            self._number[function.entry_id] = function.index
        self._bits = np.zeros((len(program.functions), program.id_count // 8 + 1), np.uint8)

    def adds(self, events: NDArray[np.uint32], entries: Ints) -> bool:
        """Whether a run has some that are new, which are not any more; `entries` are positions."""
        if len(entries) and entries[0] == 0:
            entries = entries[1:]  # nothing was before it
        before = events[entries - 1]
        places = self._number[events[entries]], before >> 3
        bits = _BITS[before & 7]
        if (self._bits[places] & bits).all():
            return False
        np.bitwise_or.at(self._bits, places, bits)
        return True


class CallLearner:
    """Watches events for calls without a static edge."""

    def __init__(self, program: ProgramMap, graph: StaticGraph, frames: Frames) -> None:
        self._program = program
        self._graph = graph
        self._frames = frames
        self._seen = SeenCalls(program)
        self._known: set[int] = set()  # pairs of an entry and the caller's last own event
        self._targets = _branch_targets(program)
        self._any_unresolved = any(
            self._unresolved(function, number)
            for function in program.functions
            for number in range(len(function.blocks))
        )

    def observe(self, events: NDArray[np.uint32]) -> None:
        """Add to the graph what this run called."""
        if not self._any_unresolved:
            return
        entries = self._frames.is_entry[events].nonzero()[0]
        if not self._seen.adds(events, entries):
            return  # nearly always, and much cheaper to find out than who called whom
        for key in _pairs(events, self._anchors(events, entries), entries):
            if key not in self._known:
                self._known.add(key)
                self._learn(key >> 32, key & 0xFFFFFFFF)

    def _anchors(self, events: NDArray[np.uint32], entries: Ints) -> Ints:
        """For each call, the caller's last own event before it: a branch, or its entry; -1 if there is none."""
        opened_by = np.full(len(events), -1, np.intp)
        returns = self._frames.returns(events)
        closed = np.flatnonzero(returns >= 0)
        opened_by[returns[closed]] = closed
        anchors = entries - 1
        while True:
            at_return = (anchors >= 0) & self._frames.is_return[events[anchors]]
            if not at_return.any():
                return anchors
            # Step over an earlier call of the same caller; one that cannot be matched leaves no anchor.
            before = opened_by[anchors[at_return]]
            anchors[at_return] = np.where(before >= 0, before - 1, -1)

    def _learn(self, anchor: int, entry: int) -> None:
        place = self._place(anchor)
        callee = self._program.function_of_entry[entry]
        if place is None:
            return
        function, block = place
        candidates = []
        for number in straight_line(function, block):
            if any(self._program.callee(function, call) is callee for call in function.blocks[number].calls):
                return
            if self._unresolved(function, number):
                candidates.append(number)
        if candidates:
            self._graph.add_call(self._graph.block(function.index, candidates[0]), entry)

    def _place(self, anchor: int) -> tuple[Function, int] | None:
        """The block that runs after an event."""
        function = self._program.function_of_entry.get(anchor)
        if function is not None:
            return function, 0
        return self._targets.get(BranchId(anchor))

    def _unresolved(self, function: Function, number: int) -> bool:
        """True if the block calls something whose body the map does not show."""
        return any(self._program.callee(function, call) is None for call in function.blocks[number].calls)


def _pairs(events: NDArray[np.uint32], before: Ints, entries: Ints) -> list[int]:
    """The distinct pairs of events at these positions, in ascending order, each as one number; -1: no position."""
    inside = before >= 0
    keys = events[before[inside]].astype(np.uint64) << np.uint64(32) | events[entries[inside]]
    return sorted(set(keys.tolist()))


def _branch_targets(program: ProgramMap) -> dict[BranchId, tuple[Function, int]]:
    return {
        edge.branch: (function, edge.target)
        for function in program.functions
        for block in function.blocks
        for edge in block.edges
        if edge.branch != NO_BRANCH
    }
