"""Calls in a path: where the function that an event enters returns again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import ProgramMap
from untaken.search.program.graph import Ints

NEVER = -1
_WINDOW = 256  # events that are looked through first for the end of one call; four times as many, next


class Frames:
    """Tells entries, returns and branches apart, and pairs entries with returns."""

    def __init__(self, program: ProgramMap) -> None:
        self.is_entry = np.zeros(program.id_count, np.bool_)
        self.is_entry[[function.entry_id for function in program.functions]] = True
        self.is_return = np.zeros(program.id_count, np.bool_)
        self.is_return[[function.return_id for function in program.functions]] = True

    def returns(self, events: NDArray[np.uint32]) -> Ints:
        """For each event that enters a function, the position of its return; NEVER elsewhere or if it was left
        otherwise (exit, longjmp, a crash)."""
        entering, leaving = self.is_entry[events], self.is_return[events]
        marks = np.flatnonzero(entering | leaving)
        enters = entering[marks]
        # The level of the frame that a mark opens or closes: on each level the two alternate.
        level = np.cumsum(np.where(enters, 1, -1)) + ~enters
        order = np.argsort(level, kind="stable")
        opening, closing = marks[order[:-1]], marks[order[1:]]
        matched = (level[order[:-1]] == level[order[1:]]) & entering[opening] & (events[closing] == events[opening] + 1)
        returns = np.full(len(events), NEVER, np.intp)
        returns[opening[matched]] = closing[matched]
        return returns

    def ends(self, events: NDArray[np.uint32]) -> CallEnds:
        """The returns of a few calls, which are asked for one by one."""
        return CallEnds(self, events)


class CallEnds:
    """Where calls of one path return. Most end soon after they began, so nobody reads all of a long path for one of
    them; once as much was read as the path has, all of them are found at once."""

    def __init__(self, frames: Frames, events: NDArray[np.uint32]) -> None:
        self._frames = frames
        self._events = events
        self._read = 0
        self._all: Ints | None = None

    def of(self, entry: int) -> int:
        """As Frames.returns has it for the event at this position, which enters a function."""
        if self._all is None and self._read < len(self._events):
            return self._found(entry)
        if self._all is None:
            self._all = self._frames.returns(self._events)
        return int(self._all[entry])

    def _found(self, entry: int) -> int:
        """The first event after which as many calls are open as before that one, if it is its return."""
        begin, size, depth = entry, _WINDOW, 0
        while begin < len(self._events):
            events = self._events[begin : begin + size]
            self._read += len(events)
            depths = depth + np.cumsum(self._frames.is_entry[events].astype(np.intp) - self._frames.is_return[events])
            if depths.min() <= 0:
                end = begin + int((depths <= 0).argmax())
                return end if self._events[end] == self._events[entry] + 1 else NEVER
            begin, size, depth = begin + size, 4 * size, int(depths[-1])
        return NEVER
