"""Generational search, as the ParaDySE paper compares it (it comes from SAGE).

A pool of paths; the one whose run covered most new branches is expanded, the newest among equals: every branch from
its bound to its end is flipped, and each child joins the pool with a bound past its flip, so that no path is made
twice. Inputs that the solved constraints do not mention get fresh random values.
"""

from __future__ import annotations

from heapq import heappop, heappush

from untaken.model.path import Path
from untaken.search.attempts import Finish, Outcome, Steps
from untaken.search.knowledge.path_cache import CachedPath
from untaken.search.view import SearchView


def generational(search: SearchView) -> Steps:
    """Flips every branch of the most rewarding path, then takes the next best."""
    path: Path = yield search.initial()
    cache = search.path_cache()
    pool: list[tuple[int, int, CachedPath, int]] = [(0, 0, cache.keep(path), 0)]  # -score, -age, path, bound
    born = 0
    while pool:
        _, _, kept, bound = heappop(pool)
        path = yield from cache.fetch(kept)
        for index in path.symbolic[path.symbolic >= bound].tolist():
            outcome: Outcome = yield search.force(path, index, fresh=True)
            if outcome.held and outcome.path is not None:
                born += 1
                heappush(pool, (-outcome.new_branches, -born, cache.keep(outcome.path), index + 1))
        cache.drop(kept)
    return Finish.EXHAUSTED
