"""Random branch search (CREST paper, section 3.2): force a random branch of the current path, over and over.

A branch that could not be forced is not drawn again from the same path; the paper does not say, and without this a
path of infeasible branches would never be left. When all were drawn the search ends, and is restarted. So it is after
some runs without a new branch: an option of the paper, and worth a third more coverage on GNU sed.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from untaken.model.path import Path
from untaken.search.attempts import Count, Part, Steps
from untaken.search.view import SearchView


def random_branch(search: SearchView, *, restart: Count | None = 100) -> Steps:
    """Forces a random branch of the current path; the new path becomes the current one.

    Begins again on new inputs after `restart` runs without a new branch.
    """
    path: Path | None = yield search.initial()
    begun = search.tally.iterations
    while path is not None:
        path = yield from _force_any(search, path)
        still = search.tally.iterations - max(search.tally.last_new, begun)
        if restart is not None and still >= restart:
            return None
    return None


def _force_any(search: SearchView, path: Path) -> Part[Path | None]:
    for draw in draws(search.rng, len(path.symbolic)):
        flipped: Path | None = yield search.flip(path, path.symbolic[draw])
        if flipped is not None:
            return flipped
    return None


def draws(rng: Random, count: int) -> Iterator[int]:
    """0..count-1 in random order, drawn one by one: a shuffle whose cost is that of the draws really made."""
    moved: dict[int, int] = {}
    for last in range(count - 1, -1, -1):
        chosen = rng.randint(0, last)
        yield moved.get(chosen, chosen)
        moved[chosen] = moved.get(last, last)
