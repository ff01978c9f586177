"""A table from 64-bit hashes to numbers that answers for whole arrays at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.search.program.graph import Ints

Hashes = NDArray[np.uint64]
ABSENT = -1
_FIRST_BITS = 14
_SPARSE = 2  # slots for each hash, at least


class HashTable:
    """Open addressing with linear probing. Numbers are from 0 on; a slot is empty while its number is ABSENT."""

    def __init__(self) -> None:
        self._make(_FIRST_BITS)

    def __len__(self) -> int:
        return self._count

    def get(self, hashes: Hashes) -> Ints:
        """The number of each, or ABSENT."""
        places = self._first_places(hashes)
        numbers = self._numbers.take(places)
        others = (self._hashes.take(places) != hashes).nonzero()[0]
        while len(others):
            others = others[numbers[others] != ABSENT]
            places[others] = self._next(places[others])
            numbers[others] = self._numbers[places[others]]
            others = others[self._hashes[places[others]] != hashes[others]]
        return numbers

    def put(self, hashes: Hashes, numbers: Ints) -> None:
        """Give numbers to hashes that have none yet, and that are distinct."""
        while _SPARSE * (self._count + len(hashes)) > len(self._hashes):
            self._grow()
        self._count += len(hashes)
        places = self._first_places(hashes)
        while len(hashes):
            free = self._numbers[places] == ABSENT
            self._hashes[places[free]] = hashes[free]
            self._numbers[places[free]] = numbers[free]
            others = self._hashes[places] != hashes  # the slot was taken, maybe just now
            hashes, numbers, places = hashes[others], numbers[others], self._next(places[others])

    def _first_places(self, hashes: Hashes) -> Ints:
        return (hashes >> self._shift).view(np.intp)  # the upper bits of a hash are the well mixed ones

    def _next(self, places: Ints) -> Ints:
        return (places + 1) & (len(self._hashes) - 1)

    def _make(self, bits: int) -> None:
        self._shift = np.uint64(64 - bits)
        self._hashes = np.zeros(1 << bits, np.uint64)
        self._numbers = np.full(1 << bits, ABSENT, np.intp)
        self._count = 0
        self._bits = bits

    def _grow(self) -> None:
        used = self._numbers != ABSENT
        hashes, numbers = self._hashes[used], self._numbers[used]
        self._make(self._bits + 2)
        self.put(hashes, numbers)
