"""One worker of a campaign: runs the program and a strategy of its own, sends what is new, takes in what others found.

It writes nothing down. With a round length it reports after so many iterations and waits for the owner's answer, so
that all depends on counts; else it sends what it finds at once, and takes news when it comes.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from untaken.campaign.campaign import execution, world
from untaken.campaign.folder.resume import Earlier
from untaken.campaign.folder.rows import Totals
from untaken.campaign.machinery.machinery import Assignment, Machinery, machinery
from untaken.campaign.obstacles import Obstacles
from untaken.interrupts import OutOfTime, deaf, interruptible, time_limit
from untaken.model.path import CutOff
from untaken.search.attempts import Flip, Force, Outcome
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.inputs import Starts, StartsElsewhere
from untaken.search.registry import DEFAULT, strategy
from untaken.search.view import SearchView
from untaken.search.world import BookedRun, Observer
from untaken.suite.findings import Triage
from untaken.team.link import Link
from untaken.team.messages import Dispatch, Knowledge, Orders, ProgramReady, Report, SentRun, Tiding
from untaken.team.sieve import Sieve

KNOWLEDGE_SECONDS = 2.0  # between two times that all that is known is sent


def explore(orders: Orders, link: Link) -> None:
    """The whole life of a worker."""
    assignment = Assignment(orders.config, orders.target)
    earlier = Earlier({}, {}, frozenset(), Totals(), orders.ended, orders.endless_inputs)
    notes: list[str] = []
    with interruptible(), machinery(assignment, earlier, notes.append) as parts:
        TeamWorker(orders, parts, link, notes).run()


class TeamWorker(Observer):
    """From when the program has been started."""

    def __init__(self, orders: Orders, parts: Machinery, link: Link, notes: list[str]) -> None:
        target = orders.target
        self._orders = orders
        self._parts = parts
        self._link = link
        self._notes = notes  # that were not sent yet
        self._words_told: set[bytes] = set(orders.words)  # sent or heard of
        self._execution = execution(Assignment(orders.config, target), parts)
        printed = self._execution.printed if target.sanitized else None
        self._printed = printed
        self._sieve = Sieve(Triage(target.map, target.abort_is_an_end), printed)
        self._obstacles = Obstacles(target.map)
        self._known = set(orders.known)
        self._has_run_known = not orders.known
        self._iterations = 0
        self._input_mattered = False
        self._cut_off: Counter[str] = Counter()
        self._runs: list[SentRun] = []  # that were not sent yet
        self._begun = self._sent = self._looked = time.monotonic()
        self._has_heard = False  # something since the last report: the owner tells more once it knows that
        self._knowledge_sent = 0.0
        self._next_round = orders.round_length or 0
        self._driver = self._make_driver()

    def run(self) -> None:
        """Until something ends it; what was found and not sent is sent then."""
        limit = self._orders.seconds
        self._link.send(ProgramReady())
        try:
            with interruptible(self._driver.stop), time_limit(None if limit is None else limit + 0.1):
                ending = self._driver.run()
        except KeyboardInterrupt:
            ending = Ending.STOPPED
        except OutOfTime:
            ending = Ending.SECONDS
        with deaf():
            self._report(ending=ending)

    def _make_driver(self) -> Driver:
        orders, config = self._orders, self._orders.config
        begins_elsewhere = orders.number and config.strategy_name != DEFAULT  # the default one draws where to begin
        own_world = world(Assignment(config, orders.target), self._parts)
        return Driver(
            replace(
                own_world,
                news=self._news,
                words=(*own_world.words, *orders.words),
                starts=StartsElsewhere if begins_elsewhere else Starts,
            ),
            strategy(config.whole_strategy),
            Random(seed_of(orders)),
            Budget(seconds=orders.seconds, is_counted_elsewhere=orders.iterations is not None),
            observer=self,
            seeds=[*orders.known, *orders.seeds],
        )

    # ---- told by the driver

    def on_run(self, run: BookedRun) -> None:
        path = run.path
        is_known = run.attempt is None and path.input in self._known
        self._iterations += not is_known
        self._input_mattered = self._input_mattered or len(path.constraints) > 0
        if path.cut_off:
            self._cut_off.update(flag.name or "" for flag in CutOff if flag in path.cut_off)
        self._obstacles.note_run(path, is_new=run.is_new)
        if self._is_sent(run, is_known=is_known):
            failed = self._printed is not None and (path.exit.kind != 0 or path.exit.code != 0)
            printed = self._printed() if self._printed is not None and failed else b""
            self._runs.append(SentRun.of(path, self._iterations, is_known=is_known, printed=printed))
        self._has_run_known = self._has_run_known or path.input == self._orders.known[-1]

    def on_glances(self, count: int) -> None:
        self._iterations += count

    def _is_sent(self, run: BookedRun, *, is_known: bool) -> bool:
        if is_known:
            return self._orders.reports_known and not self._has_run_known
        return self._sieve.is_worth_sending(run, self._iterations)

    def on_booked(self, search: SearchView) -> Ending | None:
        share = self._orders.iterations
        if self._orders.round_length is None and self._runs and self._may_send():
            self._report()
        return Ending.ITERATIONS if share is not None and self._iterations >= share else None

    def executions_left(self, search: SearchView) -> int:
        share = self._orders.iterations
        return sys.maxsize if share is None else max(1, share - self._iterations)

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        self._obstacles.note_flip(attempt, outcome)

    def _may_send(self) -> bool:
        return time.monotonic() > self._sent + self._orders.news_seconds

    # ---- the exchange

    def _news(self) -> Iterable[bytes]:
        """Before each attempt: reports if it is time, and gives what others found."""
        dispatch = self._dispatch_by_time() if self._orders.round_length is None else self._dispatch_by_count()
        return () if dispatch is None else self._inputs_of(dispatch)

    def _inputs_of(self, dispatch: Dispatch) -> Iterator[bytes]:
        if dispatch.stop:
            self._driver.stop()
        yield from dispatch.inputs
        for tiding in dispatch.tidings:
            if tiding.word:
                self._words_told.add(tiding.word)
                self._driver.search.words.give((tiding.word,))
            elif self._is_new(tiding):
                self._known.add(tiding.input)
                yield tiding.input
                self._driver.search.coverage.add(tiding.ids())  # it is covered, whatever came of the run here

    def _dispatch_by_time(self) -> Dispatch | None:
        """A report says also what was heard, so that the owner tells more."""
        now = time.monotonic()
        if now < self._looked + self._orders.news_seconds:
            return None
        self._looked = now
        if now >= self._sent + self._orders.pulse_seconds or self._has_heard:
            self._report()
        dispatch = self._link.receive(0.0)
        self._has_heard = dispatch is not None
        return dispatch

    def _dispatch_by_count(self) -> Dispatch | None:
        length = self._orders.round_length
        if length is None or self._iterations < self._next_round:
            self._look_for_the_end()
            return None
        while self._next_round <= self._iterations:
            self._next_round += length
        self._report(ends_round=True)
        return self._link.receive(None)

    def _look_for_the_end(self) -> None:
        """Within a round nothing is told but that."""
        if time.monotonic() > self._sent + self._orders.pulse_seconds:
            self._sent = time.monotonic()
            dispatch = self._link.receive(0.0)
            if dispatch is not None and dispatch.stop:
                self._driver.stop()

    def _is_new(self, tiding: Tiding) -> bool:
        hit, ids = self._driver.search.coverage.hit, tiding.ids()
        return not bool(hit[ids[ids < len(hit)]].all())

    def _report(self, *, ends_round: bool = False, ending: Ending | None = None) -> None:
        search, now = self._driver.search, time.monotonic()
        knows = ending is not None or now > self._knowledge_sent + KNOWLEDGE_SECONDS
        report = Report(
            life=self._orders.life,
            totals=self._totals(search, now),
            covered=search.coverage.branches,
            input_mattered=self._input_mattered,
            is_done=search.is_done,
            runs=tuple(self._runs),
            words=tuple(word for word in search.words.texts if word and word not in self._words_told),
            sightings=self._sieve.take_unsent(),
            knowledge=self._knowledge(search) if knows else None,
            notes=tuple(self._notes),
            has_run_known=self._has_run_known,
            ends_round=ends_round,
            ending=ending,
        )
        self._link.send(report)
        self._runs.clear()
        self._notes.clear()
        self._words_told.update(report.words)
        self._sent = now
        if knows:
            self._knowledge_sent = now

    def _totals(self, search: SearchView, now: float) -> Totals:
        tally, statistics = search.tally, self._execution.statistics
        return Totals(
            iterations=self._iterations,
            seconds=now - self._begun,
            queries=statistics.queries,
            sat=statistics.sat,
            unsat=statistics.unsat,
            unknown=statistics.unknown,
            solver_seconds=tally.solve_seconds,
            run_seconds=tally.run_seconds,
            divergences=tally.divergences,
            restarts=tally.restarts,
        )

    def _knowledge(self, search: SearchView) -> Knowledge:
        tally = search.tally
        return Knowledge(
            obstacles=self._obstacles.as_json(),
            cut_off=self._cut_off.copy(),
            limits=self._execution.limits(),
            pruned=dict(self._execution.pruned()),
            doubts=frozenset(tally.doubts | tally.all_doubts),
            tried_all=tally.tried_all,
            endless_inputs=self._execution.endless_inputs(),
        )


def seed_of(orders: Orders) -> int | str:
    """The first worker draws what a campaign of one would; none draws what was drawn before."""
    own, seed = (orders.number, orders.life), orders.config.seed
    if own != (0, 0):
        return f"{seed}/{orders.goes_on}/{orders.number}/{orders.life}"
    return f"{seed}/{orders.goes_on}" if orders.known else seed
