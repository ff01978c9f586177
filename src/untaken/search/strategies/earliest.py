"""Earliest ways, our own: start from the shortest way to each state, and decide otherwise what comes right after it.

Where a branch depends on state that earlier input has set, no decision mentions it: what counts is to get there with
input left. So each state that events show (a branch was passed; a concrete condition went the same way so many times)
has its earliest witness, the run that came to it after the least input, renewed whenever any run of the campaign does
better (search/knowledge/witnesses.py). At a state's turn, the next few decisions after it that were not yet flipped are
flipped. A flip that is ruled out by what was decided just before is guessed at, if it would be new behind this state.
Then the words that the program asked for there are put in.

A branch that is old elsewhere may be new in this state: the second digit of a code counts only behind the first. So a
run that passes behind the state what none did there, or did with less input, is gone on from in the same way. States
with the same decisions before them are one.

Turns go to what was visited least: one time the state with the least input before it, as Dijkstra's algorithm has it,
the other time the newest. When nothing is left to flip, the input behind an earliest way is drawn at random.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice

import numpy as np

from untaken.model.distinct import first_places
from untaken.model.path import Path
from untaken.model.word import NO_PLACE, WORD_DTYPE, Word, words_in
from untaken.search.attempts import Count, Outcome, Part, Steps, Verdict
from untaken.search.knowledge.path_cache import CachedPath
from untaken.search.knowledge.witnesses import NEVER, ProgramState, Witness
from untaken.search.knowledge.words import WordSighting, with_word_apart
from untaken.search.view import SearchView

_MOST_ANSWERS = 10_000  # that are remembered


def earliest(search: SearchView, *, ahead: Count = 24, flips: Count = 6) -> Steps:
    """Starts from the earliest way to each branch, or other state, and flips what comes right after it.

    Of the next `ahead` decisions up to `flips` are flipped at a time.
    """
    turns = _Turns(search, ahead, flips)
    yield search.initial()
    while True:
        run = turns.next()
        if run is not None:
            yield from turns.go_on_from(run)
        else:
            yield search.run(turns.drawn())


@dataclass(slots=True)
class _Run:
    """A run whose decisions are to be flipped from an event on, which lies behind a state."""

    state: ProgramState
    way: Witness  # the earliest to the state
    input: bytes
    event: int
    place: bytes = b""  # which decisions lie before the state; none: not known yet
    visits: int = 0
    waits: bool = False


_Waiting = tuple[int, int, int, _Run]  # visits, input spent before it, order


class _Queue:
    """Gives out the runs that were visited least: in turn the one with the least input before it, and the newest."""

    def __init__(self) -> None:
        self._soonest: list[_Waiting] = []
        self._newest: list[_Waiting] = []
        self._order = 0
        self._takes_soonest = False

    def add(self, run: _Run) -> None:
        """It waits for its next visit."""
        run.waits = True
        self._order -= 1
        heapq.heappush(self._soonest, (run.visits, run.way.spent, self._order, run))
        heapq.heappush(self._newest, (run.visits, 0, self._order, run))

    def next(self) -> _Run | None:
        """The next one; None if none waits."""
        self._takes_soonest = not self._takes_soonest
        queue = self._soonest if self._takes_soonest else self._newest
        while queue:
            visits, _, _, run = heapq.heappop(queue)
            if run.waits and visits == run.visits:  # else it was given out by the other queue
                run.waits = False
                return run
        return None


class _Turns:
    """Whose turn it is, and what was passed behind each state."""

    def __init__(self, search: SearchView, ahead: int, flips: int) -> None:
        self._search = search
        self._ahead = ahead
        self._flips = flips
        self._witnesses = search.analyses.earliest
        self._cache = search.path_cache()
        self._kept: dict[bytes, CachedPath] = {}
        self._queue = _Queue()
        self._seen = 0  # improvements
        self._tried: set[bytes] = set()  # questions, and words that were put in, each with the place behind which
        self._answers: dict[bytes, CachedPath | None] = {}  # what came of them; None: they are ruled out
        self._ways: dict[bytes, list[tuple[ProgramState, Witness]]] = {}  # that lead to a place
        self._passed: dict[bytes, dict[int, int]] = {}  # behind each place: ids, and how much input was spent before

    def next(self) -> _Run | None:
        """The next run to go on from; None if there is none."""
        self._take_improvements()
        while (run := self._queue.next()) is not None:
            if self._is_current(run):
                return run
        return None

    def _is_current(self, run: _Run) -> bool:
        """Whether it lies on the earliest way to a state: ways get shorter."""
        places = self._ways[run.place] if run.place else ((run.state, run.way),)
        return any(self._witnesses.ways[state] is way for state, way in places)

    def drawn(self) -> bytes:
        """An earliest way to a branch whose other side is uncovered, with anything behind it."""
        ways = self._witnesses.beside(self._search.coverage)
        rest = self._search.inputs.mixed(0.5)
        if not ways:
            return rest
        way = self._search.rng.choice(ways)
        return way.input[: way.used] + rest[way.used :]

    def go_on_from(self, run: _Run) -> Part[None]:
        """Flips the next few decisions of a run; when none is left, puts in the words that were asked for."""
        path = yield from self._path_of(run.input)
        if not run.place and not self._opens(run, path):
            return
        decisions, _ = self._look(run, path, run.event)
        untried = [index for index in decisions if run.place + _question(path, index) not in self._tried]
        for index in untried[: self._flips]:
            yield from self._decide_otherwise(run, path, index)
        if len(untried) > self._flips:
            run.visits += 1
            self._queue.add(run)
        else:
            yield from self._put_words(run, path)

    def _opens(self, run: _Run, path: Path) -> bool:
        """Whether it comes to its state, and no other was gone on from that lies behind the very same decisions."""
        if not self._witnesses.is_reached_by(path, run.state):
            return False
        before = int(np.searchsorted(path.constraints["position"], run.way.event, side="right"))
        run.place = _question(path, before - 1)
        is_new = run.place not in self._passed
        self._passed.setdefault(run.place, {})
        self._ways.setdefault(run.place, []).append((run.state, run.way))
        return is_new

    def _decide_otherwise(self, run: _Run, path: Path, index: int) -> Part[None]:
        """Flips a decision, or looks at what came of that behind another place. If what came before rules it out, it is
        guessed at: that may well follow."""
        question = _question(path, index)
        self._tried.add(run.place + question)
        if question not in self._answers:
            outcome: Outcome = yield self._search.force(path, index)
            if outcome.path is None and outcome.verdict is not Verdict.INFEASIBLE:
                return
            self._remember(question, outcome.path)
        kept = self._answers[question]
        found: Path | None = None
        if kept is not None:
            found = yield from self._cache.fetch(kept)
        elif self._is_new(run, path, index):
            found = yield self._search.guess(path, index)
        if found is not None:
            self._saw(run, found, path.constraint(index)[2])

    def _remember(self, question: bytes, found: Path | None) -> None:
        self._answers[question] = None if found is None else self._cache.keep(found)
        if len(self._answers) > _MOST_ANSWERS:
            self._answers.pop(next(iter(self._answers)))

    def _put_words(self, run: _Run, path: Path) -> Part[None]:
        """Gives the program the words that it asked for behind the state, each once behind the same decisions."""
        rows = np.frombuffer(path.word_bytes, WORD_DTYPE)
        behind = (rows["position"] > run.way.event) & (rows["input"] != NO_PLACE)
        for word in islice(words_in(rows[behind]), self._ahead):
            before = int(np.searchsorted(path.constraints["position"], word.position))
            question = _question(path, before - 1) + word.text
            if run.place + question not in self._tried:
                self._tried.add(run.place + question)
                yield from self._put_word(run, path, word, question)

    def _put_word(self, run: _Run, path: Path, word: Word, question: bytes) -> Part[None]:
        if question not in self._answers:
            sighting = WordSighting(path.input, path.fields, word)
            self._remember(question, (yield self._search.run(with_word_apart(sighting))))
        kept = self._answers[question]
        if kept is not None:
            self._saw(run, (yield from self._cache.fetch(kept)), run.way.event)

    def _saw(self, run: _Run, found: Path, event: int) -> None:
        """A run goes another way from an event on: if that is news behind the state, it waits to be gone on from."""
        _, is_new = self._look(run, found, event)
        if is_new:
            self._queue.add(_Run(run.state, run.way, found.input, event, run.place, run.visits))

    def _is_new(self, run: _Run, path: Path, index: int) -> bool:
        """Whether the other side of a decision was never passed behind the state with so little input."""
        other = path.constraint(index)[1] ^ 1
        return self._witnesses.spent_with(path, index) < self._passed[run.place].get(other, NEVER)

    def _look(self, run: _Run, path: Path, event: int) -> tuple[list[int], bool]:
        """The next decisions after an event; and whether what was passed from the state up to the last of them is news:
        never passed there with so little input."""
        begin = np.searchsorted(path.constraints["position"][path.symbolic], event, side="right")
        decisions: list[int] = path.symbolic[begin : begin + self._ahead + 1].tolist()
        end = path.constraint(decisions[-1])[2] if len(decisions) > self._ahead else len(path.events)
        window = slice(run.way.event, end)
        passed, is_new = self._passed[run.place], False
        ids, first = first_places(path.events[window])
        spent_before = self._witnesses.spent_before(path, window)[first]
        for id, spent in zip(ids.tolist(), spent_before.tolist(), strict=True):
            if spent < passed.get(id, NEVER):
                passed[id] = spent
                is_new = True
        return decisions[: self._ahead], is_new

    def _path_of(self, input: bytes) -> Part[Path]:
        if input in self._kept:
            return (yield from self._cache.fetch(self._kept[input]))
        path: Path = yield self._search.run(input)
        self._kept[input] = self._cache.keep(path)
        return path

    def _take_improvements(self) -> None:
        for state in dict.fromkeys(self._witnesses.improvements[self._seen :]):
            way = self._witnesses.ways[state]
            self._queue.add(_Run(state, way, way.input, way.event))
        self._seen = len(self._witnesses.improvements)


def _question(path: Path, index: int) -> bytes:
    """Tells flips apart by all that was decided up to them; states and words by what was decided before."""
    end = (index + 1) * path.constraints.itemsize
    return blake2b(path.constraint_bytes[:end], digest_size=8).digest()
