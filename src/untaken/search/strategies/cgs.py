"""Context-guided search, as the ParaDySE paper compares it.

Breadth-first over the tree of executions, but a branch is flipped only in a new context: the branch and those before
it on the path, dominators left out (search/contexts.py). First contexts of length 1, then of length 2, up to K; then
everything is forgotten and the search begins again on a random input.

A stage of one length works through an agenda ordered by depth, random within a depth. Contexts are computed in
pieces, as the stage comes to their depth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from untaken.model.path import Path
from untaken.search.attempts import Part, Steps
from untaken.search.shelf import Kept, Shelf
from untaken.search.space import Search

_PIECE = 128  # places whose contexts are computed at a time, at first
_LOOK = -1.0  # pieces are looked at before the candidates of their depth are drawn


@dataclass(slots=True)
class _Execution:
    """A node of the tree: a path, and the depth from which on it is its own."""

    kept: Kept
    start: int
    tried: list[int] = field(default_factory=list)  # depths


def cgs(search: Search, *, contexts: int = 5) -> Steps:
    """Breadth-first, but flips a branch only in a new context of up to `contexts` branches."""
    path: Path = yield search.initial()
    shelf = search.shelf()
    tree = [_Execution(shelf.keep(path), 0)]
    known: set[int] = set()
    for length in range(1, contexts + 1):
        yield from _Stage(search, shelf, tree, known, length).run()
    return None


@dataclass(slots=True)
class _Claim:
    """Where a context occurs first: the least depth, and one of the executions that have it there."""

    depth: int
    execution: int
    among: int = 1  # so many have it at that depth


class _Stage:
    """All candidates whose contexts of one length are new.

    A context is tried once, at the least depth where it occurs, in a random one of the executions that have it there.
    """

    def __init__(self, search: Search, shelf: Shelf, tree: list[_Execution], known: set[int], length: int) -> None:
        self._search = search
        self._shelf = shelf
        self._tree = tree
        self._known = known
        self._length = length
        self._claims: dict[int, _Claim] = {}
        # (depth, random, context), and (depth, -1, execution) where the next piece of a path is to be looked at.
        self._agenda: list[tuple[int, float, int]] = []

    def run(self) -> Part[None]:
        """Work through the depths."""
        for number, execution in enumerate(self._tree):
            heappush(self._agenda, (execution.start, _LOOK, number))
        while self._agenda:
            depth, kind, item = heappop(self._agenda)
            if kind == _LOOK:
                path = yield from self._shelf.fetch(self._tree[item].kept)
                self._look(path, item, depth)
            elif item not in self._known and self._claims[item].depth == depth:
                self._known.add(item)
                yield from self._try(self._claims.pop(item))

    def _try(self, claim: _Claim) -> Part[None]:
        execution = self._tree[claim.execution]
        execution.tried.append(claim.depth)
        path = yield from self._shelf.fetch(execution.kept)
        flipped: Path | None = yield self._search.flip(path, path.symbolic[claim.depth], fresh=True)
        if flipped is not None:
            heappush(self._agenda, (claim.depth + 1, _LOOK, len(self._tree)))
            self._tree.append(_Execution(self._shelf.keep(flipped), claim.depth + 1))

    def _look(self, path: Path, number: int, depth: int) -> None:
        """Claim the new contexts of the next piece of a path; of larger and larger pieces while there are none."""
        untried = np.ones(len(path.symbolic), np.bool_)
        untried[self._tree[number].tried] = False
        size, found = _PIECE, 0
        while not found and depth < len(untried):
            depths = depth + np.flatnonzero(untried[depth : depth + size])
            hashes = self._search.analyses.contexts.of(path, path.symbolic[depths], self._length)
            for place, context in zip(depths.tolist(), hashes.tolist(), strict=True):
                if context not in self._known:
                    found += self._claim(context, place, number)
            depth, size = depth + size, 4 * size
        if depth < len(untried):
            heappush(self._agenda, (depth, _LOOK, number))

    def _claim(self, context: int, depth: int, number: int) -> bool:
        """Note that an execution has a context at a depth; False if it occurs before that anyway."""
        claim = self._claims.get(context)
        if claim is None or depth < claim.depth:
            self._claims[context] = _Claim(depth, number)
            heappush(self._agenda, (depth, self._search.rng.random(), context))
            return True
        if depth > claim.depth:
            return False
        claim.among += 1
        if self._search.rng.randrange(claim.among) == 0:
            claim.execution = number
        return True
