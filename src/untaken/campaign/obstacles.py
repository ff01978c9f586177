"""Why branches beside covered ones were not taken: what is known of each from runs and flips."""

from __future__ import annotations

from collections import Counter
from enum import Enum

import numpy as np

from untaken.model.path import ConstraintKind, Path
from untaken.model.program import BranchId, ProgramMap, paired
from untaken.search.attempts import Flip, Force, Outcome, Verdict

LOOKED_AT = 16  # one run in so many is searched for conditions that depend on the input, and all that cover something


class Obstacle(Enum):
    """What kept a branch from being taken, in words."""

    CONCRETE = "not seen to depend on the input"
    UNTRIED = "not tried yet"
    INFEASIBLE = "no input takes it on the paths that were tried"
    UNKNOWN = "the solver found no answer"
    DIVERGED = "runs that should have taken it went elsewhere"
    PRUNED = "skipped by --prune"
    REJECTED = "only runs that fail an assumption take it"


class Obstacles:
    """Is told of runs and flips; says what is in the way of a branch."""

    def __init__(self, program: ProgramMap) -> None:
        self._symbolic = np.zeros(program.id_count, np.bool_)  # decisions that depended on the input, by side
        self._rejected = np.zeros(program.id_count, np.bool_)
        self._verdicts: dict[int, Counter[Verdict]] = {}
        self._runs = 0

    def note_run(self, path: Path, *, is_new: bool) -> None:
        self._runs += 1
        if is_new or self._runs % LOOKED_AT == 0:
            ids = path.constraints["id"]
            self._symbolic[ids[ids < len(self._symbolic)]] = True

    def note_rejected(self, path: Path) -> None:
        """A run that failed an assumption of the program."""
        self._rejected[path.events[path.events < len(self._rejected)]] = True

    def note_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        _, branch, _, kind, _, _ = attempt.path.constraint(attempt.index)
        if kind == ConstraintKind.BRANCH:
            self._verdicts.setdefault(branch ^ 1, Counter())[outcome.verdict] += 1

    def of(self, branch: BranchId) -> Obstacle:
        """What is known of a branch that no run has covered, the most hopeful first."""
        verdicts = self._verdicts.get(branch, Counter())
        if self._rejected[branch]:
            return Obstacle.REJECTED
        for verdict, obstacle in _TELLING.items():
            if verdicts[verdict]:
                return obstacle
        return Obstacle.UNTRIED if self._symbolic[paired(branch)] else Obstacle.CONCRETE


_TELLING = {
    Verdict.DIVERGED: Obstacle.DIVERGED,
    Verdict.UNKNOWN: Obstacle.UNKNOWN,
    Verdict.INFEASIBLE: Obstacle.INFEASIBLE,
    Verdict.PRUNED: Obstacle.PRUNED,
}
