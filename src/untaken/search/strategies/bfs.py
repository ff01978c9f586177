"""Breadth-first search: the flips of all known paths, the least deep first."""

from __future__ import annotations

from collections import deque

from untaken.model.path import Path
from untaken.search.attempts import Finish, Steps
from untaken.search.path_cache import Kept
from untaken.search.view import Search


def bfs(search: Search) -> Steps:
    """Breadth-first: flips the branch nearest to the start that was not yet flipped in any path."""
    path: Path = yield search.initial()
    shelf = search.shelf()
    level: deque[tuple[Kept, int]] = deque([(shelf.keep(path), 0)])  # paths, with how many branches are done with
    while level:
        kept, done = level.popleft()
        path = yield from shelf.fetch(kept)
        if done >= len(path.symbolic):
            shelf.drop(kept)
            continue
        flipped: Path | None = yield search.flip(path, path.symbolic[done])
        level.append((kept, done + 1))
        if flipped is not None:
            level.append((shelf.keep(flipped), done + 1))
    return Finish.EXHAUSTED
