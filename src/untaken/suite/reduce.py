"""Smaller tests, fewer tests: the algorithms, whatever a test is and whoever says that it still will do.

`--minimise` (campaign/minimise.py) and the C export (unit/export/minimise.py) say what there is to reduce, and run the
program to judge each attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

AT_ANY_PLACE = (3, 2, 1)  # pieces: what belongs together need not begin at a multiple of its length

Piece = TypeVar("Piece")
Pieces = tuple[Piece, ...]  # in order; each may be left out


def shortest(pieces: Pieces[Piece], good: Callable[[Pieces[Piece]], bool]) -> Pieces[Piece]:
    """Delta debugging: leaves out larger and then smaller stretches as long as `good` says so."""
    size = len(pieces)
    while size > 0 and pieces:
        pieces = without_stretches(pieces, size, size, good)
        size = min(size, len(pieces)) // 2
    for size in AT_ANY_PLACE:
        pieces = without_stretches(pieces, size, 1, good)
    return pieces


def without_stretches(
    pieces: Pieces[Piece], size: int, step: int, good: Callable[[Pieces[Piece]], bool]
) -> Pieces[Piece]:
    """Leaves out stretches of one size that begin so far apart."""
    start = 0
    while start < len(pieces):
        shorter = pieces[:start] + pieces[start + size :]
        if good(shorter):
            pieces = shorter
        else:
            start += step
    return pieces


def with_simpler(data: bytes, start: int, values: Iterable[bytes], good: Callable[[bytes], bool]) -> bytes | None:
    """The data with the first of `values` in place of what is at `start`, the simplest first; None if none is good."""
    for value in values:
        simpler = data[:start] + value + data[start + len(value) :]
        if simpler == data or good(simpler):
            return simpler
    return None


def smallest_cover(covered: Sequence[frozenset[int]]) -> list[int]:
    """Which of these sets, in order, together cover all that all of them do; one is chosen in any case.

    Greedy: always the set that adds most, the earliest of several.
    """
    left = frozenset[int]().union(*covered)
    chosen: set[int] = set() if left else {0}
    while left:
        best = max(range(len(covered)), key=lambda place: (len(covered[place] & left), -place))
        chosen.add(best)
        left -= covered[best]
    return sorted(chosen)
