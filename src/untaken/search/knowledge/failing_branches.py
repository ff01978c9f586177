"""Branches that only failing runs have passed: a crash shows them, but no test that ends well.

A crash covers what it passes, so nothing would be new about a run that passes the same and returns. But a suite is made
of runs that end well. So the first of these is told apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct
from untaken.model.path import ExitKind, Path

_NONE: NDArray[np.intp] = np.empty(0, np.intp)
FREE_TRIES = 12
SHARE = 50  # of all executions, one in so many may be a further try in vain
CRASHED = (ExitKind.SIGNAL, ExitKind.ERROR)
FAILED = (*CRASHED, ExitKind.TIMEOUT, ExitKind.MEMORY)  # the last two take as long as a hundred others


class FailingBranches:
    """Told of every run that counts, with the branches that it was the first to pass."""

    def __init__(self, id_count: int) -> None:
        self._is_failing = np.zeros(id_count, np.bool_)
        self._count = 0

    def cleared(self, path: Path, new: NDArray[np.intp]) -> NDArray[np.intp]:
        """Branches that this run passed and all before it failed behind, ascending; none if it failed itself."""
        if path.exit.kind in FAILED:
            self._is_failing[new] = True
            self._count += len(new)
        elif self._count and path.exit.kind is ExitKind.CODE:  # most campaigns have no such branches
            return self._cleared(path.events)
        return _NONE

    def _cleared(self, events: NDArray[np.uint32]) -> NDArray[np.intp]:
        places = events[events < len(self._is_failing)].astype(np.intp)
        found = distinct(places[self._is_failing[places]])
        self._is_failing[found] = False
        self._count -= len(found)
        return found


class FurtherTries:
    """Executions that were to pass a branch and end well: where all runs fail, they would be most of a campaign."""

    def __init__(self) -> None:
        self._in_vain = 0

    def are_worth_it(self, executions: int) -> bool:
        """Whether few enough were in vain, of so many executions of all kinds."""
        return self._in_vain < FREE_TRIES + executions // SHARE

    def ended_well(self, path: Path) -> bool:
        """Whether this one was not in vain."""
        has_failed = path.exit.kind in FAILED
        self._in_vain += has_failed
        return not has_failed
