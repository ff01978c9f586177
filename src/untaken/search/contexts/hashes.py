"""Looks for contexts: walks from decisions back over the path, and hashes what does not dominate them.

All contexts of a path are looked for at once, each as a 64-bit hash of its ids; equal contexts have equal hashes in
every run, and two of a million different ones collide with a chance of about 3 in 100 million. A context is that of
the length before and one entry more, so those of all lengths cost little more than the longest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct
from untaken.model.path import ConstraintKind, Path
from untaken.search.contexts.hash_table import Hashes
from untaken.search.program.dominators import Dominators
from untaken.search.program.graph import Ints

Events = NDArray[np.uint32]
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_UNKNOWN = -1
BRANCH = int(ConstraintKind.BRANCH)
_MANY = 256  # branches; of fewer, more events are looked at together where dominators are passed over
_MOST_STEPS = 1 << 14  # of all of them together
_PATIENCE = 8  # times the length of the path: steps after which walks are given up for a look at the whole path


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """What contexts are looked for: decisions of one path, as columns.

    A *place* is what can be flipped: a branch by its id, or a decision inside a library function, which has no id, by
    `id_count` plus the event before it.
    """

    events: Events  # of the path
    places: Ints
    ends: Ints  # how many events come before

    @classmethod
    def of(cls, path: Path, indices: Ints, id_count: int) -> Self:
        """The decisions that some constraints of a path belong to."""
        constraints = path.constraints.take(indices)
        places = constraints["id"].astype(np.intp)
        if np.count_nonzero(constraints["kind"]):
            library = np.flatnonzero(constraints["kind"] != BRANCH)
            places[library] = id_count + path.events_before(constraints[library])
        return cls(path.events, places, np.minimum(constraints["position"], len(path.events), dtype=np.intp))

    def take(self, chosen: Ints) -> Self:
        """The chosen ones of these decisions."""
        return type(self)(self.events, self.places.take(chosen), self.ends.take(chosen))


class ContextHashes:
    """Hashes contexts; knows, as one flag for each pair, which ids dominate the branches seen so far.

    Ids that dominate none of them share column 0, branches without dominators and decisions of libraries row 0.
    """

    def __init__(self, id_count: int, dominators: Dominators) -> None:
        self._dominators = dominators
        self._row = np.zeros(2 * id_count, np.intp)
        self._row[1:id_count] = _UNKNOWN
        self._column = np.zeros(id_count + 1, np.intp)  # the last one: ids that the program map lacks
        self._table = np.zeros((1, 1), np.bool_)
        self._rows = self._columns = 1  # in use

    def up_to(self, decisions: Decisions, longest: int) -> tuple[Hashes, Ints]:
        """The contexts of all lengths from 1: a row for each length, a column for each decision.

        And how many events before each decision they rest on; one more than there are where the path's beginning
        cuts them short.
        """
        events, places, ends = decisions.events, decisions.places, decisions.ends
        cursor = ends - 1  # the next event to look at
        hashes = np.empty((longest, len(ends)), np.uint64)
        hashes[0] = places
        hashes[0] *= MULTIPLIER
        rows = self._rows_of(places) * self._table.shape[1]
        for length in range(1, longest):
            if len(events):
                self._pass_dominators(events, rows, cursor)
            _lengthen(events, cursor, hashes[length - 1], hashes[length])
            cursor -= 1
        return hashes, ends - 1 - np.maximum(cursor, -2)

    def _pass_dominators(self, events: Events, rows: Ints, cursor: Ints) -> None:
        """Move each cursor back to an event that does not dominate its branch, or off the path.

        Most need not move, or pass few dominators: a call, say, and what led to it. But in a recursion all that came
        before may dominate each branch; then walks would take a time that grows with the square of the path's length.
        """
        steps_left = max(_MOST_STEPS, _PATIENCE * len(events))
        moving, width = np.arange(len(cursor)), 16
        if len(cursor) > _MANY:
            moving, width = np.flatnonzero(self._dominates(events, rows, cursor) & (cursor >= 0)), 4
        while len(moving):
            places = cursor.take(moving) - np.arange(width)[:, None]
            passed = self._dominates(events, rows.take(moving), places)
            passes = passed.argmin(axis=0)
            on = passed[0] & (passes == 0)  # all of them
            passes[on] = width
            cursor[moving] = places[0] - passes
            moving = moving[on & (passes <= places[0])]
            steps_left -= places.size
            if steps_left < 0:
                self._pass_all(events, rows, cursor, moving)
                return
            width = max(16, min(4 * width, _MOST_STEPS // max(len(moving), 1)))

    def _pass_all(self, events: Events, rows: Ints, cursor: Ints, moving: Ints) -> None:
        """The same for some of the cursors, by branch: for each event, the last one before it that is no dominator."""
        places, rows_moving = np.arange(len(events)), rows.take(moving)
        for row in distinct(rows_moving).tolist():
            chosen = moving[rows_moving == row]
            last = np.maximum.accumulate(np.where(self._dominates(events, row, places), -1, places))
            cursor[chosen] = last.take(cursor.take(chosen))

    def _dominates(self, events: Events, rows: Ints | int, places: Ints) -> NDArray[np.bool_]:
        """Whether the event at a place dominates the branch that has this row.

        Places before the path count as its first event: a cursor that is off the path is done anyway.
        """
        cells = self._column.take(events.take(places, mode="clip"), mode="clip")
        cells += rows
        return self._table.ravel().take(cells, mode="clip")

    def _rows_of(self, places: Ints) -> Ints:
        rows: Ints = self._row.take(places, mode="clip")
        if rows.min(initial=0) == _UNKNOWN:
            for branch in distinct(places[rows == _UNKNOWN]).tolist():
                self._add_row(branch)
            rows = self._row.take(places, mode="clip")
        return rows

    def _add_row(self, branch: int) -> None:
        above = self._dominators.of(branch)
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
        longer *= MULTIPLIER
    if cursor.min(initial=0) < 0:
        np.copyto(longer, shorter, where=cursor < 0)
