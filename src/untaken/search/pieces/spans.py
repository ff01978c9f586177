"""Which stretches of its input a run took as one thing.

A parser calls a function for each thing that it expects, and goes round a loop for each of several. So a call took the
input from the byte that was looked at first in it up to the byte that was looked at first after it; a round of a loop
likewise. Two stretches of the same function, or of the same loop, are of one kind: what stands for the one may stand
for the other. Nothing is known of tokens or grammars but this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from untaken.model.input import FieldKind
from untaken.model.path import Path
from untaken.model.program import ProgramMap
from untaken.search.knowledge.witnesses import InputMeasure
from untaken.search.program.frames import NEVER, Frames
from untaken.search.program.graph import Ints

NOWHERE = (1 << 62) - 1  # the first byte of a constraint that speaks of no input
MOST_EVENTS = 20_000  # of a run that is looked at: longer ones say little more, and take long
_LEAD = 1_000  # events before the first decision of a long run: calls that it is in may begin there


class Span(NamedTuple):
    """A stretch of an input that the program took as one thing. Runs have hundreds: a tuple is the quickest to make."""

    kind: int  # the id of the function's entry, or of the first branch of the loop
    start: int
    end: int
    behaviour: int  # a hash of the events that were passed, each as often as it was
    repeats: bool  # it is a round of a loop
    complete: bool  # something was looked at after it; else it may be what the program gave up at


class SpanFinder:
    """Finds the spans of runs of one program."""

    def __init__(self, program: ProgramMap, frames: Frames, cursor: InputMeasure) -> None:
        self._frames = frames
        self._cursor = cursor
        self._in_loop = np.zeros(program.id_count, np.bool_)
        self._in_loop[[branch.id for branch in program if branch.in_loop]] = True
        self._weights = _weights(program.id_count)
        self._asked: Path | None = None
        self._read: tuple[Ints, Ints] = (np.zeros(0, np.intp), np.zeros(0, np.intp))

    def spans(self, path: Path) -> Iterator[Span]:
        """Those of a run, each stretch of each kind once: calls first, the outer before the inner."""
        if not len(path.events) or looked_at_from(path) is None:
            return
        kinds, starts, ends, *others = self._columns(path)
        first = _first_of_each(kinds, starts, ends)
        columns = (column[first].tolist() for column in (kinds, starts, ends, *others))
        yield from map(Span._make, zip(*columns, strict=True))

    def reading(self, path: Path) -> tuple[Ints, Ints]:
        """The constraints by which the run looked at its input, and the byte that each looked at."""
        if path is not self._asked:  # for its spans, and for its alternatives
            self._asked, self._read = path, self._reading(path)
        return self._read

    def _reading(self, path: Path) -> tuple[Ints, Ints]:
        cursor = self._cursor(path)
        reads = cursor != NOWHERE
        for length in (field for field in path.fields if field.kind is FieldKind.LENGTH):
            reads &= (cursor < length.offset) | (cursor >= length.offset + length.size)
        return np.flatnonzero(reads), cursor[reads]

    def _columns(self, path: Path) -> tuple[NDArray[np.generic], ...]:
        """The fields of all spans."""
        begin = looked_at_from(path) or 0
        events = path.events[begin:]
        kinds, begins, ends, repeats = self._stretches(events)
        reading, cursor = self.reading(path)
        places = path.constraints["position"][reading].astype(np.intp) - begin
        first, after = np.searchsorted(places, begins), np.searchsorted(places, ends)
        looked_at = np.append(cursor, cursor[-1:])  # at the end of the run: where it looked last
        complete = after < len(cursor)
        found = np.flatnonzero(first < after)
        found = found[looked_at[first[found]] < looked_at[after[found]] + ~complete[found]]
        hashes = np.append(np.uint64(0), np.cumsum(self._weights[events]))
        behaviours = hashes[ends[found]] - hashes[begins[found]]
        starts, stops = looked_at[first[found]], looked_at[after[found]]
        return kinds[found], starts, stops, behaviours, repeats[found], complete[found]

    def _stretches(self, events: NDArray[np.uint32]) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
        """Calls, and rounds of loops: their kinds, first events, the events after the last, and which are rounds."""
        returns = self._frames.returns(events)
        entries = np.flatnonzero(self._frames.is_entry[events])
        ends = np.where(returns[entries] == NEVER, len(events), returns[entries])
        frame = np.full(len(events), NEVER, np.intp)
        for entry, end in zip(entries.tolist(), ends.tolist(), strict=True):
            frame[entry : end + 1] = entry
        kinds, begins, stops = _rounds(events, np.flatnonzero(self._in_loop[events]), frame)
        return (
            np.append(events[entries].astype(np.intp), kinds),
            np.append(entries, begins),
            np.append(ends, stops),
            np.repeat((False, True), (len(entries), len(kinds))),
        )


def looked_at_from(path: Path) -> int | None:
    """The event from which on a run is looked at: the first, or where there are many, one shortly before the first
    decision about the input. None if there are too many even so."""
    count = len(path.events)
    begin = max(0, path.start - _LEAD) if count > MOST_EVENTS else 0
    return begin if count - begin <= MOST_EVENTS else None


def _first_of_each(*columns: NDArray[np.generic]) -> Ints:
    """Of all rows that are alike the first, in order: loops make thousands, and few differ."""
    order = np.lexsort(columns)
    differs = np.ones(len(order), np.bool_)
    differs[1:] = np.logical_or.reduce([column[order[1:]] != column[order[:-1]] for column in columns])
    return np.sort(order[differs])


def _rounds(events: NDArray[np.uint32], places: Ints, frame: Ints) -> tuple[Ints, Ints, Ints]:
    """From each pass of a branch inside a loop to its next in the same call."""
    sites = events[places].astype(np.intp) & ~1
    order = np.lexsort((places, sites, frame[places]))
    places, sites = places[order], sites[order]
    again = np.flatnonzero((sites[1:] == sites[:-1]) & (frame[places[1:]] == frame[places[:-1]]))
    return sites[again], places[again], places[again + 1]


def _weights(count: int) -> NDArray[np.uint64]:
    """A number for each id whose sums tell which were added: an odd multiple of the golden ratio, mixed."""
    mixed = (np.arange(1, count + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(27))
