"""The earliest way to each state that events show: the run that got there after having looked at the least input.

A corpus keeps the run that was first to cover a branch. It may have got there with the last of its input: from there
nothing is left to decide. A later run that gets there at once covers nothing new, yet is the better one to start from.
So this looks at every run, and lets the better one replace the other.

What a stream could still have had, but for its end, counts as looked at: there is nothing left to decide either.

That a branch was passed is one state. Each length of a streak (search/knowledge/streaks.py) is another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import first_places
from untaken.model.path import Path
from untaken.search.coverage import Coverage
from untaken.search.knowledge.streaks import LENGTHS, Streaks
from untaken.search.splice import lacking

NEVER = np.iinfo(np.intp).max

InputMeasure = Callable[[Path], NDArray[np.intp]]
ProgramState = int  # an id, passed for the n-th time in a row: the id + n times the number of all ids; n begins with 0


def decisions_made(path: Path) -> NDArray[np.intp]:
    """For each constraint how many there were with it: where it is not known which input bytes they speak of."""
    return np.arange(1, len(path) + 1)


def decisions_before(path: Path) -> NDArray[np.intp]:
    """For each constraint how many there were before it."""
    return np.arange(len(path))


@dataclass(frozen=True, slots=True)
class Witness:
    """An input that comes to a state, how many of its bytes were looked at before it did, and at which event it did."""

    input: bytes
    used: int
    event: int
    lacking: int = 0  # bytes that its streams are short of

    @property
    def spent(self) -> int:
        """What of all input can no longer be decided."""
        return self.used + self.lacking


class EarliestWitnesses:
    """For each state the input that came to it after the least input, of all runs. Those below the number of ids are
    that an id was passed at all."""

    def __init__(self, id_count: int, reach: InputMeasure = decisions_made, streaks: Streaks | None = None) -> None:
        self._streaks = streaks
        self._reach = reach
        self._ids = id_count + 1  # the last stands for ids of libraries that are not in the map
        self._spent: NDArray[np.intp] = np.full(LENGTHS * self._ids, NEVER, np.intp)  # before the state was come to
        self._spent[id_count :: self._ids] = 0
        self.ways: dict[ProgramState, Witness] = {}
        self.improvements: list[ProgramState] = []  # each time that a run did better

    def observe(self, path: Path) -> None:
        """A run happened. Those from a snapshot say nothing of what came before it."""
        if path.snapshot or not len(path.events):
            return
        spent = self.spent_before(path)
        ids = np.minimum(path.events, self._ids - 1).astype(np.intp)
        self._compare(path, ids, np.arange(len(ids)), spent)
        if self._streaks is not None:
            events, lengths = self._streaks.concrete(path)
            self._compare(path, ids[events] + lengths * self._ids, events, spent[events])

    def is_reached_by(self, path: Path, state: ProgramState) -> bool:
        """Whether a run on the earliest way to a state comes to it again: not all programs always do the same."""
        event = self.ways[state].event
        return event < len(path.events) and int(path.events[event]) == state % self._ids

    def beside(self, coverage: Coverage) -> list[Witness]:
        """Ways to branches whose other side is uncovered."""
        passed: list[int] = (coverage.uncovered() ^ 1).tolist()
        return [self.ways[branch] for branch in passed if branch in self.ways]

    def _compare(self, path: Path, states: NDArray[np.intp], events: NDArray[np.intp], spent: NDArray[np.intp]) -> None:
        """The run came to these states, at these events."""
        better = (spent < self._spent[states]).nonzero()[0]
        if not len(better):
            return
        improved, first = first_places(states[better])
        self._spent[improved] = spent[better[first]]
        short = lacking(path.input, path.fields)
        for state, place in zip(improved.tolist(), better[first].tolist(), strict=True):
            self.ways[state] = Witness(path.input, int(spent[place]) - short, int(events[place]), short)
        self.improvements.extend(improved.tolist())

    def spent_before(self, path: Path, events: slice = slice(None)) -> NDArray[np.intp]:
        """For each of some events, how much of the input was spent up to it: looked at, or not there."""
        count, short = len(path.events), lacking(path.input, path.fields)
        borders = np.full(len(path) + 2, count, np.intp)
        borders[0] = 0
        borders[1:-1] = np.maximum.accumulate(np.minimum(path.constraints["position"], count))
        spent = np.zeros(len(path) + 1, np.intp)
        spent[1:] = np.minimum(self._reach(path), NEVER - short)
        return np.repeat(spent + short, borders[1:] - borders[:-1])[events]

    def spent_with(self, path: Path, index: int) -> int:
        """How much of the input was spent with a constraint."""
        return int(self._reach(path)[index]) + lacking(path.input, path.fields)
