"""UncoveredDistance of the CREST paper (section 4.3): how many branches away the nearest uncovered branch is.

One breadth-first run over the reversed graph, level by level: first all edges of weight 0, then those of weight 1.
In a large graph each step takes a whole level at once; in a small one that is far slower than node by node (300 nodes:
300 microseconds instead of 20). When branches are covered, only distances that led to one of them can change, and they
can only grow; if those are few they alone are computed again.

scipy.sparse.csgraph has the same run (dijkstra from many sources), three times as fast on a graph of 20,000 nodes: 3 ms
instead of 9. It is not used here, for to load it takes each campaign 0.25 s, and single nodes it does not repair.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct
from untaken.search.coverage import Coverage
from untaken.search.program.graph import NOWHERE, Ints, StaticGraph, neighbours

FAR = 1 << 30  # no uncovered branch can be reached statically
# Above this share of the graph the whole is computed again: the vectorised run is then faster than the heap.
_FEW = 0.02
_SMALL = 2_000  # nodes: up to here a run node by node is faster than one level by level


class UncoveredDistance:
    """Distances to the nearest uncovered branch, kept up to date with coverage and with newly seen calls."""

    def __init__(self, graph: StaticGraph, coverage: Coverage) -> None:
        self._graph = graph
        self._coverage = coverage
        self._nodes: Ints = np.empty(0, np.intp)
        self._sources: NDArray[np.bool_] = np.empty(0, np.bool_)
        self._graph_version = -1
        self._count = -1
        self._by_id: Ints = np.empty(0, np.intp)

    def by_id(self) -> Ints:
        """The distance of each branch, and of each function from its entry, by id; FAR where there is no way."""
        if self._graph.version != self._graph_version or self._coverage.count < self._count:
            self._compute()
        elif self._coverage.count != self._count:
            self._update()
        return self._by_id

    def _compute(self) -> None:
        self._sources = self._uncovered_nodes()
        self._nodes = distances_to(self._graph, self._sources)
        self._publish()

    def _update(self) -> None:
        sources = self._uncovered_nodes()
        lost = np.flatnonzero(self._sources & ~sources)
        self._sources = sources
        is_small = self._graph.size <= _SMALL
        affected = None if is_small else self._affected(lost, int(self._graph.size * _FEW))
        if affected is None:
            self._nodes = distances_to(self._graph, sources)
        else:
            self._repair(affected)
        self._publish()

    def _publish(self) -> None:
        self._graph_version, self._count = self._graph.version, self._coverage.count
        known = self._graph.node_of != NOWHERE
        self._by_id = np.where(known, self._nodes[self._graph.node_of], FAR)

    def _uncovered_nodes(self) -> NDArray[np.bool_]:
        sources = np.zeros(self._graph.size, np.bool_)
        sources[self._graph.node_of[self._coverage.uncovered()]] = True
        return sources

    def _affected(self, lost: Ints, most: int) -> Ints | None:
        """Nodes with a shortest way to a lost source, though they may have others; None if they are many."""
        first, end = self._graph.branch_nodes
        marked = np.zeros(self._graph.size, np.bool_)
        marked[lost] = True
        frontier, count = lost, len(lost)
        while len(frontier) and count <= most:
            before = self._into(frontier)
            behind = np.repeat(frontier, self._indegree(frontier))
            weight = (behind >= first) & (behind < end)
            tight = ~marked[before] & (self._nodes[before] == self._nodes[behind] + weight)
            frontier = distinct(before[tight])
            marked[frontier] = True
            count += len(frontier)
        return np.flatnonzero(marked) if count <= most else None

    def _into(self, nodes: Ints) -> Ints:
        return neighbours(self._graph.predecessors, nodes)

    def _indegree(self, nodes: Ints) -> Ints:
        starts, _ = self._graph.predecessors
        return starts[nodes + 1] - starts[nodes]

    def _repair(self, affected: Ints) -> None:
        """Dijkstra among the affected nodes, from the distances around them."""
        first, end = self._graph.branch_nodes
        starts, successors = self._graph.successors
        into, predecessors = self._graph.predecessors
        self._nodes[affected] = FAR
        open_nodes = set(affected.tolist())
        queue = []
        for node in affected.tolist():
            after = successors[starts[node] : starts[node + 1]]
            ways = self._nodes[after] + ((after >= first) & (after < end))
            queue.append((0 if self._sources[node] else min(int(ways.min(initial=FAR)), FAR), node))
        heapify(queue)
        while queue:
            distance, node = heappop(queue)
            if node not in open_nodes:
                continue
            open_nodes.discard(node)
            self._nodes[node] = distance
            further = min(distance + (first <= node < end), FAR)
            for before in predecessors[into[node] : into[node + 1]].tolist():
                if before in open_nodes:
                    heappush(queue, (further, before))


def distances_to(graph: StaticGraph, sources: NDArray[np.bool_]) -> Ints:
    """The distance of every node to the nearest source, by one run over the reversed graph."""
    return (_node_by_node if graph.size <= _SMALL else _level_by_level)(graph, sources)


def _node_by_node(graph: StaticGraph, sources: NDArray[np.bool_]) -> Ints:
    first, end = graph.branch_nodes
    rows = graph.predecessor_rows
    distance = [FAR] * graph.size
    found, level = np.flatnonzero(sources).tolist(), 0
    while found:
        nearest = []
        for node in found:
            if distance[node] == FAR:
                distance[node] = level
                nearest.append(node)
        found = []
        for node in nearest:  # it grows on the way: an edge of weight 0 leads to the same level
            if first <= node < end:
                found += rows[node]
                continue
            for before in rows[node]:
                if distance[before] == FAR:
                    distance[before] = level
                    nearest.append(before)
        level += 1
    return np.array(distance, np.intp)


def _level_by_level(graph: StaticGraph, sources: NDArray[np.bool_]) -> Ints:
    first, end = graph.branch_nodes
    distance = np.full(graph.size, FAR, np.intp)
    frontier = np.flatnonzero(sources)
    level = 0
    while len(frontier):
        level_nodes = [frontier]
        distance[frontier] = level
        # Edges of weight 0 end in blocks: follow them backwards within the level.
        while len(frontier):
            before = neighbours(graph.predecessors, frontier[(frontier < first) | (frontier >= end)])
            frontier = distinct(before[distance[before] == FAR])
            distance[frontier] = level
            level_nodes.append(frontier)
        # Edges of weight 1 end in branches.
        branches = np.concatenate(level_nodes)
        before = neighbours(graph.predecessors, branches[(branches >= first) & (branches < end)])
        frontier = distinct(before[distance[before] == FAR])
        level += 1
    return distance
