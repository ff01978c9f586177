"""Coverage of the whole campaign: which branches and functions have run, as one flag for each id."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import ProgramMap

_NONE: NDArray[np.intp] = np.empty(0, np.intp)


class Coverage:
    """Which ids occurred in any run. Only branches of the source are counted."""

    def __init__(self, program: ProgramMap) -> None:
        self._program = program
        self._hit = np.zeros(program.id_count, np.bool_)
        self._is_branch = np.zeros(program.id_count, np.bool_)
        self._is_branch[np.fromiter(program.branches, np.intp, len(program.branches))] = True
        self.total = len(program.branches)
        self.count = 0
        self.hit: NDArray[np.bool_] = self._hit.view()
        self.hit.flags.writeable = False

    @property
    def full(self) -> bool:
        """True if no branch of the program is left."""
        return self.count == self.total

    def add(self, events: NDArray[np.uint32]) -> NDArray[np.intp]:
        """Note what a run passed; returns the branches that no run passed before, in ascending order."""
        if len(events) and events.max() >= len(self._hit):  # of a library that is not in the program map
            events = events[events < len(self._hit)]
        fresh = events[~self._hit[events]]
        if not len(fresh):
            return _NONE
        ids = np.unique(fresh).astype(np.intp)
        self._hit[ids] = True
        branches: NDArray[np.intp] = ids[self._is_branch[ids]]
        self.count += len(branches)
        return branches

    def would_grow(self, events: NDArray[np.uint32]) -> bool:
        """Whether a run with these events would cover a branch that none has covered."""
        known = events[events < len(self._hit)]
        return bool((self._is_branch[known] & ~self._hit[known]).any())

    def uncovered(self) -> NDArray[np.intp]:
        """Branches that no run has taken."""
        return np.flatnonzero(self._is_branch & ~self._hit)

    def reachable(self) -> int:
        """The papers' estimate of what can be covered: all branches of the functions that were entered."""
        entered = [bool(self._hit[function.entry_id]) for function in self._program.functions]
        return sum(entered[branch.function] for branch in self._program)
