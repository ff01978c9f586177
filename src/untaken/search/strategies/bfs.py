"""Breadth-first search: the flips of all known paths, the least deep first."""

from __future__ import annotations

from collections import deque

from untaken.model.path import Path
from untaken.search.attempts import Finish, Steps
from untaken.search.knowledge.path_cache import CachedPath
from untaken.search.view import SearchView


def bfs(search: SearchView) -> Steps:
    """Breadth-first: flips the branch nearest to the start that was not yet flipped in any path."""
    path: Path = yield search.initial()
    cache = search.path_cache()
    level: deque[tuple[CachedPath, int]] = deque([(cache.keep(path), 0)])  # paths, with how many branches are done with
    while level:
        kept, done = level.popleft()
        path = yield from cache.fetch(kept)
        if done >= len(path.symbolic):
            cache.drop(kept)
            continue
        flipped: Path | None = yield search.flip(path, path.symbolic[done])
        level.append((kept, done + 1))
        if flipped is not None:
            level.append((cache.keep(flipped), done + 1))
    return Finish.EXHAUSTED
