"""Coverage of the whole campaign: which branches and functions have run, as one flag for each id, and what that means
for the goal of the search."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct, first_of_each
from untaken.model.path import Path
from untaken.model.program import ProgramMap
from untaken.search.coverage_goals import CoverageGoals, coverage_goals

NOTHING: NDArray[np.intp] = np.empty(0, np.intp)
_FALSE = np.False_.tobytes()


class Coverage:
    """Which ids occurred in any run. `goals` is what is to be covered: all branches of the source, unless it is given.
    Branches of functions that they set aside count as covered from the beginning, so that no strategy looks for them.

    `count` and `total` are of the goals, `branches` and `branch_total` of all branches of the source. `found` grows
    with every step towards a goal, and most goals take one.
    """

    def __init__(self, program: ProgramMap, goals: CoverageGoals | None = None) -> None:
        self._program = program
        self._hit = np.zeros(program.id_count, np.bool_)
        self._is_branch = np.zeros(program.id_count, np.bool_)
        self._is_branch[np.fromiter(program.branches, np.intp, len(program.branches))] = True
        self._goals = goals or coverage_goals(program)
        self._set_aside()
        self._done = np.zeros(self._goals.total, np.bool_)
        self._uncovered: NDArray[np.intp] | None = None  # None: not known since something was covered
        self.criterion = self._goals.criterion
        self.total = self._goals.total
        self.count = 0
        self.branch_total = int(np.count_nonzero(self._is_branch))
        self.branches = 0
        self.passed = int(np.count_nonzero(self._hit))  # ids that are hit
        self.hit: NDArray[np.bool_] = self._hit.view()
        self.hit.flags.writeable = False

    def _set_aside(self) -> None:
        ids = [int(branch.id) for branch in self._program if branch.function in self.aside]
        self._hit[ids] = True
        self._is_branch[ids] = False

    @property
    def aside(self) -> frozenset[int]:
        """Functions, by index, of which it does not matter what is covered."""
        return self._goals.aside

    @property
    def full(self) -> bool:
        """True if there is nothing left to cover."""
        return self.count == self.total

    def add(self, events: NDArray[np.uint32]) -> NDArray[np.intp]:
        """Note what a run passed; returns the branches that no run passed before, in ascending order."""
        places = events.astype(np.intp)  # to index with these takes half as long
        try:
            old = self._hit[places]
        except IndexError:  # of a library that is not in the program map
            places = places[places < len(self._hit)]
            old = self._hit[places]
        if _FALSE not in old.tobytes():
            return NOTHING
        ids = self._new_among(places[~old])
        self._hit[ids] = True
        self.passed += len(ids)
        branches: NDArray[np.intp] = ids[self._is_branch[ids]]
        self.branches += len(branches)
        self._note(ids)
        return branches

    def _new_among(self, places: NDArray[np.intp]) -> NDArray[np.intp]:
        """Each of these ids once, in ascending order; many of them take longer to sort than to mark."""
        if len(places) < len(self._hit):
            return distinct(places)
        is_new = np.zeros(len(self._hit), np.bool_)
        is_new[places] = True
        return np.flatnonzero(is_new)

    def add_run(self, path: Path) -> NDArray[np.intp]:
        """The same for a whole run, whose order may matter."""
        return self.add(path.events if path.unseen is None else path.passed)

    def anew(self) -> Self:
        """Coverage for the same goals, of no run yet."""
        return type(self)(self._program, self._goals)

    def joined(self, events: NDArray[np.uint32]) -> Coverage:
        """This, with what other runs passed."""
        if not len(events):
            return self
        both = self.anew()
        both.add(np.flatnonzero(self._hit).astype(np.uint32))
        both.add(events)
        return both

    def _note(self, ids: NDArray[np.intp]) -> None:
        first, last = (self._goals.ids.searchsorted(ids, side) for side in ("left", "right"))
        while len(first):  # one goal of each id a round
            some = first < last
            first, last = first[some], last[some]
            self._done[self._goals.numbers[first]] = True
            first = first + 1
        self.count = int(np.count_nonzero(self._done))
        self._uncovered = None

    def would_grow(self, events: NDArray[np.uint32]) -> bool:
        """Whether a run with these events would cover a branch that none has covered."""
        known = events[events < len(self._hit)]
        return bool((self._is_branch[known] & ~self._hit[known]).any())

    def beside(self, ids: NDArray[np.uint32]) -> NDArray[np.intp]:
        """Branches that no run has passed and whose other side is among these ids."""
        passed = np.zeros(len(self._hit), np.bool_)
        passed[ids[ids < len(passed)]] = True
        other = np.flatnonzero(passed) ^ 1
        other = other[other < len(passed)]
        beside: NDArray[np.intp] = other[self._is_branch[other] & ~self._hit[other]]
        return beside

    def uncovered(self) -> NDArray[np.intp]:
        """Ids of branches, or of function entries, that no run has passed and that would cover something; ascending.

        Strategies ask after every run, and most runs cover nothing.
        """
        if self._uncovered is None:
            ids = self._goals.ids[~self._done[self._goals.numbers]]  # in order, some of them several times
            self._uncovered = first_of_each(ids)
            self._uncovered.flags.writeable = False
        return self._uncovered

    def reachable(self) -> int:
        """The papers' estimate of what can be covered: all branches of the functions that were entered."""
        entered = [bool(self._hit[function.entry_id]) for function in self._program.functions]
        return sum(entered[branch.function] for branch in self._program)
