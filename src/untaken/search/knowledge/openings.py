"""Openings: decisions of runs whose other side no run has covered.

One flip away from something new: but a run that covers nothing is forgotten, and with it what it had come near to. A
number of four digits where one of one digit stood cannot be told from it by branches; yet only of the longer one the
condition `value == 1000` can be met. Expressions tell them apart: the same condition has the same number in all runs.
So each condition over an uncovered branch is kept once, with the run that showed it first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import ConstraintKind, Path
from untaken.search.coverage import Coverage

_BRANCH = int(ConstraintKind.BRANCH)
_MOST_KEPT = 32  # of a goal; then the oldest go
_MOST_SEEN = 1 << 18  # conditions that are remembered


class Opening(NamedTuple):
    """A decision of a run, by its input, and the branch that it is one flip away from."""

    input: bytes
    index: int
    goal: int


class Openings:
    """Those that were not tried yet, over all runs since somebody wanted to know."""

    def __init__(self, coverage: Coverage, id_count: int) -> None:
        self._coverage = coverage
        self._open = np.zeros(id_count, np.bool_)
        self._found = -1  # what was covered when that was found out
        self._seen: set[tuple[int, int, int]] = set()
        self._waiting: dict[int, list[Opening]] = {}
        self._tries: dict[int, int] = {}
        self.shown = 0  # so far

    def observe(self, path: Path) -> bool:
        """A run happened; whether it showed one that was not known. Most do not."""
        if path.snapshot or not len(path.constraints):
            return False
        before = self.shown
        rows = path.constraints
        goals = rows["id"].astype(np.intp) ^ 1
        goals[goals >= len(self._open)] = 0
        for index in np.flatnonzero(self._is_open()[goals] & (rows["kind"] == _BRANCH)).tolist():
            self._add(path, index, int(goals[index]))
        return self.shown > before

    def next(self) -> Opening | None:
        """One of the goal that was tried least: in turn the newest, and the one with the fewest decisions before it,
        which may stand against it. None if there is none."""
        is_open = self._is_open()
        for goal in [goal for goal in self._waiting if not is_open[goal]]:
            del self._waiting[goal]
        if not self._waiting:
            return None
        goal = min(self._waiting, key=lambda goal: self._tries.get(goal, 0))
        waiting, tries = self._waiting[goal], self._tries.get(goal, 0)
        if tries % 2:
            waiting.sort(key=lambda opening: opening.index, reverse=True)  # later ones come behind it again
        opening = waiting.pop()
        if not self._waiting[goal]:
            del self._waiting[goal]
        self._tries[goal] = tries + 1
        return opening

    def _add(self, path: Path, index: int, goal: int) -> None:
        key = goal, path.generation, int(path.constraints["node"][index])
        if key in self._seen:
            return
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen.add(key)
        self.shown += 1
        waiting = self._waiting.setdefault(goal, [])
        waiting.append(Opening(path.input, index, goal))
        if len(waiting) > _MOST_KEPT:
            del waiting[0]

    def _is_open(self) -> NDArray[np.bool_]:
        if self._found != self._coverage.found:
            self._found = self._coverage.found
            self._open[:] = False
            uncovered = self._coverage.uncovered()
            self._open[uncovered[uncovered < len(self._open)]] = True
            self._open[0] = False
        return self._open
