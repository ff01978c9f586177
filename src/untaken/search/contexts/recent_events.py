"""Contexts told by the last few events before a decision, wherever those decide on them.

Most decisions of a long path were met before, after the same events, and then their contexts need not be looked for
again. A window, the place and those events, is known by a 64-bit hash. A path may bring the hashes of its small windows
with it (runtime/trace/window_hashes.c); those are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import first_places
from untaken.search.contexts.hash_table import Hashes, HashTable
from untaken.search.contexts.hashes import MULTIPLIER, Decisions, Events
from untaken.search.program.graph import Ints

_MOST = 1 << 16
_HALF = np.uint64(32)


class Windows:
    """Windows of one size, each with the context that it leads to."""

    def __init__(self, size: int, most: int = _MOST) -> None:
        self.size = size
        self._most = most
        self._contexts = HashTable()
        self._item = np.dtype((np.void, size * np.dtype(np.uint32).itemsize))

    def get(self, windows: Hashes) -> Ints:
        """The context of each, or ABSENT."""
        return self._contexts.get(windows)

    def learn(self, windows: Hashes, contexts: Ints) -> None:
        """These lead to these contexts. None of them is known; if there are too many others, those are forgotten."""
        distinct, first = first_places(windows)
        if len(self._contexts) + len(distinct) > self._most:
            self._contexts = HashTable()
        self._contexts.put(distinct, contexts[first])

    def of(self, decisions: Decisions) -> Hashes:
        """The window before each decision.

        One that would begin before the path begins with the path, and how much of it counts is part of it.
        """
        starts = np.maximum(decisions.ends - self.size, 0)
        pairs = self._all(decisions.events)[starts].view(np.uint64).reshape(len(starts), self.size // 2)
        hashes: Hashes = (decisions.places * (self.size + 1) + (decisions.ends - starts)).view(np.uint64)
        for pair in pairs.T:
            hashes *= MULTIPLIER
            hashes ^= hashes >> _HALF
            hashes += pair
        hashes *= MULTIPLIER
        return hashes

    def _all(self, events: Events) -> NDArray[np.void]:
        """All windows of a path, each as one item, over the same memory; a short path is made as long as a window."""
        if len(events) < self.size:
            events = np.concatenate((events, np.zeros(self.size - len(events), np.uint32)))
        return np.ndarray(len(events) - self.size + 1, self._item, np.ascontiguousarray(events), 0, (events.itemsize,))
