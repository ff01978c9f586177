"""The earliest way to each branch: the run that passed it after having looked at the least of its input.

A corpus keeps the run that was first to cover a branch. It may have got there with the last of its input: from there
nothing is left to decide. A later run that gets there at once covers nothing new, yet is the better one to start from.
So this looks at every run, and lets the better one replace the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.search.coverage import Coverage

_NEVER = np.iinfo(np.intp).max

InputMeasure = Callable[[Path], NDArray[np.intp]]


def decisions_made(path: Path) -> NDArray[np.intp]:
    """For each constraint how many there were with it: where it is not known which input bytes they speak of."""
    return np.arange(1, len(path) + 1)


def decisions_before(path: Path) -> NDArray[np.intp]:
    """For each constraint how many there were before it."""
    return np.arange(len(path))


@dataclass(frozen=True, slots=True)
class Witness:
    """An input that passes a branch, and how many of its bytes were looked at before it did."""

    input: bytes
    used: int


class EarliestWitnesses:
    """For each id the input that passed it after the least input, of all runs."""

    def __init__(self, id_count: int, reach: InputMeasure = decisions_made) -> None:
        self._reach = reach
        self._used: NDArray[np.intp] = np.full(id_count + 1, _NEVER, np.intp)  # before the id was passed first
        self._used[-1] = 0  # stands for ids of libraries that are not in the map
        self.ways: dict[int, Witness] = {}
        self.improvements: list[int] = []  # ids, each time that a run did better

    def observe(self, path: Path) -> None:
        """A run happened. Those from a snapshot say nothing of what came before it."""
        if path.snapshot or not len(path.events):
            return
        ids = np.minimum(path.events, len(self._used) - 1)
        used = self._used_before(path)
        better = np.flatnonzero(used < self._used[ids])
        if len(better):
            self._replace(path.input, ids[better], used[better])

    def is_improved_by(self, path: Path, index: int) -> bool:
        """Whether the other side of constraint `index` would be reached for the first time, or earlier."""
        branch = int(path.constraints["id"][index]) ^ 1
        return branch < len(self._used) - 1 and int(self._reach(path)[index]) < self._used[branch]

    def beside(self, coverage: Coverage) -> list[Witness]:
        """Ways to branches whose other side is uncovered."""
        passed: list[int] = (coverage.uncovered() ^ 1).tolist()
        return [self.ways[branch] for branch in passed if branch in self.ways]

    def _replace(self, input: bytes, ids: NDArray[np.uint32], used: NDArray[np.intp]) -> None:
        self._used[ids[::-1]] = used[::-1]  # of several occurrences the first is written last
        improved = np.unique(ids).tolist()
        self.ways.update((branch, Witness(input, int(self._used[branch]))) for branch in improved)
        self.improvements.extend(improved)

    def _used_before(self, path: Path) -> NDArray[np.intp]:
        """For each event, how much of the input was looked at up to it."""
        ends = np.maximum.accumulate(np.minimum(path.constraints["position"], len(path.events)).astype(np.intp))
        return np.repeat(np.concatenate(([0], self._reach(path))), np.diff(ends, prepend=0, append=len(path.events)))
