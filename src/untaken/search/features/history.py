"""What the dynamic features remember of a campaign, kept up to date from run to run.

A *place* is what can be flipped: a branch by its id, or a decision inside a library function by `id_count` plus the
event before it.
"""

from __future__ import annotations

from collections import deque
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import ConstraintKind, Path
from untaken.model.program import ProgramMap
from untaken.search.features.seen import Hashes, SeenHashes
from untaken.search.features.steps import Steps
from untaken.search.graph import Ints
from untaken.search.space import Search

Flags = NDArray[np.bool_]
CONTEXTS = 5
RECENT = 30
LARGE = 10  # branches of a function
_LONG_AGO = -(1 << 40)
# So that a context that the beginning of the path cuts short is not taken for a shorter one.
_SALTS = np.array([0x9E37, 0x79B9, 0x7F4A, 0x7C15, 0xF39C], np.uint64)[:, None] << np.uint64(20)
SHARES = (0.1, 0.2, 0.3)
_PIECE = 4_096


class History:
    """Counts by place; told of every flip and of every run."""

    def __init__(self, search: Search) -> None:
        self._search = search
        program = search.program
        self.id_count = program.id_count
        self.negated = np.zeros(2 * self.id_count, np.intp)
        self.failed = np.zeros(2 * self.id_count, np.intp)
        self.recent: deque[int] = deque(maxlen=RECENT)
        self.new: Flags = np.zeros(self.id_count, np.bool_)
        self.runs = 0
        self.functions = Functions(program)
        self._hit_before = search.coverage.hit.copy()
        self._negated_contexts = SeenHashes()
        nothing = (CONTEXTS, 0)
        # The last path, its contexts, and which of them are known.
        self._last: tuple[Path | None, Hashes, Flags] = None, np.empty(nothing, np.uint64), np.empty(nothing, np.bool_)
        self.surroundings = Surroundings(search, self.functions)

    def places(self, path: Path) -> Ints:
        """The place of each decision that may be flipped."""
        constraints = path.constraints[path.symbolic]
        places = constraints["id"].astype(np.intp)
        library = np.flatnonzero(constraints["kind"] != ConstraintKind.BRANCH)
        if len(library):
            places[library] = self.id_count + path.events_before(constraints[library])
        return places

    def contexts(self, path: Path) -> tuple[Hashes, Flags]:
        """The decisions' contexts, and which of them were negated: one row a length, one column a decision.

        What the path has in common with the last one is not new.
        """
        before, hashes, known = self._last
        same = 0 if before is None else common_decisions(before, path)
        own = self._search.analyses.contexts.up_to(path, path.symbolic[same:], CONTEXTS)
        own ^= _SALTS
        own_known = self._negated_contexts.known(own.ravel()).reshape(own.shape)
        joined = np.concatenate((hashes[:, :same], own), axis=1)
        known = np.concatenate((known[:, :same], own_known), axis=1)
        self._last = path, joined, known
        return joined, known

    def about_to_run(self) -> None:
        """What is covered now was covered before the next run."""
        np.copyto(self._hit_before, self._search.coverage.hit)

    def ran(self, path: Path) -> None:
        """The program ran; note what it was first to cover."""
        self.runs += 1
        fresh = np.flatnonzero(self._search.coverage.hit & ~self._hit_before)
        if len(fresh):  # of several runs, where the program's assumptions had to be met, only the last counts
            fresh = fresh[np.isin(fresh, path.passed)]
        self.new[:] = False
        self.new[fresh] = True
        entered = fresh[self.functions.is_entry[fresh]]
        self.functions.reached_in[self.functions.of[entered]] = self.runs

    def negates(self, place: int, contexts: Hashes) -> None:
        """A flip of this place is run."""
        self.negated[place] += 1
        self.recent.append(place)
        self._negated_contexts.add(contexts)
        _, hashes, known = self._last
        known |= hashes == contexts[:, None]

    def fails(self, place: int) -> None:
        """There is no input that takes the other side here."""
        self.failed[place] += 1


def common_decisions(first: Path, second: Path) -> int:
    """How many decisions of the second path are also the first one's, with everything before them."""
    count = int(np.searchsorted(_decisions(second)["position"], _common(first.events, second.events)))
    mine, theirs = (_decisions(path)[:count] for path in (first, second))
    return min(_common(mine[column], theirs[column]) for column in ("id", "position", "kind"))


def _decisions(path: Path) -> NDArray[np.void]:
    return path.constraints[path.symbolic]


def _common(first: NDArray[Any], second: NDArray[Any]) -> int:
    """The length of the common beginning; looked for in pieces, since most paths part early."""
    length = min(len(first), len(second))
    for start in range(0, length, _PIECE):
        end = min(start + _PIECE, length)
        differs = first[start:end] != second[start:end]
        if differs.any():
            return start + int(differs.argmax())
    return length


class Functions:
    """Functions by id, and how large they are."""

    def __init__(self, program: ProgramMap) -> None:
        count = len(program.functions)
        self.of = np.zeros(program.id_count, np.intp)
        self.is_entry = np.zeros(program.id_count, np.bool_)
        for function in program.functions:
            self.of[[function.entry_id, function.return_id]] = function.index
            self.is_entry[function.entry_id] = True
        for branch in program:
            self.of[branch.id] = branch.function
        self._of_event = np.append(self.of, count)  # the last one: ids that the program map lacks
        self.entries = np.array([function.entry_id for function in program.functions], np.intp)
        self.sizes = np.bincount([branch.function for branch in program], minlength=count)
        self.reached_in = np.full(count, _LONG_AGO, np.intp)  # the number of the run that entered it first

    def on(self, path: Path) -> Flags:
        """Those that the path passes through."""
        functions = self._of_event.take(path.events, mode="clip")
        return np.bincount(functions, minlength=len(self.sizes) + 1)[:-1] > 0


class Surroundings:
    """What coverage leaves open around each branch; computed anew only when coverage or the graph has grown."""

    def __init__(self, search: Search, functions: Functions) -> None:
        self._search = search
        self._functions = functions
        self._ids = np.fromiter(search.program.branches, np.intp, len(search.program.branches))
        self._is_branch = np.zeros(search.program.id_count, np.bool_)
        self._is_branch[self._ids] = True
        self._steps = Steps(search.analyses.graph)
        self._state: tuple[int, ...] = ()

    def update(self) -> None:
        """Before features are computed."""
        hit = self._search.coverage.hit
        self.reached = hit[self._functions.entries]
        graph = self._search.analyses.graph
        state = self._search.coverage.count, int(self.reached.sum()), graph.version
        if state == self._state:
            return
        self._state = state
        self.uncovered = self._is_branch & ~hit
        self.lonely = self.uncovered & ~self._steps.within_one(self._is_branch & hit)
        self.uncovered_in = np.bincount(self._functions.of[self._ids[~hit[self._ids]]], minlength=len(self.reached))
        self._find_unreached()

    def _find_unreached(self) -> None:
        sizes = self._functions.sizes
        unreached = np.flatnonzero(~self.reached)
        by_size = unreached[np.argsort(-sizes[unreached], kind="stable")]
        largest = [by_size[: ceil(share * len(by_size))] for share in SHARES]
        self.near_largest = [self._near(chosen) for chosen in largest]
        self.near_large = self._near(unreached[sizes[unreached] >= LARGE])

    def _near(self, functions: Ints) -> Flags:
        flags = np.zeros(len(self._is_branch), np.bool_)
        flags[self._functions.entries[functions]] = True
        return self._steps.within_two(flags)
