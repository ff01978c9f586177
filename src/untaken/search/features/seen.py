"""A set of 64-bit hashes that answers for whole arrays at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
_FIRST_BITS = 12
_SPARSE = 8  # slots for each hash: then few are looked for twice
_EMPTY = 0


class SeenHashes:
    """Open addressing with linear probing."""

    def __init__(self) -> None:
        self._bits = _FIRST_BITS
        self._slots = np.zeros(1 << self._bits, np.uint64)
        self._count = 0

    def add(self, hashes: Hashes) -> None:
        """Put some in."""
        for value in np.maximum(hashes, 1).tolist():
            self._insert(value)

    def known(self, hashes: Hashes) -> NDArray[np.bool_]:
        """For each, whether it was put in."""
        wanted = np.maximum(hashes, np.uint64(1))
        places = self._first_places(wanted)
        there = self._slots.take(places)
        found: NDArray[np.bool_] = there == wanted
        on = np.flatnonzero(found < (there != _EMPTY))  # not found, but neither is the slot empty
        while len(on):
            places[on] = (places[on] + 1) & (len(self._slots) - 1)
            there = self._slots[places[on]]
            found[on] = there == wanted[on]
            on = on[~found[on] & (there != _EMPTY)]
        return found

    def _first_places(self, hashes: Hashes) -> NDArray[np.intp]:
        return (hashes >> np.uint64(64 - self._bits)).view(np.intp)

    def _insert(self, value: int) -> None:
        if _SPARSE * self._count >= len(self._slots):
            self._grow()
        place = value >> (64 - self._bits)
        while (there := int(self._slots[place])) not in (_EMPTY, value):
            place = (place + 1) & (len(self._slots) - 1)
        self._count += there == _EMPTY
        self._slots[place] = value

    def _grow(self) -> None:
        kept = self._slots[self._slots != _EMPTY]
        self._bits += 2
        self._slots = np.zeros(1 << self._bits, np.uint64)
        self._count = 0
        self.add(kept)
