"""What of its input a run took around one of its events: in the calls and the rounds of loops that the event is in.

As in spans.py, a stretch of events took the input from the byte that is looked at first in it to the byte that is
looked at first after it. Here only stretches around one event are looked for, and the last round of a loop counts too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct
from untaken.model.path import Path
from untaken.model.program import ProgramMap
from untaken.search.pieces.spans import MOST_EVENTS, SpanFinder
from untaken.search.program.frames import NEVER, Frames
from untaken.search.program.graph import Ints


class Taken(NamedTuple):
    """A stretch of an input that was taken by a call, or by a round of a loop."""

    kind: int  # the id of the function's entry, or of the loop's first branch
    start: int
    end: int
    first: int  # where the first round of that loop began, in the same call


class TakenAround:
    """Finds what was taken around events of one program."""

    def __init__(self, program: ProgramMap, frames: Frames, finder: SpanFinder) -> None:
        self._frames = frames
        self._finder = finder
        self._in_loop = np.zeros(program.id_count, np.bool_)
        self._in_loop[[branch.id for branch in program if branch.in_loop]] = True

    def of(self, path: Path, event: int) -> list[Taken]:
        """What the calls and rounds around an event took, the outer calls first."""
        if not 0 <= event < len(path.events) <= MOST_EVENTS:
            return []
        reading, cursor = self._finder.reading(path)
        places = path.constraints["position"][reading].astype(np.intp)
        if not len(cursor):
            return []
        bytes_at = np.append(cursor, cursor[-1] + 1)  # by the number of a constraint that looks at the input
        found = []
        for kind, begin, end, first in self._stretches(path.events, event):
            start, stop, beginning = bytes_at[np.searchsorted(places, (begin, end, first))].tolist()
            if start < stop:
                found.append(Taken(kind, start, stop, min(start, beginning)))
        return found

    def _stretches(self, events: NDArray[np.uint32], event: int) -> Iterator[tuple[int, int, int, int]]:
        """Kind, first event, the event after the last, and where the first of its kind began."""
        is_entry, is_return = self._frames.is_entry[events], self._frames.is_return[events]
        depth = np.cumsum(is_entry.astype(np.intp)) - np.append(0, np.cumsum(is_return.astype(np.intp))[:-1])
        returns = self._frames.returns(events)
        looping = np.flatnonzero(self._in_loop[events])
        entries = np.flatnonzero(is_entry[: event + 1])
        ends = np.where(returns[entries] == NEVER, len(events), returns[entries])
        around = ends > event
        for entry, end in zip(entries[around].tolist(), ends[around].tolist(), strict=True):
            yield int(events[entry]), entry, end, entry
            inside = looping[(looping > entry) & (looping < end)]
            yield from _rounds(events, inside[depth[inside] == depth[entry]], event, end)


def _rounds(events: NDArray[np.uint32], passes: Ints, event: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Of each loop of one call: from its branch's last pass before an event to the next one."""
    sites = events[passes] & ~np.uint32(1)
    for site in distinct(sites[passes <= event]).tolist():
        own = passes[sites == site]
        after = int(np.searchsorted(own, event, side="right"))
        yield site, int(own[after - 1]), int(own[after]) if after < len(own) else end, int(own[0])
