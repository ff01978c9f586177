"""What else the program would take at one place of its input.

At each byte a parser makes its decisions one after the other: is it a blank, a bracket, the first word, the second?
Which of them a run came to is told by the branch, by how often that was asked about this byte before, and by the
innermost calls: the same few functions look at every byte. One that was seldom decided otherwise is an alternative.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.search.pieces.spans import SpanFinder, looked_at_from
from untaken.search.program.frames import Frames

_CALLS = 3  # that are told apart
_Decision = tuple[int, int, tuple[int, ...]]  # a branch, how often it was asked about the byte, the innermost calls


@dataclass(frozen=True, slots=True)
class OpenPath:
    """A run, and its decisions that have alternatives: the constraint and what it decides, the last one last."""

    path: Path
    left: list[tuple[int, _Decision]]


class Alternatives:
    """Counts how often each decision was made otherwise, and says which of a run still may be."""

    def __init__(self, finder: SpanFinder, frames: Frames, tries: int) -> None:
        self._finder = finder
        self._frames = frames
        self._tries = tries
        self._tried: Counter[_Decision] = Counter()

    def of(self, path: Path) -> OpenPath:
        """The run with those of its decisions that were not yet made otherwise often enough."""
        begin = looked_at_from(path)
        decisions = [] if begin is None else self._decisions(path, begin)
        return OpenPath(path, [(index, it) for index, it in decisions if self._tried[it] < self._tries])

    def next(self, open_path: OpenPath) -> int | None:
        """The last constraint that is still to be decided otherwise, which now counts as tried; None: all were."""
        while open_path.left:
            index, decision = open_path.left.pop()
            if self._tried[decision] < self._tries:
                self._tried[decision] += 1
                return index
        return None

    def _decisions(self, path: Path, begin: int) -> list[tuple[int, _Decision]]:
        reading, cursor = self._finder.reading(path)
        if len(path.symbolic) < len(path.constraints):
            flips = np.isin(reading, path.symbolic)
            reading, cursor = reading[flips], cursor[flips]
        rows = path.constraints[reading]
        columns = (reading.tolist(), rows["id"].tolist(), cursor.tolist())
        inside = self._calls(path.events[begin:], rows["position"] - np.uint32(begin))
        asked: dict[tuple[int, int], int] = {}
        found = []
        for index, branch, byte, calls in zip(*columns, inside, strict=True):
            place = branch, byte
            asked[place] = times = asked.get(place, 0) + 1
            found.append((index, (branch, times, calls)))
        return found

    def _calls(self, events: NDArray[np.uint32], positions: NDArray[np.uint32]) -> list[tuple[int, ...]]:
        """For each position the innermost calls that it is in: what was entered, and the event before that."""
        is_entry = self._frames.is_entry[events]
        marks = np.flatnonzero(is_entry | self._frames.is_return[events])
        sites = events[marks].astype(np.intp) << 32 | np.where(marks > 0, events[marks - 1], 0)
        waiting = list(zip(marks.tolist(), sites.tolist(), is_entry[marks].tolist(), strict=True))[::-1]
        stack: list[int] = []
        inside: tuple[int, ...] = ()
        found = []
        for position in positions.tolist():
            if waiting and waiting[-1][0] < position:
                _enter_and_leave(stack, waiting, position)
                inside = tuple(stack[-_CALLS:])
            found.append(inside)
        return found


def _enter_and_leave(stack: list[int], waiting: list[tuple[int, int, bool]], position: int) -> None:
    """Follows the calls up to a position."""
    while waiting and waiting[-1][0] < position:
        _, site, enters = waiting.pop()
        if enters:
            stack.append(site)
        elif stack:
            stack.pop()
