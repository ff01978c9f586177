"""Context-guided search, as the ParaDySE paper compares it.

Breadth-first over the tree of executions, but a branch is flipped only in a new context: the branch and those before
it on the path, dominators left out (search/contexts/contexts.py). First contexts of length 1, then of length 2, up to
K; then everything is forgotten and the search begins again on a random input.

A stage of one length works through an agenda ordered by depth, random within a depth. Paths are looked at in pieces,
as the stage comes to their depth. Nearly all contexts of a long path are known, or are claimed at a lesser depth, so
those are sorted out in bulk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush

from untaken.model.path import Path
from untaken.search.attempts import Count, Part, Steps
from untaken.search.contexts.memory import RecentContexts, SettledContexts
from untaken.search.knowledge.path_cache import CachedPath, PathCache
from untaken.search.program.graph import Ints
from untaken.search.view import SearchView

_PIECE = 128  # places that are looked at together, at first
_LOOK = -1.0  # pieces are looked at before the candidates of their depth are drawn


@dataclass(slots=True)
class _Execution:
    """A node of the tree: a path, and the depth from which on it is its own."""

    kept: CachedPath
    start: int
    tried: set[int] = field(default_factory=set)  # depths


def cgs(search: SearchView, *, contexts: Count = 5) -> Steps:
    """Breadth-first, but flips a branch only in a new context of up to `contexts` branches."""
    path: Path = yield search.initial()
    cache = search.path_cache()
    tree = [_Execution(cache.keep(path), 0)]
    numbered = search.analyses.contexts(contexts)
    memory = _Memory(cache, tree, SettledContexts(numbered), RecentContexts(numbered))
    for length in range(1, contexts + 1):
        yield from _Stage(search, memory, length).run()
    return None


@dataclass(frozen=True, slots=True)
class _Memory:
    """What lasts from one stage to the next."""

    cache: PathCache
    tree: list[_Execution]
    ledger: SettledContexts
    recent: RecentContexts


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

    def __init__(self, search: SearchView, memory: _Memory, length: int) -> None:
        self._search = search
        self._memory = memory
        self._cache, self._tree, self._ledger = memory.cache, memory.tree, memory.ledger
        self._length = length
        self._claims: dict[int, _Claim] = {}
        # (depth, random, context), and (depth, -1, execution) where the next piece of a path is to be looked at.
        self._agenda: list[tuple[int, float, int]] = []

    def run(self) -> Part[None]:
        """Works through all depths of the tree, the smallest first."""
        for number, execution in enumerate(self._tree):
            heappush(self._agenda, (execution.start, _LOOK, number))
        while self._agenda:
            depth, kind, item = heappop(self._agenda)
            if kind == _LOOK:
                contexts = yield from self._contexts(item, depth)
                self._look(contexts, item, depth)
            elif item in self._claims and self._claims[item].depth == depth:
                self._ledger.try_(item)
                yield from self._try(self._claims.pop(item))

    def _try(self, claim: _Claim) -> Part[None]:
        execution = self._tree[claim.execution]
        execution.tried.add(claim.depth)
        path = yield from self._cache.fetch(execution.kept)
        if claim.depth >= len(path.symbolic):  # run again, it went another way
            return
        flipped: Path | None = yield self._search.flip(path, path.symbolic[claim.depth], fresh=True)
        if flipped is not None:
            heappush(self._agenda, (claim.depth + 1, _LOOK, len(self._tree)))
            self._tree.append(_Execution(self._cache.keep(flipped), claim.depth + 1))

    def _contexts(self, number: int, depth: int) -> Part[Ints]:
        """Of an execution, from a depth on."""
        execution, recent = self._tree[number], self._memory.recent
        begin = depth - execution.start
        contexts = recent.get(number, self._length, begin)
        while contexts is None:
            path = yield from self._cache.fetch(execution.kept)
            recent.compute(path, execution.start, number)
            contexts = recent.get(number, self._length, begin)
        return contexts

    def _look(self, contexts: Ints, number: int, depth: int) -> None:
        """Claim the new contexts of the next piece of a path; of larger and larger pieces while there are none."""
        tried = self._tree[number].tried
        news = self._ledger.news(contexts, depth)
        begin, size, found = depth, _PIECE, 0
        while len(news) and not found:
            depth, size = depth + size, 4 * size
            end = int(news.searchsorted(depth - begin))
            places, news = news[:end], news[end:]
            for place, context in zip((places + begin).tolist(), contexts[places].tolist(), strict=True):
                if place not in tried:
                    found += self._claim(context, place, number)
        if len(news):
            heappush(self._agenda, (depth, _LOOK, number))

    def _claim(self, context: int, depth: int, number: int) -> bool:
        """Note that an execution has a context at a depth; False if it occurs before that anyway."""
        claim = self._claims.get(context)
        if claim is None or depth < claim.depth:
            self._claims[context] = _Claim(depth, number)
            self._ledger.claim(context, depth)
            heappush(self._agenda, (depth, self._search.rng.random(), context))
            return True
        if depth > claim.depth:
            return False
        claim.among += 1
        if self._search.rng.randrange(claim.among) == 0:
            claim.execution = number
        return True
