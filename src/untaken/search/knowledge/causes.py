"""Causes: what the input decided last before a condition that it does not decide by data.

A condition on the kind of the last token, on what a function returned, on a state: no flip speaks of it. But what it
asks for was mostly set by what was decided shortly before: the first character of the token, the comparison in the
function. Each of these decisions may be known, and decided both ways elsewhere in the program. Before this condition it
was not. So for each uncovered branch the last decisions before its condition are kept, each once: told apart by their
expressions, since those of a longer token are others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.search.coverage import Coverage

_BEFORE = 8  # decisions that may be to blame
_MOST_KEPT = 64  # of a goal; then the oldest go
_MOST_CONDITIONS = 64  # of a run: the last ones
_MOST_SEEN = 1 << 18  # questions that are remembered


class LateDecision(NamedTuple):
    """A decision of a run, by its input, shortly before the condition of an uncovered branch."""

    input: bytes
    decision: int  # the number of its constraint
    side: int  # that was taken
    goal: int
    back: int  # how many decisions there were between it and the condition


class Causes:
    """Those that were not tried yet, over all runs since somebody wanted to know."""

    def __init__(self, coverage: Coverage, id_count: int) -> None:
        self._coverage = coverage
        self._beside = np.zeros(id_count + 1, np.bool_)  # sides whose other side is uncovered
        self._found = -1  # what was covered when that was found out
        self._seen: set[tuple[int, int]] = set()
        self._waiting: dict[int, list[LateDecision]] = {}
        self._tries: dict[int, int] = {}

    def observe(self, path: Path) -> None:
        """Notes the decisions before each condition that the run came to, if they are new there."""
        if path.snapshot or not len(path.placed):
            return
        places = self._conditions(path)
        if not places:
            return
        placed, rows, seen, generation = path.placed, path.constraint, self._seen, path.generation << 32
        ends = path.constraints["position"][placed].searchsorted(places).tolist()
        for place, end in zip(places, ends, strict=True):
            goal = path.events.item(place) ^ 1
            for back, decision in enumerate(placed[max(0, end - _BEFORE) : end][::-1].tolist()):
                node, side, *_ = rows(decision)
                key = goal << 32 | side, generation | node
                if key not in seen:
                    seen.add(key)
                    self._add(LateDecision(path.input, decision, side, goal, back))

    def next(self) -> LateDecision | None:
        """One of the goal that was tried least: in turn the newest, and the one that is next to its condition."""
        beside = self._sides()
        for goal in [goal for goal in self._waiting if not beside[goal ^ 1]]:
            del self._waiting[goal]
        if not self._waiting:
            return None
        goal = min(self._waiting, key=lambda goal: self._tries.get(goal, 0))
        tries = self._tries[goal] = self._tries.get(goal, 0) + 1
        waiting = self._waiting[goal]
        newest = len(waiting) - 1
        nearest = min(range(len(waiting)), key=lambda number: (waiting[number].back, -number))
        cause = waiting.pop(nearest if tries % 2 else newest)
        if not waiting:
            del self._waiting[goal]
        return cause

    def _conditions(self, path: Path) -> list[int]:
        """Where the run first and last came to each condition that it did not decide by data, and of which a side is
        uncovered."""
        ids = np.minimum(path.events, len(self._beside) - 1)
        is_asked = self._sides()[ids]
        decided = path.constraints["position"]
        is_asked[decided[decided < len(ids)]] = False
        asked = is_asked.nonzero()[0]
        found, places = ids[asked].tolist(), asked.tolist()
        last = dict(zip(found, places, strict=True))
        first = dict(zip(reversed(found), reversed(places), strict=True))
        return sorted({*first.values(), *last.values()})[-_MOST_CONDITIONS:]

    def _add(self, decision: LateDecision) -> None:
        if len(self._seen) > _MOST_SEEN:
            self._seen.clear()
        waiting = self._waiting.setdefault(decision.goal, [])
        waiting.append(decision)
        if len(waiting) > _MOST_KEPT:
            del waiting[0]

    def _sides(self) -> NDArray[np.bool_]:
        if self._found != self._coverage.count:
            self._found = self._coverage.count
            self._beside[:] = False
            taken = self._coverage.uncovered() ^ 1
            self._beside[taken[taken < len(self._beside) - 1]] = True
        return self._beside
