"""Bounded depth-first search (CREST paper, section 2.4).

BoundedDFS(p, i, depth) flips the branches of p at and after i in order, each time going on depth-first in the new
path; a branch that cannot be forced does not count towards the depth. The paper can be read in two ways: the call in
the new path may be given the depth of its caller less one, or less all that the caller has forced so far. Only the
second forces the 2^d - 1 branches that the paper speaks of, so it is ours (the first would force 4 with d = 2). The
recursion is written out as a stack, since paths can be longer than Python recurses, and the stack's paths lie in a
cache, since there can be as many.
Unbounded, it visits every path of the program once and says so when it is through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.search.attempts import Count, Finish, Part, Steps
from untaken.search.declaration import Options, declares
from untaken.search.knowledge.path_cache import CachedPath
from untaken.search.strategies.random_branch import draws
from untaken.search.view import SearchView


@dataclass(slots=True)
class _Call:
    """One call of BoundedDFS that is under way."""

    kept: CachedPath
    branches: Iterator[np.intp]  # of p, those at and after i that were not yet picked
    depth: int | None  # how many branches may still be forced; None: any number


def _refuses(options: Options) -> str | None:
    if options.get("last_first") and options.get("shuffle"):
        return "flips the last branch first, or any one: choose last-first or shuffle"
    return None


@declares(refuses=_refuses)
def dfs(
    search: SearchView,
    *,
    depth: Count | None = None,
    deepen: bool = False,
    last_first: bool = False,
    shuffle: bool = False,
) -> Steps:
    """Depth-first: flips the first untried branch, then goes on in the new path.

    `depth` bounds how many branches are forced along a path; with `deepen` the search is done again with double
    the depth whenever it is through. `last_first` goes back along a path from its end. With `shuffle` any untried
    branch is flipped, not the first.
    """
    path = yield search.initial()
    bound = (depth or 1) if deepen else depth
    while True:
        through = yield from bounded_dfs(search, path, bound, last_first=last_first, shuffle=shuffle)
        if through:
            return Finish.EXHAUSTED
        if not deepen or bound is None:
            return None
        bound *= 2


def bounded_dfs(
    search: SearchView, path: Path, depth: int | None, *, last_first: bool = False, shuffle: bool = False
) -> Part[bool]:
    """BoundedDFS(path, 0, depth); returns whether the bound left nothing out."""
    cache = search.path_cache()

    def in_order(branches: NDArray[np.intp]) -> Iterator[np.intp]:
        if shuffle:
            return (branches[draw] for draw in draws(search.rng, len(branches)))
        return iter(branches[::-1] if last_first else branches)

    calls = [_Call(cache.keep(path), in_order(path.symbolic), depth)]
    at, length = calls[0].kept, len(path)  # of `path`, which is only looked up when the call is another one
    through = True
    while calls:
        call = calls[-1]
        index = next(call.branches, None)
        if index is None or call.depth == 0:
            through &= index is None
            cache.drop(calls.pop().kept)
            continue
        if call.kept is not at:
            path = yield from cache.fetch(call.kept)
            at, length = call.kept, len(path)
        if index >= length:  # run again, it went another way
            through = False
            continue
        flipped: Path | None = yield search.flip(path, int(index))
        if flipped is not None:
            call.depth = None if call.depth is None else call.depth - 1
            below = flipped.symbolic[np.searchsorted(flipped.symbolic, index, side="right") :]
            calls.append(_Call(cache.keep(flipped), in_order(below), call.depth))
    return through
