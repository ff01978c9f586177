"""Why branches beside covered ones were not taken: what is known of each from runs and flips."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np

from untaken.campaign.lost_values import LostValues
from untaken.model.path import ConstraintKind, Path
from untaken.model.program import BranchId, ProgramMap, paired
from untaken.search.attempts import Flip, Force, Outcome, Verdict

_BRANCH = int(ConstraintKind.BRANCH)  # a plain number is compared faster
LOOKED_AT = 64  # one run in so many is searched for conditions that depend on the input, and all that cover something


class Obstacle(Enum):
    """What kept a branch from being taken, in words."""

    CONCRETE = "not seen to depend on the input anew"  # but maybe on what was decided before on the path
    UNTRIED = "not tried yet"
    INFEASIBLE = "no input takes it on the paths that were tried"
    UNKNOWN = "the solver found no answer"
    DIVERGED = "runs that should have taken it went elsewhere"
    PRUNED = "skipped by --prune"
    PUT_OFF = "put off: its like cost much and brought nothing"
    REJECTED = "only runs that fail an assumption take it"


class Obstacles:
    """Is told of runs and flips; says what is in the way of a branch."""

    def __init__(self, program: ProgramMap) -> None:
        self._symbolic = np.zeros(program.id_count, np.bool_)  # decisions that depended on the input, by side
        self._rejected = np.zeros(program.id_count, np.bool_)
        self._verdicts: defaultdict[int, Counter[Verdict]] = defaultdict(Counter)
        self.lost_values = LostValues(program)
        self._runs = 0

    def as_json(self) -> dict[str, Any]:
        """All that is known, for a report and for a campaign that goes on: flips by branch and verdict, and the ids of
        decisions that depended on the input and of what only runs that fail an assumption pass; where values of the
        input were lost."""
        return {
            "flips": {
                str(branch): {verdict.value: count for verdict, count in counts.items()}
                for branch, counts in self._verdicts.items()
            },
            "symbolic": np.flatnonzero(self._symbolic).tolist(),
            "rejected": np.flatnonzero(self._rejected).tolist(),
            "lost": self.lost_values.as_json(),
        }

    def add(self, known: Mapping[str, Any]) -> None:
        """What an earlier run of the same program learned, as `as_json` gave it."""
        self._symbolic[known.get("symbolic", [])] = True
        self._rejected[known.get("rejected", [])] = True
        self.lost_values.add(known.get("lost", []))
        for branch, counts in known.get("flips", {}).items():
            self._verdicts[int(branch)].update({Verdict(verdict): count for verdict, count in counts.items()})

    def flips(self, branch: BranchId) -> Counter[Verdict]:
        """What became of the flips that were to take a branch."""
        return self._verdicts.get(branch) or Counter()

    def note_run(self, path: Path, *, is_new: bool) -> None:
        self._runs += 1
        if is_new or self._runs % LOOKED_AT == 0:
            ids = path.constraints["id"]
            self._symbolic[ids[ids < len(self._symbolic)]] = True
            self.lost_values.note_run(path)

    def note_rejected(self, path: Path) -> None:
        """A run that failed an assumption of the program."""
        self._rejected[path.events[path.events < len(self._rejected)]] = True

    def note_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        _, branch, _, kind, _, _ = attempt.path.constraint(attempt.index)
        if kind == _BRANCH:
            counts, verdict = self._verdicts[branch ^ 1], outcome.verdict
            counts[verdict] = counts.get(verdict, 0) + 1

    def of(self, branch: BranchId) -> Obstacle:
        """What is known of a branch that no run has covered, the most hopeful first."""
        if self._rejected[branch]:
            return Obstacle.REJECTED
        verdicts = self._verdicts.get(branch) or _NO_FLIPS
        for verdict, obstacle in _TELLING.items():
            if verdicts[verdict]:
                return obstacle
        return Obstacle.UNTRIED if self._symbolic[paired(branch)] else Obstacle.CONCRETE


_NO_FLIPS: Counter[Verdict] = Counter()
_TELLING = {
    Verdict.DIVERGED: Obstacle.DIVERGED,
    Verdict.UNKNOWN: Obstacle.UNKNOWN,
    Verdict.INFEASIBLE: Obstacle.INFEASIBLE,
    Verdict.PRUNED: Obstacle.PRUNED,
    Verdict.PUT_OFF: Obstacle.PUT_OFF,
}
