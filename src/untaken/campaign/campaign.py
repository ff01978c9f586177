"""Runs a whole campaign: a program, a strategy, budgets, and an output folder that may hold an earlier run."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from random import Random

from untaken.campaign.books import Books
from untaken.campaign.clock import CampaignClock
from untaken.campaign.config import Config
from untaken.campaign.folder.output_folder import check_ours, check_same, make_room
from untaken.campaign.folder.recipe import recipe, wanted_goals
from untaken.campaign.folder.resume import OpenedFolder, resumed
from untaken.campaign.folder.store import ENDLESS_INPUTS, Store
from untaken.campaign.machinery.flips import StackFlips
from untaken.campaign.machinery.input_reach import InputReach
from untaken.campaign.machinery.machinery import Assignment, Machinery, early_exit, machinery
from untaken.campaign.minimise import Minimiser
from untaken.campaign.progress import Progress
from untaken.campaign.seeds import all_seeds, first_input
from untaken.campaign.sightings import Sightings
from untaken.campaign.stopping import StoppingRule
from untaken.campaign.summarise import Summariser
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.execute.session import Session
from untaken.execute.target import Target
from untaken.interrupts import OutOfTime, deaf, interruptible, time_limit, undisturbed
from untaken.search.attempts import Flip, Force, Outcome
from untaken.search.budget import Budget, Ending
from untaken.search.doubts import Doubt
from untaken.search.driver import Driver
from untaken.search.registry import strategy
from untaken.search.view import SearchView
from untaken.search.world import BookedRun, Observer, World
from untaken.suite.corpus import Corpus
from untaken.suite.findings import Triage

FLUSH_SECONDS = 1.0  # between two times that counts are written down


def run_campaign(config: Config, target: Target, watcher: Watcher) -> Summary:
    """The whole of it; what ends it early, Ctrl-C say, leaves everything that was found on disk."""
    assignment = Assignment(config, target)
    with (
        campaign_folder(assignment, watcher.note) as folder,
        interruptible(),
        machinery(assignment, folder.earlier, watcher.note) as parts,
    ):
        return Campaign(assignment, folder, parts, watcher).run()


@contextmanager
def campaign_folder(assignment: Assignment, note: Callable[[str], None]) -> Iterator[OpenedFolder]:
    """The output folder, locked, with campaign.json in it and what an earlier run left."""
    out, made_of = assignment.config.out, recipe(assignment.config, assignment.target)
    check_ours(out)
    make_room(out, lambda: check_same(out, made_of), note)
    with closing(Store(out)) as store:
        corpus = Corpus(out, assignment.target.map)
        folder = resumed(store, corpus, assignment.target.digest, note)
        corpus.write_recipe(made_of)
        store.set("settings", made_of.as_json())
        yield folder


class Campaign(Observer):
    """One run of `untaken run`, from when the program has been started."""

    def __init__(self, assignment: Assignment, folder: OpenedFolder, parts: Machinery, watcher: Watcher) -> None:
        config = assignment.config
        self._assignment = assignment
        self._folder = folder
        self._parts = parts
        self._watcher = watcher
        self._clock = CampaignClock(config.seconds, minimise=config.minimise)
        self._books = books(assignment, folder, parts, (watcher, self._clock))
        self._progress = Progress(config, self._books, self._clock, parts.solver.statistics)
        self._summariser = Summariser(assignment, parts, self._books, self._progress)
        self._stopping = StoppingRule(config)
        self._flushed = 0.0  # when counts were written down last

    def run(self) -> Summary:
        """Runs the program and the strategy until something ends them."""
        driver = self._make_driver()
        self._watcher.begin(self._assignment.target.title, lambda: self._progress.snapshot(driver.search))
        try:
            ending = self._drive(driver)
            if self._assignment.config.minimise and ending is not Ending.STOPPED:
                self._minimise()
            gave_up = not self._books.input_mattered and ending not in (Ending.STOPPED, Ending.SECONDS)
            said = early_exit(self._assignment) if gave_up else None
        finally:
            self._watcher.end()
        with undisturbed():
            summary = self._summariser.summary(driver.search, ending, said)
            self._summariser.write(summary)
        return summary

    def _make_driver(self) -> Driver:
        config, earlier = self._assignment.config, self._folder.earlier
        seeds = all_seeds(config, self._watcher.note)
        again = earlier.inputs
        return Driver(
            world(self._assignment, self._parts),
            strategy(config.whole_strategy),
            # A run that goes on must not draw what the first one drew.
            Random(config.seed if not again else f"{config.seed}/{earlier.totals.iterations}"),
            Budget(
                # Runs of tests that are there already are not iterations.
                iterations=None if config.iterations is None else config.iterations + len(again),
                seconds=self._clock.search_limit,
                stale=config.no_new,
                full_coverage=False,
            ),
            observer=self,
            seeds=[*again, *(seed for seed in seeds if seed not in earlier.tests)],
        )

    def _drive(self, driver: Driver) -> Ending:
        clock = self._clock
        try:
            with interruptible(driver.stop), time_limit(clock.left(clock.search_limit)):
                ending = driver.run()
        except KeyboardInterrupt:
            ending = Ending.STOPPED
        except OutOfTime:
            ending = Ending.SECONDS
        with deaf():
            clock.stop()
            self._books.end(driver.search.coverage.hit, clock.last_moment(stopped=ending is Ending.STOPPED))
            self._write_down(driver.search)
        return ending

    def _write_down(self, search: SearchView) -> None:
        """What a later run in the same folder goes on from."""
        self._books.flush(self._progress.totals(search))
        self._folder.store.set(ENDLESS_INPUTS, self._parts.executor.endless_inputs)

    def _minimise(self) -> None:
        corpus = self._folder.corpus
        minimiser = Minimiser(self._parts.session, corpus, self._books.sightings, self._books.note_passed)
        try:
            with time_limit(self._clock.left(self._clock.limit)):
                minimiser.run()
        except OutOfTime:
            self._watcher.note("the time was over before all tests were shortened")
        before, after = minimiser.sizes
        for number in corpus.test_numbers():
            self._folder.store.set_exit(number, corpus.exit_of(number))
        self._watcher.note(f"the tests had {before:,} bytes of input, and have {after:,} now")

    # ---- told by the driver

    def on_run(self, run: BookedRun) -> None:
        self._books.note(run)

    def on_booked(self, search: SearchView) -> Ending | None:
        self._flush_if_due(search)
        self._books.settle_due()
        self._watcher.tick()
        if self._watcher.has_seen_enough():
            return Ending.FINDING
        return self._stopping.ending(search, self._books)

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        self._books.obstacles.note_flip(attempt, outcome)

    def on_restart(self, restarts: int) -> None:
        self._watcher.tick()

    def _flush_if_due(self, search: SearchView) -> None:
        now = time.monotonic()
        if now - self._flushed > FLUSH_SECONDS:
            self._flushed = now
            with undisturbed():
                self._write_down(search)
                self._summariser.write_if_due(search)


def books(assignment: Assignment, folder: OpenedFolder, parts: Machinery, told: tuple[Watcher, CampaignClock]) -> Books:
    """The campaign's books."""
    target, store = assignment.target, folder.store
    triage = Triage(target.map, target.abort_is_an_end, store.findings(), store.finding_count())
    sightings = Sightings(triage, folder.corpus, store, parts.confirmer)
    # What a program prints that is built with sanitizers may be a report.
    printed = (lambda: parts.session.output) if target.sanitized else None
    return Books(folder, sightings, *told, printed)


def world(assignment: Assignment, parts: Machinery) -> World:
    """What the search is to work with."""
    config, program, executor = assignment.config, assignment.target.map, parts.executor
    flips = StackFlips(executor, parts.solver)
    return World(
        program,
        executor,
        flips,
        filters=(parts.pruning,),
        first=first_input(config.sources),
        doubts=program_doubts(parts.session),
        strange_ids=parts.session.id_count > program.id_count,
        goals=wanted_goals(config, program),
        heuristic=config.heuristic,
        snapshots=executor,
        guesser=flips,
        effort=parts.solver.statistics.effort,
        reach=InputReach(executor.session.expressions),
        record_windows=executor.record_windows,
        more_inputs=executor.more_inputs,
    )


def program_doubts(session: Session) -> Callable[[], Collection[Doubt]]:
    """What is doubtful about the program as a whole: asked after each run."""
    always = (Doubt.UNINSTRUMENTED,) if session.uninstrumented else ()
    return lambda: (*always, Doubt.EXTERNAL) if session.lost_labels else always
