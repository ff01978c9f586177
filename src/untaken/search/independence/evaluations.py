"""Reads from the events of a run how each decision was evaluated: which conditions, and what they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.decision import OUTCOMES, Decision
from untaken.model.program import ProgramMap

MOST_CONDITIONS = 63  # of a decision that is looked at: evaluations are two masks
_FEW_CONDITIONS = 20  # up to which a whole evaluation fits into one number, with 2 ** 23 decisions
_NO_ROWS: NDArray[np.int64] = np.empty((0, 3), np.int64)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Of a decision, by its number: bit k of `evaluated` says that condition k was, and of `values` that it held."""

    decision: int
    evaluated: int
    values: int

    def holds(self, condition: int) -> bool | None:
        """None: it was not evaluated."""
        return bool(self.values >> condition & 1) if self.evaluated >> condition & 1 else None


def is_readable(decision: Decision) -> bool:
    """Whether evaluations of it can be told."""
    return decision.is_known and 1 < len(decision.conditions) <= MOST_CONDITIONS


class EvaluationReader:
    """For the decisions of several conditions among those given, by their numbers there.

    A condition may call functions, or hold decisions of its own, so the conditions of one evaluation need not come one
    right after the other. But what is of the same decision and at the same depth of calls does.
    """

    def __init__(self, program: ProgramMap, decisions: Sequence[Decision]) -> None:
        self._decision_of = np.full(program.id_count, -1, np.int64)
        self._condition_of = np.zeros(program.id_count, np.int64)
        self._leads_to = np.zeros(program.id_count, np.int64)
        self._is_few = True
        for number, decision in enumerate(decisions):
            if is_readable(decision):
                self._note(number, decision)
        self._depth_change = np.zeros(program.id_count, np.int64)
        for function in program.functions:
            self._depth_change[function.entry_id] = 1
            self._depth_change[function.return_id] = -1

    def _note(self, number: int, decision: Decision) -> None:
        self._is_few = self._is_few and len(decision.conditions) <= _FEW_CONDITIONS
        for place, condition in enumerate(decision.conditions):
            for branch, holds in ((condition.branch, True), (condition.branch + 1, False)):
                self._decision_of[branch] = number
                self._condition_of[branch] = place
                self._leads_to[branch] = condition.leads_to(holds)

    def read(self, events: NDArray[np.uint32]) -> list[Evaluation]:
        """Each kind of evaluation once, in ascending order. One that the run did not complete is left out."""
        events = events[events < len(self._decision_of)]
        places = np.flatnonzero(self._decision_of[events] >= 0)
        if not len(places):
            return []
        rows = self._rows(events, places)
        return [Evaluation(*row) for row in self._distinct(rows).tolist()]

    def places(self, events: NDArray[np.uint32], wanted: Evaluation) -> list[int]:
        """Where in the events the first evaluation of this kind was made: of each condition that it evaluated."""
        events = np.where(events < len(self._decision_of), events, 0)
        own = np.flatnonzero(self._decision_of[events] == wanted.decision)
        depths = np.cumsum(self._depth_change[events])[own]
        for start in np.flatnonzero(self._condition_of[events[own]] == 0).tolist():
            found = self._follow(events, own[depths == depths[start]], int(own[start]), wanted)
            if found:
                return found
        return []

    def _follow(self, events: NDArray[np.uint32], own: NDArray[np.intp], start: int, wanted: Evaluation) -> list[int]:
        found: list[int] = []
        expected = OUTCOMES
        for place in own[np.searchsorted(own, start) :].tolist():
            event = int(events[place])
            condition = int(self._condition_of[event])
            if condition + OUTCOMES != expected or wanted.holds(condition) is not (event & 1 == 0):
                return []
            found.append(place)
            expected = int(self._leads_to[event])
            if expected < OUTCOMES:
                return found
        return []

    def _rows(self, events: NDArray[np.uint32], places: NDArray[np.intp]) -> NDArray[np.int64]:
        depth = np.cumsum(self._depth_change[events])[places]
        order = np.lexsort((places, depth, self._decision_of[events[places]]))
        own, depth = events[places][order], depth[order]
        decision, condition = self._decision_of[own], self._condition_of[own]
        at = np.flatnonzero(condition == 0)
        bit = (own[at] & 1 == 0).astype(np.int64)
        evaluated, values, following = np.ones(len(at), np.int64), bit, self._leads_to[own[at]]
        done = [_NO_ROWS]
        while len(at):
            ended = following < OUTCOMES
            done.append(np.stack((decision[at[ended]], evaluated[ended], values[ended]), axis=1))
            on = ~ended & (at + 1 < len(own))
            at, evaluated, values, following = at[on] + 1, evaluated[on], values[on], following[on]
            same = (decision[at] == decision[at - 1]) & (depth[at] == depth[at - 1])
            same &= condition[at] + OUTCOMES == following
            at, evaluated, values = at[same], evaluated[same], values[same]
            bit = (own[at] & 1 == 0).astype(np.int64)
            evaluated, values = evaluated | 1 << condition[at], values | bit << condition[at]
            following = self._leads_to[own[at]]
        return np.concatenate(done)

    def _distinct(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if not self._is_few:
            return np.unique(rows, axis=0)
        width = _FEW_CONDITIONS
        packed = np.unique(rows[:, 0] << 2 * width | rows[:, 1] << width | rows[:, 2])
        mask = (1 << width) - 1
        return np.stack((packed >> 2 * width, packed >> width & mask, packed & mask), axis=1)
