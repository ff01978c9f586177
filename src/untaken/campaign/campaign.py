"""Runs a whole campaign: a program, a strategy, budgets, and an output folder that may hold an earlier run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from random import Random

from untaken.campaign.afl import AflFolder
from untaken.campaign.config import Config
from untaken.campaign.desk import Desk, Execution
from untaken.campaign.findings.confirm import remove_leftovers
from untaken.campaign.folder.output_folder import check_ours, check_same, make_room
from untaken.campaign.folder.recipe import recipe, wanted_goals
from untaken.campaign.folder.resume import OpenedFolder, resumed
from untaken.campaign.folder.store import Store
from untaken.campaign.machinery.flips import StackFlips
from untaken.campaign.machinery.input_reach import InputCursor, InputReach
from untaken.campaign.machinery.machinery import Assignment, Machinery, machinery
from untaken.campaign.seeds import all_seeds, first_input
from untaken.campaign.summarise import not_followed
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.execute.session import Session
from untaken.execute.target import Target
from untaken.interrupts import OutOfTime, interruptible, time_limit
from untaken.model.program import ProgramMap
from untaken.search.attempts import Flip, Force, Outcome
from untaken.search.budget import Budget, Ending
from untaken.search.doubts import Doubt
from untaken.search.driver import Driver
from untaken.search.knowledge.place_records import MOST_STEPS, STEPS_BEFORE_ASIDE
from untaken.search.registry import strategy
from untaken.search.view import SearchView
from untaken.search.world import BookedRun, Observer, World
from untaken.solve.worker.aside import SolverAside
from untaken.suite.corpus import Corpus
from untaken.suite.links import check_inside
from untaken.suite.trust import note_own


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
    check_inside(out)
    check_ours(out)
    make_room(out, lambda: check_same(out, made_of), note)
    with closing(Store(out)) as store:
        remove_leftovers(out)
        corpus = Corpus(out, assignment.target.map)
        folder = resumed(store, corpus, assignment.target.digest, note)
        corpus.write_recipe(made_of)
        note_own(made_of, assignment.target.digest)
        store.set("settings", made_of.as_json())
        yield folder


class Campaign(Observer):
    """One run of `untaken run`, from when the program has been started."""

    def __init__(self, assignment: Assignment, folder: OpenedFolder, parts: Machinery, watcher: Watcher) -> None:
        self._assignment = assignment
        self._earlier = folder.earlier
        self._parts = parts
        self._watcher = watcher
        self._desk = Desk(assignment, folder, execution(assignment, parts), watcher)
        self._books, self._obstacles = self._desk.books, self._desk.books.obstacles

    def run(self) -> Summary:
        """Runs the program and the strategy until something ends them."""
        driver = self._make_driver()
        try:
            return self._run(driver)
        except Exception:
            self._save(driver)
            raise

    def _save(self, driver: Driver) -> None:
        """Something went wrong in untaken itself: what was found until then is kept, as far as can be."""
        with suppress(Exception):
            self._desk.close(driver.search, Ending.FAULT)
            self._desk.summary(driver.search, Ending.FAULT, None)

    def _run(self, driver: Driver) -> Summary:
        desk = self._desk
        self._watcher.begin(self._assignment.target.title, lambda: desk.progress.snapshot(driver.search))
        try:
            ending = self._drive(driver)
            if self._assignment.config.minimise and ending is not Ending.STOPPED:
                desk.minimise(self._parts.session)
            said = desk.early_exit(ending)
        finally:
            self._watcher.end()
        return desk.summary(driver.search, ending, said)

    def _make_driver(self) -> Driver:
        config, earlier = self._assignment.config, self._earlier
        seeds = all_seeds(config, self._watcher.note)
        again = earlier.inputs
        has_news = self._desk.afl is not None or self._parts.aside is not None
        driver = Driver(
            replace(world(self._assignment, self._parts), news=self._news if has_news else None),
            strategy(config.whole_strategy),
            # A run that goes on must not draw what the first one drew.
            Random(config.seed if not again else f"{config.seed}/{earlier.totals.iterations}"),
            Budget(
                # Runs of tests that are there already are not iterations.
                iterations=None if config.iterations is None else config.iterations + len(again),
                seconds=self._desk.clock.search_limit,
                stale=config.no_new,
            ),
            observer=self,
            seeds=[*again, *(seed for seed in seeds if seed not in earlier.tests)],
        )
        self._tally = driver.search.tally
        return driver

    def _news(self) -> Iterable[bytes]:
        """What instances of AFL found beside us, if there are any, and the solver for hard questions."""
        beside, aside = self._desk.afl, self._parts.aside
        return () if beside is None and (aside is None or aside.is_idle) else self._news_of(beside, aside)

    def _news_of(self, beside: AflFolder | None, aside: SolverAside | None) -> Iterator[bytes]:
        if beside is not None:
            yield from beside.entries()
        if aside is not None and not aside.is_idle:
            yield from aside.answers(self._tally.cost)

    def _drive(self, driver: Driver) -> Ending:
        clock = self._desk.clock
        try:
            with interruptible(driver.stop), time_limit(clock.left(clock.search_limit)):
                ending = driver.run()
        except KeyboardInterrupt:
            ending = Ending.STOPPED
        except OutOfTime:
            ending = Ending.SECONDS
        self._desk.close(driver.search, ending)
        return ending

    # ---- told by the driver

    def on_run(self, run: BookedRun) -> None:
        self._books.note(run)
        self._watcher.ran(run)

    def on_glances(self, count: int) -> None:
        self._desk.books.iterations += count

    def on_booked(self, search: SearchView) -> Ending | None:
        return self._desk.look_after(search, is_done=search.is_done)

    def executions_left(self, search: SearchView) -> int:
        return self._desk.executions_left(is_done=search.is_done)

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        self._obstacles.note_flip(attempt, outcome)

    def on_restart(self, restarts: int) -> None:
        self._watcher.tick()


def execution(assignment: Assignment, parts: Machinery) -> Execution:
    """How the desk learns about runs in this process."""
    program = assignment.target.program
    return Execution(
        confirmer=parts.confirmer,
        statistics=parts.solver.statistics,
        limits=lambda: not_followed(parts, program),
        pruned=lambda: parts.pruning.skipped,
        costs=parts.costs,
        endless_inputs=lambda: parts.executor.endless_inputs,
        printed=lambda: parts.session.output,
    )


def world(assignment: Assignment, parts: Machinery) -> World:
    """What the search is to work with."""
    config, program, executor = assignment.config, assignment.target.map, parts.executor
    flips = StackFlips(executor, parts.solver, parts.costs, parts.aside)
    return World(
        program,
        executor,
        flips,
        filters=parts.pruning.filters,
        first=first_input(config.sources),
        doubts=program_doubts(parts.session, program),
        strange_ids=parts.session.id_count > program.id_count,
        goals=wanted_goals(config, program),
        heuristic=config.heuristic,
        words=config.words,
        snapshots=executor,
        guesser=flips,
        word_finder=flips,
        glancer=executor,
        effort=parts.solver.statistics.effort,
        most_steps=MOST_STEPS if parts.aside is None or parts.aside.waits else STEPS_BEFORE_ASIDE,
        reach=InputReach(executor.session.expressions),
        cursor=InputCursor(executor.session.expressions),
        record_windows=executor.record_windows,
        record_reach=executor.record_reach,
        more_inputs=executor.more_inputs,
    )


def program_doubts(session: Session, program: ProgramMap) -> Callable[[], Collection[Doubt]]:
    """What is doubtful about the program as a whole: asked after each run."""
    known = {Doubt.UNINSTRUMENTED: session.uninstrumented, Doubt.STRANGERS: program.containment.strangers}
    always = tuple(doubt for doubt, found in known.items() if found)
    return lambda: (*always, Doubt.EXTERNAL) if session.lost_labels else always
