"""Stores: where a condition asks for a state, go by the places at which the program sets it.

The idea is that of Concrete Constraint Guided Symbolic Execution (ICSE 2024). Most conditions compare a variable that
was set before: a state, a mode, a counter. The program map knows what each of them asks for, and which stores, incoming
constants, arguments and results would make the other side true (search/program/definitions.py). The paper moves states
to the front that have passed such a store. Here runs are whole, so a run that passes the store and then the condition
is put together from two that are known: the earliest way to the store, and a run that came to the condition. What the
first took in the round of the loop (or the call) in which it stored, or all from the first such round on, is put in
before what the second took in the round in which it asked. A store that moves the variable by a step is put in several
times. Where the run stored before it asked what the other side forbids, that round is left out instead.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from untaken.model.path import Path
from untaken.search.attempts import Count, Outcome, Part, Steps, Verdict
from untaken.search.knowledge.corpus import NONE
from untaken.search.knowledge.path_cache import CachedPath
from untaken.search.pieces.taken_around import Taken, TakenAround
from untaken.search.program.definitions import Definitions, TurningPlace
from untaken.search.program.graph import Ints
from untaken.search.splice import spliced
from untaken.search.view import SearchView

_MOST_IN_VAIN = 20  # goals of which nothing is known, before anything else is tried
_LATER = 3  # visits that a goal waits for, if no place is known that turns it
_MOST_KEPT = 1_000  # events around which it is known what was taken
_EARLIEST = 0.5  # how often the run that came to the condition is the earliest of all
_ALL_BEFORE = 0.3  # how often all that came before the store is put in with it
_AT_FIRST = 0.3  # how often it is put in at the beginning
_IN_PLACE = 0.3  # how often it stands in the place of what was there: there may be no room for more
_SHORTEN = 0.15  # how often the way to the condition is made shorter
_LEAVE_OUT = 0.3  # how often what set the variable otherwise is left out, if anything did


def stores(search: SearchView, *, repeats: Count = 8) -> Steps:
    """Where a condition asks for a state, puts what of an input sets it before what asks for it.

    What moves a variable by a step is put in up to `repeats` times.
    """
    goals = _AskedSides(search, repeats)
    yield search.initial()
    while True:
        for goal in goals.next(_MOST_IN_VAIN):
            if (yield from goals.approach(goal)):
                break
        else:
            yield search.run(search.inputs.mixed(0.5))


class _AskedSides:
    """Uncovered branches whose condition was come to."""

    def __init__(self, search: SearchView, repeats: int) -> None:
        analyses = search.analyses
        self._search = search
        self._repeats = repeats
        self._witnesses = analyses.earliest
        self._finder = analyses.stock.finder
        self._around = TakenAround(search.program, analyses.frames, self._finder)
        self._definitions = Definitions(search.program)
        self._cache = search.path_cache()
        self._kept: dict[bytes, CachedPath] = {}
        self._taken: dict[tuple[bytes, int], list[Taken]] = {}  # by input and event: the same few are asked for
        self._waiting: list[tuple[int, float, int]] = []  # goals: how often each was visited, anything, the branch
        self._known: set[int] = set()
        self._seen = (-1, -1)  # what the goals were found from: branches covered, ways known

    def next(self, most: int) -> Iterator[int]:
        """Some goals, those first that were visited least."""
        self._renew()
        for _ in range(most):
            while self._waiting and self._search.coverage.hit[self._waiting[0][2]]:
                heapq.heappop(self._waiting)
            if not self._waiting:
                return
            visits, _, goal = self._waiting[0]
            heapq.heapreplace(self._waiting, (visits + 1, self._search.rng.random(), goal))
            yield goal

    def approach(self, goal: int) -> Part[bool]:
        """Decides the condition otherwise if the input decides it; else puts a store before it. Whether it could."""
        asking = yield from self._path_of(self._input_to(goal ^ 1))
        decisions = asking.symbolic[asking.constraints["id"][asking.symbolic] == goal ^ 1]
        if len(decisions):
            chosen = int(decisions[self._search.rng.randrange(len(decisions))])
            return (yield from self._decide_otherwise(asking, chosen))
        if self._search.rng.random() < _SHORTEN and (rounds := self._rounds_of(asking)):
            start, end = self._search.rng.choice(rounds)
            yield self._search.run(spliced(asking.input, asking.fields, slice(start, end), b""))
            return True
        event = self._event_of(asking, goal ^ 1)
        places, hindrances = self._places(goal), self._hindrances(asking, goal, event)
        if places and (not len(hindrances) or self._search.rng.random() >= _LEAVE_OUT):
            yield from self._put_before(asking, event, self._search.rng.choice(places))
            return True
        return len(hindrances) > 0 and (yield from self._leave_out(asking, int(hindrances[-1])))

    def _rounds_of(self, path: Path) -> list[tuple[int, int]]:
        """What the rounds of loops took: without one of them the way may be shorter, and leave more room."""
        return [(span.start, span.end) for span in self._finder.spans(path) if span.repeats]

    def _decide_otherwise(self, path: Path, index: int) -> Part[bool]:
        """Whether a run came of it: a search in which none does would never end."""
        outcome: Outcome = yield self._search.force(path, index)
        if outcome.verdict is not Verdict.INFEASIBLE:
            return outcome.path is not None
        guessed: Path | None = yield self._search.guess(path, index)  # what came before may well follow
        return guessed is not None

    def _renew(self) -> None:
        seen = self._search.coverage.count, len(self._witnesses.ways)
        if seen != self._seen:
            self._seen = seen
            for goal in self._search.coverage.uncovered().tolist():
                if goal ^ 1 in self._witnesses.ways and goal not in self._known:
                    self._known.add(goal)
                    turns = any(map(self._definitions.turning, (goal, goal ^ 1)))
                    heapq.heappush(self._waiting, (0 if turns else _LATER, self._search.rng.random(), goal))

    def _places(self, goal: int) -> list[TurningPlace]:
        """Where the condition's variable is given such a value, if a run came there."""
        return [each for each in self._definitions.turning(goal) if any(map(self._witnesses.ways.get, each.gates))]

    def _hindrances(self, path: Path, goal: int, event: int) -> Ints:
        """The events before one at which a run came to where the variable is given a value that the goal forbids."""
        gates = [gate for place in self._definitions.turning(goal ^ 1) for gate in place.gates]
        return np.flatnonzero(np.isin(path.events[:event], gates)) if gates else np.zeros(0, np.intp)

    def _leave_out(self, path: Path, event: int) -> Part[bool]:
        """Runs an input without what was taken in a round, or in a call, around an event; whether there was one."""
        around = self._taken_around(path, event)
        if around:
            _, start, end, _ = self._search.rng.choice(around)
            yield self._search.run(spliced(path.input, path.fields, slice(start, end), b""))
        return len(around) > 0

    def _put_before(self, asking: Path, event: int, place: TurningPlace) -> Part[None]:
        """Runs an input that comes to a place, and then to an event of another run."""
        rng = self._search.rng
        way = self._witnesses.ways[rng.choice([gate for gate in place.gates if gate in self._witnesses.ways])]
        storing = yield from self._path_of(way.input)
        stored = self._taken_around(storing, min(way.event, len(storing.events) - 1))
        text, first, at = self._fitting(storing, stored, self._taken_around(asking, event))
        text *= rng.randint(1, self._repeats) if place.by_steps else 1
        stretch = slice(at, at)
        if 0 < len(text) <= at - first and rng.random() < _IN_PLACE:
            end = at - len(text) * rng.randrange((at - first) // len(text))
            stretch = slice(end - len(text), end)
        yield self._search.run(spliced(asking.input, asking.fields, stretch, text))

    def _path_of(self, input: bytes) -> Part[Path]:
        """What the program does on an input; run again only if that is no longer known."""
        if input in self._kept:
            return (yield from self._cache.fetch(self._kept[input]))
        path: Path = yield self._search.run(input)
        self._kept[input] = self._cache.keep(path)
        return path

    def _input_to(self, branch: int) -> bytes:
        """Of a run that passed a branch: the earliest, or one that was first to cover something."""
        rng, corpus = self._search.rng, self._search.corpus
        known = [number for number in (int(corpus.earliest[branch]), int(corpus.latest[branch])) if number != NONE]
        if not known or rng.random() < _EARLIEST:
            return self._witnesses.ways[branch].input
        return corpus.inputs[rng.choice(known)]

    def _taken_around(self, path: Path, event: int) -> list[Taken]:
        key = path.input, event
        if key not in self._taken:
            if len(self._taken) >= _MOST_KEPT:
                self._taken.clear()
            self._taken[key] = self._around.of(path, event)
        return self._taken[key]

    def _event_of(self, path: Path, branch: int) -> int:
        places = np.flatnonzero(path.events == branch)
        return int(places[self._search.rng.randrange(len(places))]) if len(places) else len(path.events) - 1

    def _fitting(self, storing: Path, stored: list[Taken], asked: list[Taken]) -> tuple[bytes, int, int]:
        """What of one input to put into the other, from where on there is room for it, and before what it is to stand:
        what is of one kind, else all from the start."""
        rng = self._search.rng
        pairs = [(one, other) for one in stored for other in asked if one.kind == other.kind]
        if not pairs:
            first = min((each.first for each in asked), default=0)
            return _outermost(storing, stored), first, first
        one, other = rng.choice(pairs)
        begin = one.first if rng.random() < _ALL_BEFORE else one.start
        return storing.input[begin : one.end], other.first, other.first if rng.random() < _AT_FIRST else other.start


def _outermost(path: Path, stored: list[Taken]) -> bytes:
    """All that was taken up to a store: by the shortest of the rounds and calls that begin first."""
    begin = min((each.first for each in stored), default=0)
    return path.input[begin : min((each.end for each in stored), default=len(path.input))]
