"""What context-guided search remembers: the contexts of its executions, and which of them are settled.

Both are there for speed alone. A path has thousands of contexts, nearly all of them settled, and a search that asked
one by one would take longer than the program does.
"""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from untaken.model.path import Path
from untaken.search.contexts import Contexts, Hashes
from untaken.search.graph import Ints

_SLOT_BITS = 14
_MOST_BYTES = 64 << 20
_TRIED = -1  # less than any depth


class HashedContexts:
    """The contexts of the executions that were looked at last, of all lengths up to the longest."""

    def __init__(self, contexts: Contexts, longest: int, capacity: int = _MOST_BYTES) -> None:
        self._contexts = contexts
        self._longest = longest
        self._capacity = capacity
        self._hashes: OrderedDict[int, Hashes] = OrderedDict()
        self._bytes = 0

    def get(self, number: int, length: int) -> Hashes | None:
        """Of an execution, by number, from its start on; None: they have to be computed."""
        return self._hashes[number][length - 1] if number in self._hashes else None

    def compute(self, path: Path, start: int, number: int) -> None:
        """From the execution's path."""
        computed = self._contexts.up_to(path, path.symbolic[start:], self._longest)
        self._hashes[number] = computed
        self._bytes += computed.nbytes
        while self._bytes > self._capacity and len(self._hashes) > 1:
            self._bytes -= self._hashes.popitem(last=False)[1].nbytes


class Ledger:
    """Contexts that were tried. Those and the claimed ones are also in a table, to be looked up all at once.

    A context has one slot of the table, which another may take from it: what is missing there may yet be known.
    """

    def __init__(self, slot_bits: int = _SLOT_BITS) -> None:
        self.known: set[int] = set()
        self._shift = 64 - slot_bits  # the upper bits of a hash are the well mixed ones
        self._contexts = np.zeros(1 << slot_bits, np.uint64)
        self._depths = np.full(1 << slot_bits, np.iinfo(np.int32).max, np.int32)

    def try_(self, context: int) -> None:
        """Never again."""
        self.known.add(context)
        self.claim(context, _TRIED)

    def claim(self, context: int, depth: int) -> None:
        """It is going to be tried at this depth, so it is no matter at any other that is larger."""
        slot = context >> self._shift
        self._contexts[slot] = context
        self._depths[slot] = depth

    def news(self, contexts: Hashes, begin: int, start: int) -> Ints:
        """Which of an execution's contexts, from number `begin` on, matter, as far as the table knows."""
        asked = contexts[begin:]
        slots = (asked >> np.uint64(self._shift)).view(np.intp)
        settled = self._contexts.take(slots) == asked
        settled &= self._depths.take(slots) < np.arange(start + begin, start + len(contexts), dtype=np.int32)
        return begin + np.flatnonzero(~settled)
