"""The call stack of a path at any of its positions, as look-ahead needs it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from untaken.model.path import Path
from untaken.search.program.frames import NEVER, Frames


class OpenCalls:
    """Which calls of a path are under way where, and from where they were made."""

    def __init__(self, path: Path, frames: Frames) -> None:
        self.path = path
        self._events = path.events
        self._is_return = frames.is_return
        returns = frames.returns(path.events)
        self._entries = np.flatnonzero(frames.is_entry[path.events])
        # A call that never returns, left by exit or a jump, is under way to the end: that only adds to what is reached.
        ends = returns[self._entries]
        self._ends = np.where(ends == NEVER, len(path.events), ends)
        self._returned = ends

    @cached_property
    def _opened_by(self) -> dict[int, int]:
        """For the position of each return, that of the entry."""
        return dict(zip(self._returned.tolist(), self._entries.tolist(), strict=True))

    def at(self, position: int) -> Iterator[tuple[int | None, int]]:
        """For each call under way, the innermost first: the caller's last own event before it, and the entry.

        The event is None where the caller is unknown; the outermost call has none and is left out.
        """
        before = int(np.searchsorted(self._entries, position))
        under_way = self._entries[:before][self._ends[:before] >= position]
        for entry in under_way[:0:-1].tolist():
            yield self.last_own_event(entry), int(self._events[entry])

    def last_own_event(self, position: int) -> int | None:
        """The last event before a position that belongs to the function which is running there."""
        at = position - 1
        while at >= 0 and self._is_return[self._events[at]]:
            opened = self._opened_by.get(at)
            if opened is None:
                return None
            at = opened - 1
        return int(self._events[at]) if at >= 0 else None

    def entered(self, entry_id: int, position: int) -> bool:
        """True if a function was entered before a position."""
        before = int(np.searchsorted(self._entries, position))
        return bool((self._events[self._entries[:before]] == entry_id).any())
