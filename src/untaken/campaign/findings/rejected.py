"""Runs that failed an assumption of the program, and are tests of their own kind.

Such a run covers nothing. But in `assume(a && b)` only a run that fails takes the branch past `b`, and judges of test
suites who stop a test at the assumption count what it took before. So at the end one run is kept for each branch that
no other took. If there is no test at all, the run that came furthest is kept, so that there is something to look at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct
from untaken.model.path import Path
from untaken.model.program import ProgramMap


@dataclass(frozen=True, slots=True, eq=False)
class Rejected:
    """A run that failed an assumption, with the branches that only such runs take."""

    path: Path
    iteration: int
    takes: NDArray[np.intp]


class RejectedRuns:
    """Remembers those that may be worth keeping."""

    def __init__(self, program: ProgramMap) -> None:
        self._is_branch = np.zeros(program.id_count, np.bool_)
        self._is_branch[np.fromiter(program.branches, np.intp, len(program.branches))] = True
        self._taken = np.zeros(program.id_count, np.bool_)
        self._found: list[Rejected] = []
        self._furthest: Rejected | None = None

    def note(self, path: Path, iteration: int) -> bool:
        """Looks at a run that failed an assumption; whether it may be worth keeping."""
        takes = self._take(path)
        run = Rejected(path, iteration, takes)
        if len(takes):
            self._found.append(run)
        is_furthest = self._furthest is None or _distance(path) > _distance(self._furthest.path)
        if is_furthest:
            self._furthest = run
        return len(takes) > 0 or is_furthest

    def note_kept(self, path: Path) -> None:
        """A run that an earlier campaign kept, done again."""
        self._take(path)

    def _take(self, path: Path) -> NDArray[np.intp]:
        """The branches that no run before failed behind."""
        passed = path.passed[path.passed < len(self._taken)]
        new = distinct(passed[self._is_branch[passed] & ~self._taken[passed]]).astype(np.intp)
        self._taken[new] = True
        return new

    def worth_keeping(self, covered: NDArray[np.bool_], *, are_tests: bool) -> list[Rejected]:
        """At the end, when it is known which branches are covered; the furthest too if there are no tests."""
        kept = [Rejected(run.path, run.iteration, run.takes[~covered[run.takes]]) for run in self._found]
        kept = [run for run in kept if len(run.takes)]
        furthest = self._furthest
        if not are_tests and furthest is not None and all(run.path is not furthest.path for run in kept):
            kept.append(Rejected(furthest.path, furthest.iteration, furthest.takes[:0]))
        return sorted(kept, key=lambda run: run.iteration)


def _distance(path: Path) -> tuple[int, int]:
    return len(path.events), len(path)
