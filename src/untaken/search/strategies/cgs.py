"""Context-guided search, as the ParaDySE paper compares it.

Breadth-first over the tree of executions, but a branch is flipped only in a new context: the branch and those before
it on the path, dominators left out (search/contexts.py). First contexts of length 1, then of length 2, up to K; then
everything is forgotten and the search begins again on a random input.

A stage of one length works through an agenda of candidates ordered by depth, random within a depth. Only the first
place of a context in a path is a candidate: when it was tried the context is known, so later ones would be skipped.
Contexts are computed in pieces, as the stage comes to their depth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from untaken.model.path import Path
from untaken.search.attempts import Part, Steps
from untaken.search.shelf import Kept, Shelf
from untaken.search.space import Search

_PIECE = 512


@dataclass(slots=True)
class _Execution:
    """A node of the tree: a path, and the depth from which on it is its own."""

    kept: Kept
    start: int
    tried: set[int] = field(default_factory=set)  # depths


def cgs(search: Search, *, contexts: int = 5) -> Steps:
    """Breadth-first, but flips a branch only in a new context of up to `contexts` branches."""
    path: Path = yield search.initial()
    shelf = search.shelf()
    tree = [_Execution(shelf.keep(path), 0)]
    known: set[int] = set()
    for length in range(1, contexts + 1):
        yield from _Stage(search, shelf, tree, known, length).run()
    return None


class _Stage:
    """All candidates whose contexts of one length are new."""

    def __init__(self, search: Search, shelf: Shelf, tree: list[_Execution], known: set[int], length: int) -> None:
        self._search = search
        self._shelf = shelf
        self._tree = tree
        self._known = known
        self._length = length
        # (depth, random, execution, context); without a context: the next piece of that path is to be looked at.
        self._agenda: list[tuple[int, float, int, int | None]] = []

    def run(self) -> Part[None]:
        """Work through the depths."""
        for number, execution in enumerate(self._tree):
            self._push(execution.start, number, None)
        while self._agenda:
            depth, _, number, context = heappop(self._agenda)
            if context in self._known:
                continue
            path = yield from self._shelf.fetch(self._tree[number].kept)
            if context is None:
                self._look_at_piece(path, number, depth)
            else:
                self._known.add(context)
                yield from self._try(path, number, depth)

    def _try(self, path: Path, number: int, depth: int) -> Part[None]:
        self._tree[number].tried.add(depth)
        flipped: Path | None = yield self._search.flip(path, path.symbolic[depth], fresh=True)
        if flipped is not None:
            self._tree.append(_Execution(self._shelf.keep(flipped), depth + 1))
            self._push(depth + 1, len(self._tree) - 1, None)

    def _look_at_piece(self, path: Path, number: int, depth: int) -> None:
        end = min(depth + _PIECE, len(path.symbolic))
        tried = self._tree[number].tried
        depths = np.asarray([place for place in range(depth, end) if place not in tried], np.intp)
        hashes = self._search.analyses.contexts.of(path, path.symbolic[depths], self._length)
        _, first = np.unique(hashes, return_index=True)
        for place in np.sort(first).tolist():
            self._push(int(depths[place]), number, int(hashes[place]))
        if end < len(path.symbolic):
            self._push(end, number, None)

    def _push(self, depth: int, number: int, context: int | None) -> None:
        if context is None or context not in self._known:
            # A piece must be looked at before the candidates of its depth are drawn.
            order = self._search.rng.random() if context is not None else -1.0
            heappush(self._agenda, (depth, order, number, context))
