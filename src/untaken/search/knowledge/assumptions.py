"""Assumptions of the program: where runs fail them, and what lies behind one that no run has passed yet.

An assumption is a call of a function that assumes, as the program map says, or of a function of the program that does
nothing but end it unless its argument holds, as in Test-Comp's programs: `void assume_abort_if_not(int c) { if (!c)
abort(); }`. All calls of such a function share its two branches. So all branches may be covered while the code behind a
call is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from signal import SIGABRT

import numpy as np

from untaken.model.path import ConstraintKind, Exit, ExitKind, Path
from untaken.model.program import Block, Function, LibraryEffect, ProgramMap
from untaken.search.program.frames import NEVER, Frames
from untaken.search.program.graph import Ints

# numpy and comparisons take plain numbers far faster than members of an enumeration.
_ASSUME, _BRANCH = int(ConstraintKind.ASSUME), int(ConstraintKind.BRANCH)
_REJECTED = ExitKind.ASSUME
_MOST_TRIED = 256  # occurrences of a place in one run, before it counts as not passed there


@dataclass(frozen=True, slots=True)
class AssumptionPlace:
    """Where in the code an assumption stands: after which branch or entry of its function, after how many calls and
    assumptions since; `called`: it is in a function of its own, whose call is the next."""

    after: int
    calls: int
    assumed: int
    called: bool


class Assumptions:
    """Which assumptions ended runs, and which of them no run has passed: there `is_open`."""

    def __init__(self, program: ProgramMap, frames: Callable[[], Frames]) -> None:
        self._frames = frames
        ending = program.named(LibraryEffect.ENDS)
        assuming = _assuming_functions(program, ending)
        self._entries = frozenset(function.entry_id for function in assuming)
        self._failing = frozenset(branch for function in assuming for branch in _failing_branches(function, ending))
        self._only_about_input = bool(program.named(LibraryEffect.REJECTS) & program.callees)
        self._open: set[AssumptionPlace] = set()
        self._passed: set[AssumptionPlace] = set()  # of those that were open

    @property
    def has_failing_branches(self) -> bool:
        """Whether branches of the program's own may be assumptions: else a run that just ends has failed none."""
        return bool(self._failing)

    @property
    def is_open(self) -> bool:
        """Whether code behind an assumption was not reached."""
        return bool(self._open)

    def broken(self, path: Path) -> int | None:
        """The index of the constraint that ended the run, if that was an assumption about the input."""
        if path.exit.kind is _REJECTED:
            return broken_assumption(path)
        if not self._failing or not len(path) or not len(path.events) or not _may_be_failure(path.exit):
            return None
        last = len(path) - 1
        _, branch, position, kind, _, _ = path.constraint(last)
        is_end = kind == _BRANCH and position == len(path.events) - 1 and int(path.events[-1]) == branch
        return last if is_end and branch in self._failing else None

    def saw(self, path: Path) -> None:
        """A run from the program's start: it may have failed an assumption, or passed one that none did before."""
        if not self._failing and not self._open and path.exit.kind is not _REJECTED:
            return  # as in most programs
        failed = self._failed(path)
        if not failed and not self._open:
            return
        trace = _Trace(path, self._frames(), failed)
        passed = {place for place in self._open if trace.passes(place)}
        self._open -= passed
        self._passed |= passed
        if failed and (place := trace.end(self._entries)) not in self._passed and not trace.passes(place):
            self._open.add(place)

    def _failed(self, path: Path) -> bool:
        """Also where the condition is not known to depend on the input."""
        is_reject = path.exit.kind is _REJECTED and not self._only_about_input
        return is_reject or self.broken(path) is not None


def broken_assumption(path: Path) -> int | None:
    """The index of the assumption that ended the run, if it was about the input."""
    if path.exit.kind is not _REJECTED or not len(path):
        return None
    *_, kind, taken, _ = path.constraint(len(path) - 1)
    return len(path) - 1 if kind == _ASSUME and not taken else None


def _may_be_failure(exit: Exit) -> bool:
    return exit.kind is ExitKind.CODE or (exit.kind is ExitKind.SIGNAL and exit.code == SIGABRT)


# ---- functions that only assume


def _assuming_functions(program: ProgramMap, ending: frozenset[str]) -> list[Function]:
    """Those that do nothing but end the program or return, and those that only call them."""
    known = set(program.named(LibraryEffect.ASSUMES))
    found: dict[int, Function] = {}
    while True:
        more = [each for each in program.functions if each.index not in found and _only_assumes(each, known, ending)]
        if not more:
            return list(found.values())
        found |= {each.index: each for each in more}
        known |= {each.name for each in more}


def _only_assumes(function: Function, known: set[str], ending: frozenset[str]) -> bool:
    calls = [call.callee for block in function.blocks for call in block.calls]
    if not calls or any(name not in known and name not in ending for name in calls):
        return False
    ends = [_ends(block, ending) for block in function.blocks]
    last = [end for end, block in zip(ends, function.blocks, strict=True) if not block.edges]
    # One that always ends the program assumes nothing; main has no caller.
    return function.name != "main" and not ends[0] and not all(last)


def _ends(block: Block, ending: frozenset[str]) -> bool:
    return any(call.callee in ending for call in block.calls)


def _failing_branches(function: Function, ending: frozenset[str]) -> set[int]:
    """The branches after which the program ends."""
    edges = (edge for block in function.blocks for edge in block.edges if edge.branch)
    return {int(edge.branch) for edge in edges if _ends(function.blocks[edge.target], ending)}


# ---- places in a trace


class _Trace:
    """A path's events as frames: calls that are over are one step."""

    def __init__(self, path: Path, frames: Frames, failed: bool) -> None:
        self._path = path
        self._events = path.events
        self._is_entry = frames.is_entry
        self._is_return = frames.is_return
        self._returns: Ints = frames.returns(path.events)
        self._failed = failed

    def end(self, assuming: frozenset[int]) -> AssumptionPlace:
        """Where the run failed an assumption; functions that only assume stand for the place of their call."""
        open_entries = np.flatnonzero(self._is_entry[self._events] & (self._returns == NEVER)).tolist()
        end, called = len(self._events), False
        while open_entries and int(self._events[open_entries[-1]]) in assuming:
            end, called = open_entries.pop(), True
        after, calls = self._since_branch(end)
        return AssumptionPlace(after, calls, self._assumed(end), called)

    def _since_branch(self, end: int) -> tuple[int, int]:
        """The last branch or entry before a position, of the same frame, and how many calls came after it."""
        entries = {int(self._returns[place]): place for place in np.flatnonzero(self._returns != NEVER).tolist()}
        calls, place = 0, end - 1
        while place >= 0 and place in entries:
            calls, place = calls + 1, entries[place] - 1
        return (int(self._events[place]) if place >= 0 else 0), calls

    def _assumed(self, position: int) -> int:
        """How many assumptions held since the event before a position."""
        constraints = self._path.constraints
        here = (constraints["position"] == position) & (constraints["kind"] == _ASSUME) & (constraints["taken"] == 1)
        return int(np.count_nonzero(here))

    def passes(self, place: AssumptionPlace) -> bool:
        """Whether the run went on after an assumption at this place."""
        starts = np.flatnonzero(self._events == place.after).tolist() if place.after else [-1]
        return any(self._passes_after(start + 1, place) for start in starts[:_MOST_TRIED])

    def _passes_after(self, position: int, place: AssumptionPlace) -> bool:
        for calls in range(place.calls + 1):
            if position >= len(self._events):
                return calls == place.calls and not place.called and self._went_on(position, place)
            if not self._is_entry[self._events[position]]:
                return True
            back = int(self._returns[position])
            if calls == place.calls:
                return not place.called or back != NEVER
            if back == NEVER:
                return False
            position = back + 1
        return False

    def _went_on(self, position: int, place: AssumptionPlace) -> bool:
        """Whether it did so though no event tells: it failed a later assumption, or ended otherwise."""
        return not self._failed or self._assumed(position) > place.assumed
