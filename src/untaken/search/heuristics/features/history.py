"""What the dynamic features remember of a campaign, kept up to date from run to run. Places are those of contexts."""

from __future__ import annotations

from math import ceil

import numpy as np

from untaken.model.path import Path
from untaken.model.program import ProgramMap
from untaken.search.heuristics.features.steps import ShortWays
from untaken.search.program.graph import Flags, Ints
from untaken.search.view import SearchView

CONTEXTS = 5
_LENGTHS = np.arange(CONTEXTS)
LARGE = 10  # branches of a function
_LONG_AGO = -(1 << 40)


class History:
    """Counts by place; told of every flip and of every run."""

    def __init__(self, search: SearchView) -> None:
        self._search = search
        program = search.program
        self.id_count = program.id_count
        places = np.arange(2 * self.id_count)
        self.opposite = np.where(places < self.id_count, places ^ 1, 0)  # the other branch; decisions of libraries: 0
        self.negated = np.zeros(2 * self.id_count, np.intp)
        self.failed = np.zeros(2 * self.id_count, np.intp)
        self.negations = 0
        self.negated_last = np.full(2 * self.id_count, _LONG_AGO, np.intp)  # the number of a place's latest negation
        self.new: Flags = np.zeros(self.id_count, np.bool_)
        self.runs = 0
        self.functions = Functions(program)
        self.function_of = np.tile(self.functions.of, 2)  # by place
        self._hit_before = search.coverage.hit.tobytes()
        self.contexts = search.analyses.contexts(CONTEXTS)
        # By length, since one that the beginning of the path cuts short is no shorter one.
        self._known_contexts = np.zeros((CONTEXTS, 1), np.bool_)
        self.surroundings = Surroundings(search, self.functions)

    def known(self, contexts: Ints) -> Flags:
        """Which contexts were negated, given the longest: one row a length."""
        self._make_room()
        return self._known_contexts[_LENGTHS[:, None], self.contexts.of_all_lengths(contexts)]

    def _make_room(self) -> None:
        room = self._known_contexts.shape[1]
        if len(self.contexts) > room:
            grown = np.zeros((CONTEXTS, 2 * len(self.contexts)), np.bool_)
            grown[:, :room] = self._known_contexts
            self._known_contexts = grown

    def about_to_run(self) -> None:
        """What is covered now was covered before the next run."""
        self._hit_before = self._search.coverage.hit.tobytes()

    def ran(self, path: Path) -> None:
        """The program ran; note what it was first to cover."""
        self.runs += 1
        self.new[:] = False
        hit = self._search.coverage.hit
        if hit.tobytes() == self._hit_before:
            return
        fresh = np.flatnonzero(hit & ~np.frombuffer(self._hit_before, np.bool_))
        # Of several runs, where the program's assumptions had to be met, only the last counts.
        fresh = fresh[self._passed(path).take(fresh)]
        self.new[fresh] = True
        entered = fresh[self.functions.is_entry[fresh]]
        self.functions.reached_in[self.functions.of[entered]] = self.runs

    def _passed(self, path: Path) -> Flags:
        """By id; the last one stands for those that the program map lacks."""
        flags = np.zeros(self.id_count + 1, np.bool_)
        flags[np.minimum(path.passed, self.id_count)] = True
        return flags

    def negates(self, place: int, context: int) -> None:
        """A flip of this place is run, in this longest context."""
        self.negated[place] += 1
        self.negations += 1
        self.negated_last[place] = self.negations
        self._make_room()
        self._known_contexts[_LENGTHS, self.contexts.of_all_lengths(context)] = True

    def fails(self, place: int) -> None:
        """There is no input that takes the other side here."""
        self.failed[place] += 1


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

    def __init__(self, search: SearchView, functions: Functions) -> None:
        self._search = search
        self._functions = functions
        self._ids = np.fromiter(search.program.branches, np.intp, len(search.program.branches))
        self._is_branch = np.zeros(search.program.id_count, np.bool_)
        self._is_branch[self._ids] = True
        self._steps = ShortWays(search.analyses.graph)
        self._state: tuple[bytes, int] = b"", 0
        self._near: dict[float | None, Flags] = {}  # by share; None: near a large one. Only what was asked for

    def update(self) -> None:
        """Renews what depends on coverage; called before features are computed."""
        hit = self._search.coverage.hit
        state = hit.tobytes(), self._search.analyses.graph.version
        if state == self._state:
            return
        self._state = state
        self.reached = hit[self._functions.entries]
        self.uncovered = self._is_branch & ~hit
        self.lonely = self.uncovered & ~self._steps.within_one(self._is_branch & hit)
        self.uncovered_in = np.bincount(self._functions.of[self._ids[~hit[self._ids]]], minlength=len(self.reached))
        self._near.clear()

    def near_largest(self, share: float) -> Flags:
        """Branches within two steps of one of the largest unreached functions, which are this share of them."""
        if share not in self._near:
            sizes = self._functions.sizes
            unreached = np.flatnonzero(~self.reached)
            by_size = unreached[np.argsort(-sizes[unreached], kind="stable")]
            self._near[share] = self._within_two(by_size[: ceil(share * len(by_size))])
        return self._near[share]

    @property
    def near_large(self) -> Flags:
        """Branches within two steps of an unreached function that is large."""
        if None not in self._near:
            self._near[None] = self._within_two(np.flatnonzero(~self.reached & (self._functions.sizes >= LARGE)))
        return self._near[None]

    def _within_two(self, functions: Ints) -> Flags:
        flags = np.zeros(len(self._is_branch), np.bool_)
        flags[self._functions.entries[functions]] = True
        return self._steps.within_two(flags)
