"""The records of an input: what each round of the loop that reads it took.

Most programs read their input in a loop: a line, a statement, a chunk in each round. That loop is taken to be in the
outermost call in which a loop looked at any of the input; of several there, it is the one that looked at most of it. A
round took the input from the first byte that was not looked at before to the first that only a later round looked at;
the last one, up to the last byte that was looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct, first_places
from untaken.model.path import Path
from untaken.model.program import ProgramMap
from untaken.search.knowledge.witnesses import InputMeasure
from untaken.search.pieces.spans import MOST_EVENTS, SpanFinder
from untaken.search.program.frames import Frames
from untaken.search.program.graph import Ints
from untaken.search.splice import stream_end

_MOST_ROUNDS = 16  # of a run: inputs that go on from later ones would be long
_FIRST = 64  # runs in which all loops are looked at
_OFTEN = 8  # then in one of so many: it takes as long as all else
_EVEN = ~np.uint32(1)


class LoopRound(NamedTuple):
    """What one round took, and what it did."""

    start: int
    end: int
    did: NDArray[np.uint32]  # the ids that it passed; of what the input decided, the lower one of both sides
    closed: bool  # the loop came back to where it began; else the round may be what the program gave up at


class LoopRounds(NamedTuple):
    """Those of one run, in order."""

    loop: int  # the id of its first branch
    rounds: list[LoopRound]


class RoundFinder:
    """Finds the loop that reads the input, in runs of one program."""

    def __init__(self, program: ProgramMap, frames: Frames, finder: SpanFinder, reach: InputMeasure) -> None:
        self._frames = frames
        self._finder = finder
        self._reach = reach
        looping = np.array([branch.id for branch in program if branch.in_loop], np.intp)
        self._in_loop = np.zeros(program.id_count + 1, np.bool_)
        self._in_loop[looping] = self._in_loop[looping ^ 1] = True
        self._entry = {branch.id & ~1: program.functions[branch.function].entry_id for branch in program}
        self._found: Counter[int] = Counter()  # the loops of those runs in which all were looked at
        self._asked = 0

    def of(self, path: Path) -> LoopRounds | None:
        """What each round took; None if there is no such loop."""
        if len(path.events) > MOST_EVENTS:
            return None
        reading, cursor = self._finder.reading(path)
        if not len(cursor):
            return None
        advances = np.append(True, cursor[1:] > np.maximum.accumulate(cursor)[:-1])
        places, cursor = path.constraints["position"][reading[advances]].astype(np.intp), cursor[advances]
        borders = self._usual(path.events)
        if borders is None:
            borders = self._widest(path.events, places, cursor)
        return None if borders is None else self._rounds(path, borders, places, cursor)

    def _usual(self, events: NDArray[np.uint32]) -> Ints | None:
        """Where the rounds of the loop begin that was found most often, and where its call ends; None if there is none,
        if it was called several times, or if it is time to look at all loops again."""
        self._asked += 1
        if len(self._found) == 0 or self._asked <= _FIRST or self._asked % _OFTEN == 0:
            return None
        ((loop, _),) = self._found.most_common(1)
        entry, passes = self._entry[loop], np.flatnonzero(events & _EVEN == loop)
        if not len(passes) or np.count_nonzero(events == entry) != 1:
            return None
        returned = np.flatnonzero(events == entry + 1)
        return np.append(passes, returned[0] if len(returned) else len(events))

    def _widest(self, events: NDArray[np.uint32], places: Ints, cursor: Ints) -> Ints | None:
        """The same of the loop that looked at most of the input, of the outermost call in which one looked at any."""
        widest, best = 0, None
        for level, borders in self._loops(events):
            if best is not None and level > best[0]:
                break
            looked_at = cursor[slice(*np.searchsorted(places, (borders[0], borders[-1])))]
            extent = int(looked_at[-1] - looked_at[0]) + 1 if len(looked_at) else 0
            if extent > widest:
                widest, best = extent, (level, borders)
        if best is None:
            return None
        self._found[int(events[best[1][0]]) & ~1] += 1
        return best[1]

    def _loops(self, events: NDArray[np.uint32]) -> Iterator[tuple[int, Ints]]:
        """Where each loop's rounds begin, and where its call ends; with the level of the call, the outermost first."""
        looping = np.flatnonzero(self._in_loop[events])
        is_entry, is_return = self._frames.is_entry[events], self._frames.is_return[events]
        depth = np.cumsum(is_entry.astype(np.intp)) - np.append(0, np.cumsum(is_return.astype(np.intp))[:-1])
        for level in distinct(depth[looping]).tolist():
            own = looping[depth[looping] == level]
            ends = np.append(np.flatnonzero(is_return & (depth == level)), len(events))
            end_of = ends[np.searchsorted(ends, own)]
            keys = end_of * len(self._in_loop) + (events[own] >> 1)
            for first in np.sort(first_places(keys)[1]).tolist():
                yield level, np.append(own[keys == keys[first]], end_of[first])

    def _rounds(self, path: Path, borders: Ints, places: Ints, cursor: Ints) -> LoopRounds:
        """What each round took of the input, from one of these events to the next."""
        found: list[LoopRound] = []
        did, end = self._done(path), self._end(path, borders, cursor)
        starts = np.append(cursor, end)[np.searchsorted(places, borders[:-1])].tolist()
        events = borders.tolist()
        for number, (start, stop) in enumerate(zip(starts, [*starts[1:], end], strict=True)):
            if start < stop and len(found) < _MOST_ROUNDS:
                found.append(LoopRound(start, stop, did[events[number] : events[number + 1]], number + 2 < len(events)))
        return LoopRounds(int(path.events[borders[0]]) & ~1, found)

    def _end(self, path: Path, borders: Ints, cursor: Ints) -> int:
        """The byte after the last that was looked at; if all was looked at before the loop, at first."""
        reach = self._reach(path)
        before = int(np.searchsorted(path.constraints["position"], borders[0]))
        is_ahead = before > 0 and reach[before - 1] > cursor[0]
        end = int(cursor[-1]) + 1 if is_ahead else max(int(reach[-1]), int(cursor[-1]) + 1)
        return min(end, stream_end(path.input, path.fields, int(cursor[-1])))

    def _done(self, path: Path) -> NDArray[np.uint32]:
        """The events, without the side of what the input decided."""
        did = path.events.copy()
        decided = path.constraints["position"]
        did[decided[decided < len(did)]] &= _EVEN
        return did
