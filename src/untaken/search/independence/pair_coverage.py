"""Coverage where conditions are to be shown to decide on their own: each needs a pair of runs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from untaken.model.decision import Decision
from untaken.model.path import Path
from untaken.model.program import ProgramMap
from untaken.search.coverage import Coverage
from untaken.search.coverage_goals import CoverageGoals, Criterion
from untaken.search.independence.effects import Effect, effects_of
from untaken.search.independence.evaluations import Evaluation, EvaluationReader, is_readable

MOST_WITNESSES = 3  # inputs that are remembered of an evaluation


class PairCoverage(Coverage):
    """`count` and `total` are of conditions, `found` of effects: a run that shows half of a pair is progress."""

    def __init__(self, program: ProgramMap, goals: CoverageGoals) -> None:
        super().__init__(program, goals)
        self.decisions = goals.decisions
        self.reader = EvaluationReader(program, goals.decisions)
        self.evaluations: dict[Evaluation, list[bytes]] = {}  # inputs whose runs make them
        self._effects: set[tuple[int, Effect]] = set()  # with the number of the decision
        self._open = {number: _pairs_wanted(decision) for number, decision in enumerate(goals.decisions)}
        self._of_single = {
            int(decision.conditions[0].branch) + side: (number, not side)
            for number, decision in enumerate(goals.decisions)
            if decision.is_single
            for side in (0, 1)
        }

    @property
    def found(self) -> int:
        return len(self._effects)

    @property
    def full(self) -> bool:
        return not any(self._open.values())

    @property
    def open_decisions(self) -> list[int]:
        """Decisions that can be told evaluations of, with a condition that was not shown to decide on its own."""
        return [number for number, left in self._open.items() if left and is_readable(self.decisions[number])]

    def add_run(self, path: Path) -> NDArray[np.intp]:
        for evaluation in self.reader.read(path.events):
            inputs = self.evaluations.setdefault(evaluation, [])
            if not inputs:
                self._note_effects(evaluation)
            if len(inputs) < MOST_WITNESSES and path.input not in inputs and not path.snapshot:
                inputs.append(path.input)
        return self.add(path.passed)

    def joined(self, events: NDArray[np.uint32]) -> Coverage:
        if not len(events):
            return self
        both = self.anew()
        both.add(np.flatnonzero(self.hit).astype(np.uint32))
        both.add(events)
        both.evaluations = self.evaluations
        for evaluation in self.evaluations:
            both._note_effects(evaluation)
        return both

    def uncovered(self) -> NDArray[np.intp]:
        """Of a decision of several conditions all branches are wanted until all its pairs are there: what shows that a
        condition decides may be what comes after it."""
        if self._uncovered is None:
            self._uncovered = np.asarray(sorted(self._wanted()), np.intp)
            self._uncovered.flags.writeable = False
        return self._uncovered

    def _wanted(self) -> Iterable[int]:
        for number, left in self._open.items():
            decision = self.decisions[number]
            for condition in decision.conditions if left else ():
                sides = (int(condition.branch), int(condition.branch) + 1)
                yield from (side for side in sides if not decision.is_single or not self.hit[side])

    def _note(self, ids: NDArray[np.intp]) -> None:
        for identity in ids.tolist():
            if identity in self._of_single:
                number, holds = self._of_single[identity]
                self._note_effect(number, Effect(0, holds, holds))
        self._uncovered = None

    def _note_effects(self, evaluation: Evaluation) -> None:
        for effect in effects_of(self.decisions[evaluation.decision], evaluation):
            self._note_effect(evaluation.decision, effect)

    def _note_effect(self, number: int, effect: Effect) -> None:
        if (number, effect) in self._effects:
            return
        self._effects.add((number, effect))
        left = self._open[number]
        if effect.condition in left and (number, effect.counterpart) in self._effects:
            left.discard(effect.condition)
            self.count += 1
            self._uncovered = None


def _pairs_wanted(decision: Decision) -> set[int]:
    """Conditions that a pair can be found for: of a decision that is not understood, none."""
    readable = decision.is_single or is_readable(decision)
    return set(range(len(decision.conditions))) if readable else set()


def new_coverage(program: ProgramMap, goals: CoverageGoals | None) -> Coverage:
    """Coverage for these goals, of no run yet."""
    if goals is not None and goals.criterion is Criterion.MCDC:
        return PairCoverage(program, goals)
    return Coverage(program, goals)
