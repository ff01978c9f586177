"""Contexts of context-guided search: a branch and the branches before it on the path, those that dominate it left
out, since they would be there on any path.

All contexts of a path are computed at once, each as a 64-bit hash of its ids; equal contexts have equal hashes in
every run, and two of a million different ones collide with a chance of about 3 in 100 million. A context is that of
the length before and one entry more, so those of all lengths cost little more than the longest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import ConstraintKind, Path
from untaken.model.program import ProgramMap
from untaken.search.dominators import Dominators
from untaken.search.graph import Ints

Events = NDArray[np.uint32]
Hashes = NDArray[np.uint64]
_UNKNOWN = -1
_BRANCH = ConstraintKind.BRANCH
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FEW_STEPS, _MANY_STEPS = np.arange(4)[:, None], np.arange(16)[:, None]  # events looked at together, where dominators
_MANY = 0.1  # are passed over: few for each as long as such a share of the branches is at it


class Contexts:
    """Hashes contexts; knows, as one flag for each pair, which ids dominate the branches seen so far.

    Ids that dominate none of them share column 0, branches without dominators row 0.
    """

    def __init__(self, program: ProgramMap, dominators: Dominators) -> None:
        self._program = program
        self._dominators = dominators
        self._row = np.full(program.id_count, _UNKNOWN, np.intp)
        self._row[0] = 0
        self._column = np.zeros(program.id_count + 1, np.intp)  # the last one: ids that the program map lacks
        self._table = np.zeros((1, 1), np.bool_)
        self._rows = self._columns = 1  # in use

    def of(self, path: Path, indices: Ints, length: int) -> Hashes:
        """The contexts of some constraints: their own branch and up to `length - 1` entries before it."""
        longest: Hashes = self.up_to(path, indices, length)[-1]
        return longest

    def up_to(self, path: Path, indices: Ints, longest: int) -> Hashes:
        """The contexts of all lengths from 1: a row for each length, a column for each constraint."""
        events, constraints = path.events, path.constraints[indices]
        branches = constraints["id"].astype(np.intp)
        if constraints["kind"].any():
            branches[constraints["kind"] != _BRANCH] = 0
        cursor = np.minimum(constraints["position"], len(events)).astype(np.intp) - 1  # the next event to look at
        hashes = np.empty((longest, len(indices)), np.uint64)
        hashes[0] = self._identity(path, branches, cursor)
        hashes[0] *= _MULTIPLIER
        rows = self._rows_of(branches) * self._table.shape[1]
        for length in range(1, longest):
            if len(events):
                self._pass_dominators(events, rows, cursor)
            _lengthen(events, cursor, hashes[length - 1], hashes[length])
            cursor -= 1
        return hashes

    def _identity(self, path: Path, branches: Ints, cursor: Ints) -> Ints:
        """A branch is its id. A decision inside a library model has none: it is told by the event before it."""
        if branches.all() or not len(path.events):
            return branches
        before = np.where(cursor >= 0, path.events[np.maximum(cursor, 0)], 0).astype(np.intp)
        return np.where(branches > 0, branches, before + self._program.id_count)

    def _pass_dominators(self, events: Events, rows: Ints, cursor: Ints) -> None:
        """Move each cursor back to an event that does not dominate its branch, or off the path.

        Most need not move, or pass few dominators: a call, say, and what led to it.
        """
        passed = self._dominates(events, rows, cursor)
        moving = np.flatnonzero(passed & (cursor >= 0))
        while len(moving):
            steps = _FEW_STEPS if len(moving) > _MANY * len(cursor) else _MANY_STEPS
            places = cursor.take(moving) - steps
            passed = self._dominates(events, rows.take(moving), places)
            passes = passed.argmin(axis=0)
            on = passed[0] & (passes == 0)  # all of them
            passes[on] = len(steps)
            cursor[moving] = places[0] - passes
            moving = moving[on & (passes <= places[0])]

    def _dominates(self, events: Events, rows: Ints, places: Ints) -> NDArray[np.bool_]:
        """Whether the event at a place dominates the branch that has this row.

        Places before the path count as its first event: a cursor that is off the path is done anyway.
        """
        cells = self._column.take(events.take(places, mode="clip"), mode="clip")
        cells += rows
        return self._table.ravel().take(cells, mode="clip")

    def _rows_of(self, branches: Ints) -> Ints:
        rows: Ints = self._row.take(branches)
        if rows.min(initial=0) == _UNKNOWN:
            for branch in np.unique(branches[rows == _UNKNOWN]).tolist():
                self._add_row(branch)
            rows = self._row.take(branches)
        return rows

    def _add_row(self, branch: int) -> None:
        above = np.fromiter(sorted(self._dominators.of(branch)), np.intp)
        fresh = above[self._column[above] == 0]
        self._column[fresh] = np.arange(self._columns, self._columns + len(fresh))
        self._columns += len(fresh)
        self._make_room()
        self._table[self._rows, self._column[above]] = True
        self._row[branch] = self._rows
        self._rows += 1

    def _make_room(self) -> None:
        rows, columns = self._table.shape
        while rows <= self._rows:
            rows *= 2
        while columns < self._columns:
            columns *= 2
        if (rows, columns) != self._table.shape:
            grown = np.zeros((rows, columns), np.bool_)
            grown[: self._table.shape[0], : self._table.shape[1]] = self._table
            self._table = grown


def _lengthen(events: Events, cursor: Ints, shorter: Hashes, longer: Hashes) -> None:
    """Add an entry to each context, where the path has one."""
    if len(events):
        np.add(shorter, events.take(cursor, mode="clip"), out=longer)
        longer *= _MULTIPLIER
    if cursor.min(initial=0) < 0:
        np.copyto(longer, shorter, where=cursor < 0)
