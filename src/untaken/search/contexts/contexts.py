"""Contexts of context-guided search: a branch and the branches before it on the path, those that dominate it left
out, since they would be there on any path.

Contexts are numbers, the same for the same context on all paths. A decision has a context of each length; the longest
that is asked for says all shorter ones, so it is the only one that is looked for.
"""

from __future__ import annotations

import numpy as np

from untaken.model.distinct import distinct
from untaken.model.path import WINDOW_EVENTS, Path
from untaken.model.program import ProgramMap
from untaken.search.contexts.hash_table import ABSENT, Hashes, HashTable
from untaken.search.contexts.hashes import BRANCH, ContextHashes, Decisions
from untaken.search.contexts.recent_events import Windows
from untaken.search.program.dominators import Dominators
from untaken.search.program.graph import Ints

_WINDOWS = (WINDOW_EVENTS, 32)  # events: enough for most decisions, and for nearly all


class Contexts:
    """Contexts of all lengths up to the longest, numbered as they are met."""

    def __init__(self, program: ProgramMap, dominators: Dominators, longest: int) -> None:
        self.longest = longest
        self.id_count = program.id_count
        self._hashes = ContextHashes(program.id_count, dominators)
        self._numbers = HashTable()
        self._windows = tuple(Windows(size) for size in _WINDOWS)
        # By number of a longest one:
        self._shorter = np.zeros((longest, 1), np.intp)
        self._places = np.zeros(1, np.intp)

    def __len__(self) -> int:
        """How many different contexts were met so far."""
        return len(self._numbers)

    def of(self, path: Path, indices: Ints) -> Ints:
        """The longest contexts of some constraints: their own branch and up to `longest - 1` entries before it."""
        contexts = self._by_recorded_windows(path, indices)
        left = (contexts == ABSENT).nonzero()[0]
        if len(left):
            contexts[left], _ = self._through(Decisions.of(path, indices[left], self.id_count), self._windows)
        return contexts

    def one(self, path: Path, index: int) -> int:
        """The longest context of a single constraint."""
        return int(self.of(path, np.array([index]))[0])

    def place(self, path: Path, index: int) -> int:
        """What a single constraint decides on."""
        _, branch, _, kind, _, _ = path.constraint(index)
        if kind == BRANCH:
            return branch
        return self.id_count + int(path.events_before(path.constraints[index : index + 1])[0])

    def distinct(self, contexts: Ints) -> tuple[Ints, Ints]:
        """The distinct ones of some longest contexts, and which of these each is."""
        rank, order = np.empty(len(self), np.intp), np.arange(len(contexts))
        rank[contexts] = order
        found = contexts[rank.take(contexts) == order]  # the last one of each
        rank[found] = order[: len(found)]
        return found, rank.take(contexts)

    def cut(self, contexts: Ints, length: int) -> Ints:
        """The contexts of a lesser length that longest ones begin with."""
        of_length: Ints = self._shorter[length - 1]
        return of_length.take(contexts)

    def of_all_lengths(self, contexts: Ints | int) -> Ints:
        """Those of all lengths that longest ones begin with: one row a length, from 1."""
        return self._shorter.take(contexts, axis=1)

    def places(self, contexts: Ints) -> Ints:
        """What decisions of these longest contexts decide on."""
        return self._places.take(contexts)

    def _by_recorded_windows(self, path: Path, indices: Ints) -> Ints:
        """The longest contexts; ABSENT where the path does not tell them at once."""
        if path.windows is None or _WINDOWS[:1] != (WINDOW_EVENTS,):
            return np.full(len(indices), ABSENT)
        every = len(indices) == len(path.windows)  # none of them is asked for twice
        return self._windows[0].get(path.windows if every else path.windows.take(indices))

    def _through(self, decisions: Decisions, sizes: tuple[Windows, ...]) -> tuple[Ints, Ints | int]:
        """The longest contexts, and how far back to look for each or for all; known by windows, the smallest first."""
        if not sizes:
            return self._look(decisions)
        windows = sizes[0].of(decisions)
        contexts = sizes[0].get(windows)
        if contexts.min(initial=0) != ABSENT:
            return contexts, sizes[0].size
        reach = np.full(len(contexts), sizes[0].size)
        left = np.flatnonzero(contexts == ABSENT)
        contexts[left], reach[left] = self._through(decisions.take(left), sizes[1:])
        fitting = left[reach[left] <= sizes[0].size]
        sizes[0].learn(windows[fitting], contexts[fitting])
        return contexts, reach

    def _look(self, decisions: Decisions) -> tuple[Ints, Ints]:
        """The same, by a walk over the path."""
        hashes, reach = self._hashes.up_to(decisions, self.longest)
        contexts = self._numbered(hashes.ravel()).reshape(hashes.shape)
        self._make_room()
        self._shorter[:, contexts[-1]] = contexts
        self._places[contexts[-1]] = decisions.places
        return contexts[-1], reach

    def _numbered(self, hashes: Hashes) -> Ints:
        numbers = self._numbers.get(hashes)
        if numbers.min(initial=0) == ABSENT:
            fresh = distinct(hashes[numbers == ABSENT])
            self._numbers.put(fresh, np.arange(len(self), len(self) + len(fresh)))
            numbers = self._numbers.get(hashes)
        return numbers

    def _make_room(self) -> None:
        room = len(self._places)
        if len(self) > room:
            more = max(room, len(self) - room)
            self._shorter = np.pad(self._shorter, ((0, 0), (0, more)))
            self._places = np.pad(self._places, (0, more))
