"""Which branches and function entries lie on every way to a branch, for the contexts of context-guided search.

Dominators on the whole-program control flow graph with call edges, taken from each function without callers and
united (as the public implementation of the ParaDySE paper does). The graph has no edges back from calls, so every
way into a function passes its entry: dominators of a branch are those inside its function and those of the entry.
The first are computed once for a function, the second from sets over the call graph, once for each root. A set of ids
is a number with a bit for each: programs have thousands of functions, and their sets are joined over and over.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, cached_property, reduce
from heapq import heapify, heappop, heapreplace
from operator import and_, or_

import numpy as np

from untaken.search.program.graph import NOWHERE, Ints, StaticGraph

_IdBits = int
_NO_IDS: _IdBits = 0
_ALL_IDS: _IdBits = -1


class Dominators:
    """Dominators of branches, as ids; computed function by function when asked for."""

    def __init__(self, graph: StaticGraph) -> None:
        self._graph = graph
        self._ids = _ids_of_nodes(graph)
        self._entries = graph.entries
        self._is_entry = set(graph.entries)
        self._inside_of: dict[int, dict[int, _IdBits]] = {}
        self._from_root: dict[int, dict[int, _IdBits]] = {}
        self._outside: dict[int, _IdBits] = {}

    def of(self, branch: int) -> Ints:
        """Ids of all branches and function entries that dominate a branch, itself included; ascending."""
        node = int(self._graph.node_of[branch])
        if node == NOWHERE:
            return _members(_NO_IDS)
        entry = self._entry_of(branch)
        return _members(self._inside(entry).get(node, _NO_IDS) | self._before(entry))

    def _entry_of(self, branch: int) -> int:
        return int(self._graph.entry_of_branch[branch])

    def _inside(self, entry: int) -> dict[int, _IdBits]:
        """For each node of a function, the ids that dominate it within the function; entries count."""
        if entry not in self._inside_of:
            self._inside_of[entry] = self._dominate(entry)
        return self._inside_of[entry]

    def _dominate(self, entry: int) -> dict[int, _IdBits]:
        order = self._reverse_postorder(entry)
        rank = {node: number for number, node in enumerate(order)}
        parent = _immediate_dominators(order, rank, self._graph)
        ids: dict[int, _IdBits] = {}
        for node in order:
            own = self._ids.get(node)
            above = ids[parent[node]] if node != entry else _NO_IDS
            ids[node] = above if own is None else above | 1 << own
        return ids

    def _reverse_postorder(self, entry: int) -> list[int]:
        """Nodes of one function; call edges, which lead to entries, are left out."""
        seen, finished = {entry}, []
        stack = [(entry, iter(self._flow(entry)))]
        while stack:
            node, rest = stack[-1]
            following = next((after for after in rest if after not in seen), None)
            if following is None:
                finished.append(node)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(self._flow(following))))
        return finished[::-1]

    def _flow(self, node: int) -> list[int]:
        return [after for after in self._graph.after(node) if after not in self._is_entry]

    # ---- over the call graph ------------------------------------------------------------------------------------

    @cached_property
    def _call_sites(self) -> dict[int, dict[int, list[int]]]:
        """callee entry -> caller entry -> nodes that call it."""
        sites: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for caller in self._entries:
            for node in self._reverse_postorder(caller):
                for after in self._graph.after(node):
                    if after in self._is_entry:
                        sites[after][caller].append(node)
        return sites

    @cache  # noqa: B019 - one object a campaign, asked for one function at a time
    def _roots_above(self, entry: int) -> tuple[int, ...]:
        """Functions without callers, other than themselves, from which a function can be reached."""
        seen, stack = {entry}, [entry]
        while stack:
            for caller in self._call_sites[stack.pop()]:
                if caller not in seen:
                    seen.add(caller)
                    stack.append(caller)
        return tuple(sorted(node for node in seen if not set(self._call_sites[node]) - {node}))

    def _before(self, entry: int) -> _IdBits:
        """What dominates a function's entry, united over the roots."""
        if entry not in self._outside:
            roots = self._roots_above(entry)
            self._outside[entry] = reduce(or_, (self._along_calls(root).get(entry, _NO_IDS) for root in roots), _NO_IDS)
        return self._outside[entry]

    def _along_calls(self, root: int) -> dict[int, _IdBits]:
        """For each function reached from a root, the ids that dominate its entry: sets, until nothing shrinks."""
        if root in self._from_root:
            return self._from_root[root]
        callees = self._callees
        order, seen = [root], {root}
        for caller in order:
            fresh = [callee for callee in callees[caller] if callee not in seen]
            seen.update(fresh)
            order.extend(fresh)
        above: dict[int, _IdBits] = {root: _NO_IDS}
        calls = [(callee, [call for call in self._at_calls(callee) if call[0] in seen]) for callee in order[1:]]
        while self._has_shrunk(above, calls):
            pass
        self._from_root[root] = above
        return above

    @staticmethod
    def _has_shrunk(above: dict[int, _IdBits], calls: list[tuple[int, list[tuple[int, _IdBits]]]]) -> bool:
        """One round over all functions."""
        changed = False
        for callee, ways in calls:
            common = _ALL_IDS
            for caller, inside in ways:
                before = above.get(caller)
                if before is not None:
                    common &= before | inside
            changed |= above.get(callee) != common
            above[callee] = common
        return changed

    @cache  # noqa: B019 - one object a campaign, asked for one function at a time
    def _at_calls(self, callee: int) -> list[tuple[int, _IdBits]]:
        """Its callers, and what dominates all of their calls of it within them: interpreters have many roots, and many
        calls through one pointer."""
        return [
            (caller, reduce(and_, (self._inside(caller)[site] for site in sites)))
            for caller, sites in self._call_sites[callee].items()
        ]

    @cached_property
    def _callees(self) -> dict[int, list[int]]:
        callees: dict[int, list[int]] = defaultdict(list)
        for callee, callers in self._call_sites.items():
            for caller in callers:
                callees[caller].append(callee)
        return callees


def _members(ids: _IdBits) -> Ints:
    octets = np.frombuffer(ids.to_bytes((ids.bit_length() + 7) // 8, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little"))


def _ids_of_nodes(graph: StaticGraph) -> dict[int, int]:
    known = np.flatnonzero(graph.node_of != NOWHERE)
    return dict(zip(graph.node_of[known].tolist(), known.tolist(), strict=True))


def _immediate_dominators(order: list[int], rank: dict[int, int], graph: StaticGraph) -> dict[int, int]:
    """By rounds over the nodes in reverse postorder until nothing changes (Cooper, Harvey and Kennedy)."""
    entry = order[0]
    parent = {entry: entry}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            ways = [before for before in graph.before(node) if before in parent]
            nearest = _common(ways, parent, rank)
            changed |= parent.get(node) != nearest
            parent[node] = nearest
    return parent


def _common(nodes: list[int], parent: dict[int, int], rank: dict[int, int]) -> int:
    """Their nearest common ancestor. The last of them gives way to its parent until one is left: behind a long chain of
    cases each of them is passed once, not once for each that comes after it."""
    names = {rank[node]: node for node in nodes}
    waiting = [-number for number in names]
    heapify(waiting)
    while len(waiting) > 1:
        above = parent[names[-waiting[0]]]
        if rank[above] in names:
            heappop(waiting)
        else:
            names[rank[above]] = above
            heapreplace(waiting, -rank[above])
    return names[-waiting[0]]
