"""Short ways in the static graph: what lies one or two steps behind a branch.

A step leads from a branch, or from the entry of a function, to the next branch or to the entry of a function that is
called on the way; a call may also be passed over.
"""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from untaken.search.graph import NOWHERE, Ints, StaticGraph

Flags = NDArray[np.bool_]


class Steps:
    """Of one state of the graph: calls through pointers that are learned later make another."""

    def __init__(self, graph: StaticGraph) -> None:
        self.version = graph.version
        self._size = len(graph.node_of)
        once = _one_step(graph)
        twice = [sorted({*near, *chain.from_iterable(once[each] for each in near)}) for near in once]
        self._once, self._twice = _pairs(once), _pairs(twice)

    def within_one(self, flags: Flags) -> Flags:
        """The ids one step behind which something flagged lies."""
        return self._any(self._once, flags)

    def within_two(self, flags: Flags) -> Flags:
        """The ids one or two steps behind which something flagged lies."""
        return self._any(self._twice, flags)

    def _any(self, pairs: tuple[Ints, Ints], flags: Flags) -> Flags:
        before, behind = pairs
        near = np.zeros(self._size, np.bool_)
        near[before[flags[behind]]] = True
        return near


def _pairs(lists: list[list[int]]) -> tuple[Ints, Ints]:
    lengths = [len(each) for each in lists]
    before = np.repeat(np.arange(len(lists)), lengths)
    return before, np.fromiter(chain.from_iterable(lists), np.intp, sum(lengths))


def _one_step(graph: StaticGraph) -> list[list[int]]:
    """For each id, the ids that come next."""
    known = np.flatnonzero(graph.node_of != NOWHERE)
    id_of = dict(zip(graph.node_of[known].tolist(), known.tolist(), strict=True))
    starts, targets = graph.successors
    after = [targets[first:end].tolist() for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]
    lists: list[list[int]] = [[] for _ in range(len(graph.node_of))]
    for node, number in id_of.items():
        lists[number] = _next_ids(node, after, id_of)
    return lists


def _next_ids(node: int, after: list[list[int]], id_of: dict[int, int]) -> list[int]:
    seen: set[int] = set()
    found: set[int] = set()
    stack = list(after[node])
    while stack:
        block = stack.pop()
        if block in id_of:
            found.add(id_of[block])
        elif block not in seen:
            seen.add(block)
            stack.extend(after[block])
    return sorted(found)
