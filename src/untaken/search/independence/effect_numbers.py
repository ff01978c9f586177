"""Effects of conditions as numbers, for those who reduce tests and must keep what these show."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import ProgramMap
from untaken.search.coverage_goals import CoverageGoals
from untaken.search.independence.effects import effects_of
from untaken.search.independence.evaluations import EvaluationReader


class EffectNumbers:
    """Numbers past all ids: one for each condition of several, its value and the outcome that it decided.

    What decides alone, a condition that is a whole decision, is shown by branches.
    """

    def __init__(self, program: ProgramMap, goals: CoverageGoals) -> None:
        self._decisions = goals.decisions
        self._reader = EvaluationReader(program, goals.decisions)
        widths = (len(decision.conditions) for decision in goals.decisions)
        self._first = [program.id_count + 4 * before for before in accumulate(widths, initial=0)]

    def shown(self, events: NDArray[np.uint32]) -> frozenset[int]:
        """What a run with these events shows."""
        return frozenset(
            self._first[evaluation.decision] + 4 * effect.condition + 2 * effect.holds + effect.outcome
            for evaluation in self._reader.read(events)
            for effect in effects_of(self._decisions[evaluation.decision], evaluation)
        )
