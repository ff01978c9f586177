"""What context-guided search remembers: the contexts of its executions, and which of them are settled.

Both are there for speed alone. A path has thousands of contexts, nearly all of them settled, and a search that asked
one by one would take longer than the program does.
"""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.search.contexts.contexts import Contexts
from untaken.search.program.graph import Ints

_MOST_DECISIONS = (8 << 20) // 5  # about as many as the paths in the cache have, if they are long
_TRIED = -1  # less than any depth
_NEVER = np.iinfo(np.int32).max


class RecentContexts:
    """The contexts of the executions that were looked at last, of up to `capacity` decisions in all."""

    def __init__(self, contexts: Contexts, capacity: int = _MOST_DECISIONS) -> None:
        self._contexts = contexts
        self._capacity = capacity
        self._kept: OrderedDict[int, Ints] = OrderedDict()
        self._decisions = 0

    def get(self, number: int, length: int, begin: int) -> Ints | None:
        """Those of one length of an execution, by number, but for the first few; None: they have to be computed."""
        return self._contexts.cut(self._kept[number][begin:], length) if number in self._kept else None

    def compute(self, path: Path, start: int, number: int) -> None:
        """Computes the contexts of an execution from its path, and forgets the oldest if they are too many."""
        computed = self._contexts.of(path, path.symbolic[start:])
        self._kept[number] = computed
        self._decisions += len(computed)
        while self._decisions > self._capacity and len(self._kept) > 1:
            self._decisions -= len(self._kept.popitem(last=False)[1])


class SettledContexts:
    """The depth at which each context is going to be tried, if it is, or that it was."""

    def __init__(self, contexts: Contexts) -> None:
        self._contexts = contexts
        self._depths = np.full(1, _NEVER, np.int32)
        self._counting = np.arange(1, dtype=np.int32)

    def try_(self, context: int) -> None:
        """Notes that a decision in this context was tried, and need not be tried again."""
        self._depths[context] = _TRIED

    def claim(self, context: int, depth: int) -> None:
        """It is going to be tried at this depth, so it is no matter at any other that is larger."""
        self._depths[context] = depth

    def news(self, contexts: Ints, depth: int) -> Ints:
        """Which of an execution's contexts are not settled; they are those from a depth on."""
        if len(self._contexts) > len(self._depths):
            self._make_room()
        return (self._depths.take(contexts) >= self._from(depth, len(contexts))).nonzero()[0]

    def _from(self, depth: int, count: int) -> NDArray[np.int32]:
        """So many depths, from one on."""
        if depth + count > len(self._counting):
            self._counting = np.arange(2 * (depth + count), dtype=np.int32)
        return self._counting[depth : depth + count]

    def _make_room(self) -> None:
        grown = np.full(2 * len(self._contexts), _NEVER, np.int32)
        grown[: len(self._depths)] = self._depths
        self._depths = grown
