"""Solve-First (OSMOSE paper, section 5): depth-first search that solves all alternatives of a path at once.

When a path is reached, every branch of it that is not fixed by its prefix is flipped, the first one first, so that
short prefixes are solved before long ones; each answer is run at once for its coverage. Then the search goes back along
the path from its end, and on into what was found for each branch. The runs themselves are the cache: they lie in a
cache and are not repeated. Input bytes that the solved prefix does not mention get random values, so that the runs
differ from the path also behind the flip.
"""

from __future__ import annotations

from untaken.model.path import Path
from untaken.search.attempts import Finish, Part, Steps
from untaken.search.knowledge.path_cache import CachedPath, PathCache
from untaken.search.view import SearchView

_Waiting = tuple[CachedPath, int]  # a path, and the first of its constraints that may be flipped


def solve_first(search: SearchView) -> Steps:
    """Depth-first, but all branches of a path are flipped at once and run, before the search goes on in any."""
    path: Path = yield search.initial()
    cache = search.path_cache()
    stack: list[_Waiting] = [(cache.keep(path), 0)]
    while stack:
        kept, bound = stack.pop()
        path = yield from cache.fetch(kept)
        stack += yield from _alternatives(search, cache, path, bound)
        cache.drop(kept)
    return Finish.EXHAUSTED


def _alternatives(search: SearchView, cache: PathCache, path: Path, bound: int) -> Part[list[_Waiting]]:
    """The runs that leave the path at its constraints from `bound` on, in their order: the last is visited first."""
    found: list[_Waiting] = []
    for index in path.symbolic[path.symbolic >= bound].tolist():
        flipped: Path | None = yield search.flip(path, index, fresh=True)
        if flipped is not None:
            found.append((cache.keep(flipped), index + 1))
    return found
