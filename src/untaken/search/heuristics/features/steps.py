"""Short ways in the static graph: behind which branches something lies within one step, or within two.

A step leads from a branch, or from the entry of a function, to the next branch or to the entry of a function that is
called on the way; a call may also be passed over.
"""

from __future__ import annotations

import numpy as np

from untaken.search.program.graph import NOWHERE, Flags, StaticGraph, neighbours


class ShortWays:
    """Over the graph as it is when asked: calls through pointers may be added to it."""

    def __init__(self, graph: StaticGraph) -> None:
        self._graph = graph
        self._known = np.flatnonzero(graph.node_of != NOWHERE)
        self._nodes = graph.node_of[self._known]
        self._is_stop = np.zeros(graph.size, np.bool_)  # branches and entries, where a step ends
        self._is_stop[self._nodes] = True

    def within_one(self, flags: Flags) -> Flags:
        """The ids one step behind which something flagged lies."""
        return self._ids(self._before(self._flagged(flags)))

    def within_two(self, flags: Flags) -> Flags:
        """The ids one or two steps behind which something flagged lies."""
        once = self._before(self._flagged(flags))
        return self._ids(once | self._before(once))

    def _flagged(self, flags: Flags) -> Flags:
        stops = np.zeros(self._graph.size, np.bool_)
        stops[self._nodes] = flags[self._known]
        return stops

    def _ids(self, stops: Flags) -> Flags:
        flags = np.zeros(len(self._graph.node_of), np.bool_)
        flags[self._known] = stops[self._nodes]
        return flags

    def _before(self, stops: Flags) -> Flags:
        """The stops from which one of these is the next: backwards, through the blocks between."""
        found = np.zeros_like(stops)
        passed = np.zeros_like(stops)
        frontier = np.flatnonzero(stops)
        while len(frontier):
            before = neighbours(self._graph.predecessors, frontier)
            at_stop = self._is_stop[before]
            found[before[at_stop]] = True
            reached = np.zeros_like(stops)  # quicker than sorting them
            reached[before[~at_stop]] = True
            frontier = np.flatnonzero(reached & ~passed)
            passed[frontier] = True
        return found
