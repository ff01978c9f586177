"""Runs that have no end in time cost little: the time that one may take is learnt from the others.

A run that hangs would cost as much as `--timeout` allows, thousands of times what others take, and a search often comes
back to the same loop. So a run has ten times the median of those before it, and no less than a tenth of a second. One
that is late then is run once more with all the time there is, and what comes of that counts: on a busy machine, or in a
program with a few long runs, nothing changes but that these runs take longer. Only where such a run did hang, others
that are late at the same place, by the last event that they recorded, are taken for hanging too; every now and then
one of them has all the time again.

So no result depends on how fast the machine is that did not depend on it before, but for a run that ends in time, is
late by what was learnt, and is just then where others hang.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from untaken.execute.session import Session
from untaken.execute.trace_reader import NO_EVENT, Glance
from untaken.model.burst import ChangedInputs
from untaken.model.path import ExitKind, Path

ENOUGH = 4  # runs that ended, before anything is learnt
MANY = 64  # the last so many count, and as often it is learnt anew
TIMES = 10.0  # the median
LEAST = 0.1  # seconds
RARER = 8  # of the runs that are late where others hang, the 8th, the 64th and so on have all the time
_LATE = ExitKind.TIMEOUT


@dataclass(slots=True)
class Hang:
    """A place where a run had no end with all the time there is."""

    late: int = 1  # runs so far
    due: int = RARER  # the next of them that has all the time

    def is_due(self) -> bool:
        """Whether one more run that is late here has all the time."""
        self.late += 1
        return self.late >= self.due


class LearntTime:
    """What a run may take, learnt from those that ended; `most` seconds, and until there are enough of them as much."""

    def __init__(self, most: float) -> None:
        self._most = most
        self._lately: deque[float] = deque(maxlen=MANY)
        self._awaited = ENOUGH  # runs, until it is learnt
        self._due = ENOUGH  # of all runs that ended, the one after which that is
        self.seconds = most

    def learn(self, seconds: float) -> None:
        """A run took so long."""
        self._lately.append(seconds)
        self._awaited -= 1
        if not self._awaited:
            self._awaited = min(self._due, MANY)  # twice as many runs, and then one round after the other
            self._due += self._awaited
            self.seconds = min(self._most, max(LEAST, TIMES * median(self._lately)))


class LateRuns:
    """Runs inputs in a session, with the time that was learnt."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._hangs: dict[int, Hang] = {}  # by the last event
        self._time = LearntTime(session.settings.timeout)
        self._glance_time = LearntTime(session.settings.timeout)  # those are shorter

    @property
    def seconds(self) -> float:
        """What a run may take for now."""
        return self._time.seconds

    def run(self, input: bytes) -> Path:
        """Runs the program to its end, or as long as it is worth while."""
        path = self._timed(input, self._time.seconds)
        if path.exit.kind is not _LATE:
            return path
        hang = self._hangs.get(_place(path))
        if hang is not None and not hang.is_due():
            return path
        whole = path if self.seconds >= self._session.settings.timeout else self._once_more(path)
        self._learn_place(path, whole)
        return whole

    def burst(self, changes: ChangedInputs, runs: range, passes: NDArray[np.uint8]) -> Glance:
        """Runs changed inputs until one shows something; of one that is to be run as usual nothing is known."""
        begun = time.perf_counter()
        glance = self._session.burst(changes, runs, passes, self._glance_time.seconds)
        if glance.exit is None or glance.exit.kind is not ExitKind.TIMEOUT:
            self._glance_time.learn((time.perf_counter() - begun) / glance.runs)
            return glance
        hang = self._hangs.get(glance.last_event)
        return replace(glance, exit=None) if hang is None or hang.is_due() else glance

    def _timed(self, input: bytes, seconds: float) -> Path:
        begun = time.perf_counter()
        path = self._session.run(input, seconds=seconds)
        if path.exit.kind is not _LATE:
            self._time.learn(time.perf_counter() - begun)
        return path

    def _once_more(self, path: Path) -> Path:
        """With all the time; what the first run was first to pass is this one's merit, too."""
        whole = self._timed(path.input, self._session.settings.timeout)
        return replace(whole, new_ids=whole.new_ids + path.new_ids)

    def _learn_place(self, path: Path, whole: Path) -> None:
        if whole.exit.kind is not ExitKind.TIMEOUT:
            self._hangs.pop(_place(path), None)
            return
        hang = self._hangs.setdefault(_place(whole), Hang())
        hang.due = hang.late * RARER


def _place(path: Path) -> int:
    return int(path.events[-1]) if len(path.events) else NO_EVENT
