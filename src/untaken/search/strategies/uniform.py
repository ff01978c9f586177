"""Uniform random search (CREST paper, section 3.1): draws paths uniformly, each symbolic branch like a coin.

From position i of the current path, the j-th symbolic branch is picked with probability 2^-j, and with what is left
the draw ends. If the branch can be forced the new path becomes the current one; either way the position moves past
it. A branch that cannot be forced then changes nothing, so each path with k branches that can go both ways is drawn
with probability 2^-k. The next draw starts from the path of the last one, which the distribution does not depend on.
"""

from __future__ import annotations

from random import Random

from untaken.model.path import Path
from untaken.search.attempts import Part, Steps
from untaken.search.view import SearchView

# Draws that forced nothing before the search gives up on a path; with one branch that can be forced, a chance of 2^-64.
_IDLE_DRAWS = 64


def uniform(search: SearchView) -> Steps:
    """Draws paths uniformly at random: each symbolic branch goes either way with probability 1/2."""
    path: Path = yield search.initial()
    idle = 0
    while idle < _IDLE_DRAWS:
        drawn = yield from draw_path(search, path)
        idle = idle + 1 if drawn is path else 0
        path = drawn
    return None


def draw_path(search: SearchView, path: Path) -> Part[Path]:
    """UniformRandomSearch: one path drawn, starting from any."""
    position = 0  # in the list of symbolic branches
    while True:
        picked = position + _heads(search.rng)
        if picked >= len(path.symbolic):
            return path
        flipped: Path | None = yield search.flip(path, path.symbolic[picked])
        path = flipped or path
        position = picked + 1


def _heads(rng: Random) -> int:
    """0 with probability 1/2, 1 with 1/4 and so on: how often a coin shows heads before the first tails."""
    heads = 0
    while rng.getrandbits(1):
        heads += 1
    return heads
