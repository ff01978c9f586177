"""Cuts runs that grow far beyond the others: with a number from the input, say, that a loop or a recursion counts to.

Such a run brings little for its time, and so do the thousands of equal decisions at its end. It ends after a number of
events; the beginning of its path is as good as any other path. What it would have come to is looked at now and then:
the same input is run to its end, without expressions, at the first run that is cut in a function and ever more seldom
after that, and wherever the beginning covers something new. So crashes and endless loops are found as before. Where
such a look takes all the time that a run may have, the next one there is even later. If something new lies beyond the
cut, runs may be longer from then on, until some of them were in vain; and, within bounds, if most runs are cut: then
long ones are what is usual. These bounds are wide where no run that was looked at is shorter.

What a program does before it looks at its input, to fill tables say, is no part of these bounds: it is the same in each
run, and behind it everything begins. The first run tells how long that is. Where it is long, it is done once for all
runs, if the program is such that this makes no difference (runtime/process/prologue.c).

Runs whose path is not read cost less, so they may be longer.

Events are counted and no time is taken, so the same seed gives the same paths.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from untaken.campaign.machinery.late_runs import LateRuns
from untaken.execute.session import Session
from untaken.execute.trace_reader import Glance
from untaken.model.burst import ChangedInputs
from untaken.model.path import CutOff, Exit, ExitKind, Path
from untaken.model.program import ProgramMap

FIRST_LIMIT = 1 << 14  # events; most runs of most programs have a tenth
USUAL_LIMIT = 1 << 16  # up to which it grows only because many runs are cut, from the first decision on
LONG_LIMIT = 1 << 22  # the same if all runs that were looked at are so long
LOOKS = 3  # that tell
GLANCE_LIMIT = 1 << 16  # the first of a run whose path is not read
USUAL_GLANCE = 1 << 20  # up to which that grows
GROWTH = 4
MANY = 32  # runs; if more than half of so many are cut, they may be longer
FEW = 8  # runs that are longer than is usual and cover nothing new, after which they may not be as long
ENOUGH_IN_VAIN = FEW << 18  # events of such runs: of very long ones, two or three will do
RARER = 4  # of the runs that are cut in one function, the first, the 4th, the 16th and so on are run to their end
IN_VAIN = 16  # the same after a run that had no end in time
LONG_PROLOGUE = 1 << 13  # events before the first decision, from which on it pays to pass them once
ALIKE = 0.02  # of what a run covers: what another may cover differently
_CUT = ExitKind.LENGTH


class RunLengths:
    """Runs inputs in a session, none of them much longer than is worth while."""

    def __init__(self, session: Session, program: ProgramMap, limit: int = FIRST_LIMIT) -> None:
        self._session = session
        self._late = LateRuns(session)
        self._usual = UsualLength(limit)
        self._of_glances = UsualLength(max(limit, GLANCE_LIMIT))
        self._limit = limit
        self._in_vain = 0  # events
        self._most_events = session.settings.limits.events
        self._function = functions_of_ids(program)
        self._looks: dict[int, Looks] = {}  # by the function that runs were cut in
        self._whole_lengths = WholeLengths()
        self._glances = self._long_glances = 0  # that nothing was learnt from so far
        self._knows_start = False  # how long runs are before their first decision

    def run(self, input: bytes) -> Path:
        """Runs the program within the limit of lengths; a path that was cut says so."""
        path = self._run(input, self._limit)
        if not self._knows_start:
            path = self._past_start(self._without_prologue(path))
        was_cut = path.exit.kind is _CUT
        if self._usual.saw(was_cut=was_cut, most=self._most_usual(path) if was_cut else 0):
            self._limit = max(self._limit, self._usual.events)
        if self._limit != self._usual.events:
            self._shrink_if_in_vain(path)
        if not was_cut:
            return path
        place = int(self._function.take(path.events[-1], mode="clip"))  # the last is of ids that the map lacks
        looks = self._looks.setdefault(place, Looks())
        return self._looked_beyond(path, looks) if looks.is_due(covers_new=path.new_ids > 0) else path

    def _most_usual(self, path: Path) -> int:
        """Up to where runs may grow because many are cut."""
        return max(USUAL_LIMIT + path.start, self._whole_lengths.least)

    def _without_prologue(self, path: Path) -> Path:
        """The first run; where it is long before its first decision, one that begins where the program looks at its
        input, as then do all others.

        That is kept if it covers the same, ends in the same way, and is much shorter."""
        if path.start < LONG_PROLOGUE:
            return path
        usual = self._whole(path.input)
        if not (self._session.do_prologue_once(wanted=True) and self._whole(path.input).can_stand_for(usual)):
            self._session.do_prologue_once(wanted=False)
        self._session.coverage[:] = 0
        return self._run(path.input, self._limit)

    def _whole(self, input: bytes) -> WholeRun:
        """To its end, without expressions."""
        self._session.coverage[:] = 0
        self._session.event_limit = 0
        path = self._session.run(input, concrete=True)
        return WholeRun(path.exit, len(path.events), self._session.coverage.copy())

    def _past_start(self, path: Path) -> Path:
        """The first run, or a longer one of its input if it was cut before the first decision: so would be all others.

        Where that is not to be had, runs are as long as they were to be."""
        self._knows_start = True
        limit, longer = self._limit, path
        while longer.exit.kind is _CUT and not len(longer.constraints) and limit < self._most_events:
            limit *= GROWTH
            longer = self._run(path.input, limit)
        if not len(longer.constraints):
            return path
        self._limit = self._usual.events = limit
        return longer

    def burst(self, changes: ChangedInputs, runs: range, passes: NDArray[np.uint8]) -> Glance:
        """Runs changed inputs within the limits, until one shows something, and does not read their paths."""
        limit = max(self._limit, self._of_glances.events)
        self._session.event_limit = limit if limit < self._most_events else 0
        glance = self._late.burst(changes, runs, passes)
        self._glances += glance.runs
        self._long_glances += glance.long
        if glance.shows_something or glance.runs == len(runs):  # else it ends here for want of time
            self._learn_from_glances()
        return glance

    def _learn_from_glances(self) -> None:
        few = min(self._glances, MANY)
        for number in range(few):
            self._of_glances.saw(was_cut=number * self._glances < self._long_glances * few, most=USUAL_GLANCE)
        self._glances = self._long_glances = 0

    def _run(self, input: bytes, limit: int) -> Path:
        self._session.event_limit = limit if limit < self._most_events else 0
        return self._late.run(input)

    def _shrink_if_in_vain(self, path: Path) -> None:
        if len(path.events) * GROWTH < self._limit:
            return
        self._in_vain = 0 if path.new_ids else self._in_vain + max(len(path.events), ENOUGH_IN_VAIN // FEW)
        if self._in_vain >= ENOUGH_IN_VAIN:
            self._limit = max(self._usual.events, self._limit // GROWTH)
            self._in_vain = 0

    def _looked_beyond(self, path: Path, looks: Looks) -> Path:
        """The path of a run that was cut, with the end that it comes to; a longer one if there is something new."""
        before = self._session.coverage.astype(np.bool_)
        self._session.event_limit = 0
        whole = self._session.run(path.input, concrete=True)
        looks.looked(endless=whole.exit.kind is ExitKind.TIMEOUT)
        self._whole_lengths.saw(whole)
        if whole.new_ids:
            path = self._longer(path, np.flatnonzero(self._session.coverage.astype(np.bool_) & ~before))
        return path if path.exit.kind is not ExitKind.LENGTH else self._with_end(path, whole)

    def _longer(self, path: Path, new: NDArray[np.intp]) -> Path:
        """The path up to where it has passed what is new, or to its end; as it is if there is no time for that."""
        limit, longer = self._limit, path
        while (
            longer.exit.kind is ExitKind.LENGTH and limit < self._most_events and not np.isin(new, longer.events).all()
        ):
            limit *= GROWTH
            longer = self._run(path.input, limit)
        if longer.exit.kind is ExitKind.TIMEOUT:
            return path
        if limit < self._most_events:
            self._limit = limit
        return longer

    def _with_end(self, path: Path, whole: Path) -> Path:
        """As one path: how the whole run ended, what it asked for and what it passed."""
        return replace(
            path,
            exit=whole.exit,
            fields=whole.fields,
            input_used=whole.input_used,
            cut_off=path.cut_off | CutOff.EVENTS,
            unseen=whole.passed if whole.unseen is None else whole.unseen,
        )


@dataclass(frozen=True, slots=True)
class WholeRun:
    """What tells whether the same is done with the prologue done once."""

    exit: Exit
    events: int
    covered: NDArray[np.uint8]

    def can_stand_for(self, usual: WholeRun) -> bool:
        """Whether it is like the usual run, but much shorter. One that took too long tells nothing. The clock may make
        some difference: many programs take it for the seed of a hash."""
        if self.exit.kind is ExitKind.TIMEOUT or self.events + LONG_PROLOGUE // 2 > usual.events:
            return False
        others = np.count_nonzero(self.covered != usual.covered)
        is_alike = self.exit == usual.exit and others <= ALIKE * np.count_nonzero(usual.covered)
        return bool(is_alike) or usual.exit.kind is ExitKind.TIMEOUT


class UsualLength:
    """A limit that grows if more than half of the runs within it are cut."""

    def __init__(self, events: int) -> None:
        self.events = events
        self._lately: deque[bool] = deque(maxlen=MANY)  # whether runs were cut

    def saw(self, *, was_cut: bool, most: int) -> bool:
        """A run happened. Whether the limit has grown: not if it is `most` or more."""
        self._lately.append(was_cut)
        if not was_cut or self.events >= most or 2 * sum(self._lately) <= MANY:
            return False
        self.events *= GROWTH
        self._lately.clear()
        return True


class WholeLengths:
    """How long the runs are that were cut, as far as they were looked at."""

    def __init__(self) -> None:
        self._events: deque[float] = deque(maxlen=LOOKS)

    def saw(self, whole: Path) -> None:
        """A run came to its end, or to none."""
        has_end = whole.exit.kind is not ExitKind.TIMEOUT and not whole.cut_off & CutOff.EVENTS
        self._events.append(len(whole.events) if has_end else inf)

    @property
    def least(self) -> int:
        """What all of them take, if that is known and worth while: where a program goes through a large table in each
        run, whatever the input, all that it does later lies beyond."""
        least = min(self._events) if len(self._events) == LOOKS else inf
        return int(least) if least <= LONG_LIMIT else 0


@dataclass(slots=True)
class Looks:
    """When runs that are cut in one function are looked at beyond the cut."""

    cut: int = 0  # runs so far
    due: int = 1  # the next of them that is looked at
    endless: bool = False  # whether the last one had no end in time

    def is_due(self, *, covers_new: bool) -> bool:
        """Whether one more run that was cut here is looked at."""
        self.cut += 1
        return self.cut >= self.due or (covers_new and not self.endless)

    def looked(self, *, endless: bool) -> None:
        """The run came to its end, or to none in time."""
        self.endless = endless
        self.due = self.cut * (IN_VAIN if endless else RARER)


def functions_of_ids(program: ProgramMap) -> NDArray[np.intp]:
    """By id of an event, the index of its function; -1: none."""
    functions = np.full(program.id_count + 1, -1, np.intp)
    for function in program.functions:
        functions[[function.entry_id, function.return_id]] = function.index
    for branch in program:
        functions[branch.id] = branch.function
    return functions
