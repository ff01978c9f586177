"""Openings: decisions of runs whose other side no run has covered.

One flip away from something new: but a run that covers nothing is forgotten, and with it what it had come near to. A
number of four digits where one of one digit stood cannot be told from it by branches; yet only of the longer one the
condition `value == 1000` can be met. Expressions tell them apart: the same condition has the same number in all runs.
So each condition over an uncovered branch is kept once, with the run that showed it first. When all were tried, it is
the turn of later runs that showed them: other decisions may stand before them there.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import ConstraintKind, Path
from untaken.search.coverage import Coverage

_BRANCH = int(ConstraintKind.BRANCH)
_MOST_KEPT = 32  # of a goal; then the oldest go
_MOST_AGAIN = 8  # the same of those whose condition was known
_MOST_OF_A_RUN = 64
_MOST_SEEN = 1 << 18  # conditions that are remembered


class Opening(NamedTuple):
    """A decision of a run, by its input, and the branch that it is one flip away from."""

    input: bytes
    decision: int  # the number of its constraint
    goal: int


class Openings:
    """Those that were not tried yet, over all runs since somebody wanted to know."""

    def __init__(self, coverage: Coverage, id_count: int) -> None:
        self._coverage = coverage
        self._open = np.zeros(id_count, np.bool_)
        self._found = -1  # what was covered when that was found out
        self._seen: set[tuple[int, int, int]] = set()
        self._waiting: dict[int, list[Opening]] = {}
        self._shown_again: dict[int, list[Opening]] = {}
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
        for index in np.flatnonzero(self._is_open()[goals] & (rows["kind"] == _BRANCH))[:_MOST_OF_A_RUN].tolist():
            self._add(path, index, int(goals[index]))
        return self.shown > before

    def next(self) -> Opening | None:
        """One of the goal that was tried least: in turn the newest, and the one with the fewest decisions before it,
        which may stand against it. None if there is none."""
        goal = self._least_tried(self._waiting)
        if goal is None:
            return None
        waiting, tries = self._waiting[goal], self._tries.get(goal, 0)
        if tries % 2:
            waiting.sort(key=lambda opening: opening.decision, reverse=True)  # later ones come behind it again
        opening = waiting.pop()
        if not waiting:
            del self._waiting[goal]
        self._tries[goal] = tries + 1
        return opening

    def again(self, rng: Random) -> Opening | None:
        """One whose condition was tried, of the goal that was tried least, in one of the runs that showed it since."""
        goal = self._least_tried(self._shown_again)
        if goal is None:
            return None
        self._tries[goal] = self._tries.get(goal, 0) + 1
        return rng.choice(self._shown_again[goal])

    def _least_tried(self, goals: dict[int, list[Opening]]) -> int | None:
        is_open = self._is_open()
        for goal in [goal for goal in goals if not is_open[goal]]:
            del goals[goal]
        return min(goals, key=lambda goal: self._tries.get(goal, 0)) if goals else None

    def _add(self, path: Path, index: int, goal: int) -> None:
        key = goal, path.generation, int(path.constraints["node"][index])
        is_new = key not in self._seen
        if is_new:
            if len(self._seen) >= _MOST_SEEN:
                self._seen.clear()
            self._seen.add(key)
            self.shown += 1
        kept = (self._waiting if is_new else self._shown_again).setdefault(goal, [])
        kept.append(Opening(path.input, index, goal))
        if len(kept) > (_MOST_KEPT if is_new else _MOST_AGAIN):
            del kept[0]

    def _is_open(self) -> NDArray[np.bool_]:
        if self._found != self._coverage.count:
            self._found = self._coverage.count
            self._open[:] = False
            uncovered = self._coverage.uncovered()
            self._open[uncovered[uncovered < len(self._open)]] = True
            self._open[0] = False
        return self._open
