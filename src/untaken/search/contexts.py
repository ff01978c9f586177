"""Contexts of context-guided search: a branch and the branches before it on the path, those that dominate it left
out, since they would be there on any path.

All contexts of a path are computed at once, each as a 64-bit hash of its ids; equal contexts have equal hashes in
every run, and two of a million different ones collide with a chance of about 3 in 100 million.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, repeat

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import ConstraintKind, Path
from untaken.model.program import ProgramMap
from untaken.search.dominators import Dominators
from untaken.search.graph import Ints

Hashes = NDArray[np.uint64]
_UNKNOWN = -1
_BRANCH = ConstraintKind.BRANCH
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_STRIDES = tuple(np.arange(2**power) for power in range(5))  # events looked at together, more and more


class Contexts:
    """Hashes contexts; knows, as one bit for each pair, which ids dominate the branches seen so far."""

    def __init__(self, program: ProgramMap, dominators: Dominators) -> None:
        self._program = program
        self._dominators = dominators
        self._row = np.full(program.id_count, _UNKNOWN, np.intp)
        self._row[0] = 0
        self._table = np.zeros((1, (program.id_count + 7) // 8), np.uint8)  # row 0: nothing dominates
        self._rows = 1

    def of(self, path: Path, indices: Ints, length: int) -> Hashes:
        """The contexts of some constraints: their own branch and up to `length - 1` entries before it."""
        return next(islice(self.growing(path, indices), length - 1, None))

    def growing(self, path: Path, indices: Ints) -> Iterator[Hashes]:
        """The contexts of length 1, then of length 2, and so on."""
        cursor = path.constraints["position"][indices].astype(np.intp) - 1
        is_branch = path.constraints["kind"][indices] == _BRANCH
        branches = np.where(is_branch, path.constraints["id"][indices], 0).astype(np.intp)
        hashes = _mix(np.zeros(len(indices), np.uint64), self._identity(path, branches, cursor))
        rows = self._rows_of(branches)
        while True:
            yield hashes.copy()
            self._pass_dominators(path.events, rows, cursor)
            there = cursor >= 0
            hashes[there] = _mix(hashes[there], path.events[cursor[there]].astype(np.uint64))
            cursor -= 1

    def _identity(self, path: Path, branches: Ints, cursor: Ints) -> Hashes:
        """A branch is its id. A decision inside a library model has none: it is told by the event before it."""
        if branches.all() or not len(path.events):
            return branches.astype(np.uint64)
        before = np.where(cursor >= 0, path.events[np.maximum(cursor, 0)], 0).astype(np.intp)
        return np.where(branches > 0, branches, before + self._program.id_count).astype(np.uint64)

    def _pass_dominators(self, events: NDArray[np.uint32], rows: Ints, cursor: Ints) -> None:
        """Move each cursor back to an event that does not dominate its branch: mostly that is the next or near."""
        moving = np.flatnonzero(cursor >= 0)
        for stride in chain(_STRIDES, repeat(_STRIDES[-1])):
            if not len(moving):
                return
            places = cursor[moving, None] - stride
            ids = events[np.maximum(places, 0)]
            bits = self._table[rows[moving, None], ids >> 3] >> (ids & 7).astype(np.uint8)
            passed = (bits & 1).astype(np.bool_) & (places >= 0)
            on = passed.all(axis=1)
            cursor[moving] -= np.where(on, len(stride), passed.argmin(axis=1))
            moving = moving[on & (cursor[moving] >= 0)]

    def _rows_of(self, branches: Ints) -> Ints:
        rows: Ints = self._row[branches]
        if rows.min(initial=0) == _UNKNOWN:
            for branch in np.unique(branches[rows == _UNKNOWN]).tolist():
                self._add_row(branch)
            rows = self._row[branches]
        return rows

    def _add_row(self, branch: int) -> None:
        if self._rows == len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        flags = np.zeros(self._table.shape[1] * 8, np.uint8)
        flags[list(self._dominators.of(branch))] = 1
        self._table[self._rows] = np.packbits(flags, bitorder="little")
        self._row[branch] = self._rows
        self._rows += 1


def _mix(hashes: Hashes, values: Hashes) -> Hashes:
    mixed = (hashes ^ (values + np.uint64(1))) * _MULTIPLIER
    return mixed ^ (mixed >> _SHIFT)
