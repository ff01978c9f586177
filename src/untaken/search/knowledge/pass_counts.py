"""How often runs passed each id: what tells runs apart that cover the same.

A loop that went round for the first time eight times has filled a list of eight, and nothing that only asks what was
passed at all sees that. As in AFL, numbers are told apart roughly: 1, 2, 3, up to 7, 15, 31, 127, and more. A run that
passed something about as often as none before it is kept, for random changes to begin from.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from untaken.model.input import Field
from untaken.model.path import ExitKind, Path

_BORDERS = (1, 2, 3, 4, 8, 16, 32, 128)  # from each on, a number is of another sort than those below
MOST_KEPT = 2_000
_Kept = tuple[bytes, tuple[Field, ...]]


def _sorts() -> NDArray[np.uint8]:
    """Of each number below 256 a bit that tells its sort; of 0 none."""
    table = np.zeros(256, np.uint8)
    for bit, border in enumerate(_BORDERS):
        table[border:] = 1 << bit
    return table


_SORTS = _sorts()


class PassCounts:
    """Which sorts of numbers were seen of each id, over all runs since somebody wanted to know."""

    def __init__(self, rng: Random, id_count: int) -> None:
        self._rng = rng
        self.seen: NDArray[np.uint8] = np.zeros(
            id_count + 1, np.uint8
        )  # bits of sorts; the last: of ids that the map lacks
        self.kept: list[_Kept] = []

    def observe(self, path: Path) -> None:
        """A run happened; if it is told apart from all before it, it is kept. How often one that was late passed
        something is a matter of time."""
        if not path.snapshot and path.exit.kind is not ExitKind.TIMEOUT and self.is_new(path.events):
            self.keep(path)

    def is_new(self, events: NDArray[np.uint32]) -> bool:
        """Whether a run passed something as often as none before it. From now on one did."""
        last = len(self.seen) - 1
        counts = np.bincount(np.minimum(events, last), minlength=last + 1)
        sorts = _SORTS[np.minimum(counts, 255)]
        if not (sorts & ~self.seen).any():
            return False
        self.seen |= sorts
        return True

    def keep(self, path: Path) -> None:
        """Random changes may begin from this run."""
        if len(self.kept) >= MOST_KEPT:
            del self.kept[self._rng.randrange(MOST_KEPT)]
        self.kept.append((path.input, path.fields))
