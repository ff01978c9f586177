"""Runs a whole campaign: a program, a strategy, budgets, and an output folder that may hold an earlier run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from untaken.build.library.models import MODELS
from untaken.campaign.books import Books, Earlier
from untaken.campaign.config import DEFAULT_STDIN, Config
from untaken.campaign.confirm import Confirmer
from untaken.campaign.executor import SessionExecutor
from untaken.campaign.flips import StackFlips
from untaken.campaign.minimise import Minimiser
from untaken.campaign.output_folder import check_ours, check_same, make_room
from untaken.campaign.seeds import first_input, read_seeds
from untaken.campaign.sightings import Sightings
from untaken.campaign.store import OBSTACLES, Store, Totals
from untaken.campaign.summary import (
    SUMMARY,
    EarlyExit,
    GoalCoverage,
    Library,
    Limits,
    Summary,
    coverage_by_function,
    frontier,
)
from untaken.campaign.watcher import Snapshot, Watcher
from untaken.errors import ExecutionError, UsageError
from untaken.execute.libraries import is_instrumented
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox
from untaken.execute.session import Session, Settings
from untaken.execute.target import SANITIZER_SETTINGS, Target
from untaken.interrupts import OutOfTime, deaf, interruptible, time_limit
from untaken.model.path import ExitKind
from untaken.model.program import ProgramMap
from untaken.search.budget import Budget, Ending
from untaken.search.coverage_goals import CoverageGoals, coverage_goals
from untaken.search.doubts import Doubt, in_order
from untaken.search.driver import Driver
from untaken.search.pruning.registry import Setting, pruning
from untaken.search.registry import strategy
from untaken.search.world import World
from untaken.solve.stack import SolverStack, default_solver
from untaken.suite.corpus import Corpus, Recipe, write_json
from untaken.suite.findings import Triage
from untaken.suite.tests import Suite

MOST_RUNS = 1_000  # of one process: whatever is not put back, and nobody thought of, does not add up for ever
GRACE_SECONDS = 0.1  # after the limit: what is about to end by itself need not be torn off
CONFIRMING_SECONDS = 0.6  # after the limit, for what was found right before it
PRINTED_BYTES = 2000  # of a program that gives up early: enough for what it complains about
MINIMISING = 0.1  # of the time, if tests are to be shortened
SUMMARY_SECONDS = 2.0  # between two summaries of a campaign under way, at least
SUMMARY_SHARE = 0.02  # of the time that they may take, at most


def run_campaign(config: Config, target: Target, watcher: Watcher) -> Summary:
    """The whole of it; what ends it early, Ctrl-C say, leaves everything that was found on disk."""
    with ExitStack() as stack:
        check_ours(config.out)
        make_room(config.out, lambda: check_same(config.out, recipe(config, target)), watcher.note)
        store = Store(config.out)
        stack.callback(store.close)
        campaign = Campaign(config, target, store, watcher)
        with interruptible():
            ending = campaign.search()
        summary = campaign.summary(ending)
        write_json(config.out / SUMMARY, summary.as_json())
        return summary


class Campaign:
    """One run of `untaken run`."""

    def __init__(self, config: Config, target: Target, store: Store, watcher: Watcher) -> None:
        self._config = config
        self._target = target
        self._store = store
        self._watcher = watcher
        self._corpus = Corpus(config.out, target.map)
        self._earlier = self._resume()
        triage = Triage(target.map, target.abort_is_an_end, store.findings(), store.finding_count())
        self._books = Books(store, self._corpus, Sightings(triage, self._corpus, store), self._earlier, watcher)
        self._corpus.write_recipe(recipe(config, target))
        store.set("settings", recipe(config, target).as_json())
        self._begun = time.monotonic()
        self._ended: float | None = None
        self._pending = 0  # the last iteration after which something was left to reach
        self._early_exit: EarlyExit | None = None
        self._reached: Ending | None = None  # what ended the campaign, if it was more than the budget
        self._executor: SessionExecutor | None = None
        self._limits = Limits({}, 0, 0, {}, {}, (), 0, ())
        self._next_summary = 0.0
        self._pruning = pruning(config.prune, max_path=config.max_path, setting=Setting(modelled=frozenset(MODELS)))
        self._driver: Driver | None = None
        self._solver: SolverStack | None = None

    # ---- beginning

    def _resume(self) -> Earlier:
        """What the output folder holds already."""
        store, digest = self._store, self._target.digest
        before = store.get("digest")
        changed = before not in (None, digest)
        tests = {self._corpus.read_test(number): number for number in self._corpus.test_numbers()}
        known = store.findings().values()
        again = [finding.name for finding in known if changed or finding.confirmation.holds is None]
        inputs = {name: self._corpus.crash_input(name) for name in again}
        crashes = {input: name for name, input in inputs.items() if input is not None}
        if changed:
            store.forget_findings()
            store.set(OBSTACLES, {})
            self._watcher.note(
                f"the program has changed since the last run in {self._config.out}: "
                f"{len(tests)} tests and {len(crashes)} findings are tried again on the new one"
            )
        elif tests:
            self._watcher.note(f"going on from {self._config.out}; tests that are run again first: {len(tests)}")
        store.set("digest", digest)
        booked = frozenset(() if changed else store.test_numbers())
        cut_short = set(store.tests_ended_by(ExitKind.INPUTS.name.lower()))
        ended = frozenset(input for input, number in tests.items() if number in cut_short)
        return Earlier(tests, crashes, booked, store.totals, ended)

    def search(self) -> Ending:
        """Runs the program and the strategy until something ends them."""
        with ExitStack() as stack:
            session = stack.enter_context(Session(self._target.program, self._settings()))
            for note in session.notes:
                self._watcher.note(note)
            session.input_limit = self._config.inputs or 0
            executor = SessionExecutor(session, self._target.map, self._earlier.ended, self._watcher.note)
            self._executor = executor
            stack.callback(executor.close)
            self._solver = default_solver(session.expressions, self._config.solver)
            stack.callback(self._solver.close)
            if self._target.sanitized:
                self._books.read_output_of(session)
            self._books.sightings.confirm_with(stack.enter_context(self._confirmer()))
            self._driver = self._make_driver(executor)
            stack.callback(self._note_limits)
            stack.callback(self._watcher.end)
            self._watcher.begin(self._target.title, self.snapshot)
            ending = self._drive(self._driver)
            if self._config.minimise and ending is not Ending.STOPPED:
                self._minimise(session)
            if not self._books.input_mattered and ending not in (Ending.STOPPED, Ending.SECONDS):
                self._early_exit = self._look_at_early_exit()
            return ending

    def _look_at_early_exit(self) -> EarlyExit | None:
        """A program that gives up before it reads anything mostly says why: it is run once more, with its output."""
        settings = replace(self._settings(), capture=True, most_runs=1)
        with suppress(ExecutionError), Session(self._target.program, settings) as session:
            exit = session.run(first_input(self._config.sources), concrete=True).exit
            printed = session.output[-PRINTED_BYTES:].decode(errors="replace").strip()
            failed = exit.kind is ExitKind.CODE and exit.code != 0
            return EarlyExit(exit.code, printed) if failed and printed else None
        return None  # it does not start every time

    def _confirmer(self) -> Confirmer:
        suite = Suite(self._config.out.resolve(), recipe(self._config, self._target), ())
        confirmer = Confirmer(suite, self._target, self._settings(), self._watcher.note)
        if self._config.seconds is not None:
            confirmer.hurry()
        return confirmer

    def _minimise(self, session: Session) -> None:
        minimiser = Minimiser(session, self._corpus, self._books.sightings, self._books.note_passed)
        try:
            with time_limit(self._time_left(self._config.seconds)):
                minimiser.run()
        except OutOfTime:
            self._watcher.note("the time was over before all tests were shortened")
        before, after = minimiser.sizes
        for number in self._corpus.test_numbers():
            self._store.set_exit(number, self._corpus.exit_of(number))
        self._watcher.note(f"the tests had {before:,} bytes of input, and have {after:,} now")

    def _drive(self, driver: Driver) -> Ending:
        self._begun = time.monotonic()
        try:
            with interruptible(driver.stop), time_limit(self._time_left(self._search_seconds)):
                ending = driver.run()
        except KeyboardInterrupt:
            ending = Ending.STOPPED
        except OutOfTime:
            ending = Ending.SECONDS
        with deaf():
            self._ended = time.monotonic()
            self._books.end(self._last_moment(ending))
        return self._reached or ending

    def _last_moment(self, ending: Ending) -> float | None:
        """Until when findings may still be confirmed, once the search is over; None: however long that takes."""
        now = time.monotonic()
        if ending is Ending.STOPPED and self._reached is None:
            return now + CONFIRMING_SECONDS
        seconds = self._config.seconds
        return None if seconds is None else max(now, self._begun + seconds) + CONFIRMING_SECONDS

    @property
    def _search_seconds(self) -> float | None:
        """Of the time that is given, what the search may have."""
        seconds = self._config.seconds
        return seconds * (1 - MINIMISING) if seconds is not None and self._config.minimise else seconds

    def _time_left(self, seconds: float | None) -> float | None:
        """Until what is under way is torn off, so many seconds after the beginning."""
        return None if seconds is None else self._begun + seconds + GRACE_SECONDS - time.monotonic()

    def _settings(self) -> Settings:
        config = self._config
        return Settings(
            arguments=config.arguments,
            sources=config.sources,
            biases=config.biases,
            printable=config.printable,
            timeout=config.timeout,
            run_limits=RunLimits(memory=config.memory << 20),
            sandbox=Sandbox(enabled=not config.no_sandbox, writable=config.allow_write),
            environment={**os.environ, **SANITIZER_SETTINGS} if self._target.sanitized else None,
            capture=self._target.sanitized,
            most_runs=MOST_RUNS if self._target.map.containment.contained else 1,
            changes_process=self._target.map.containment.changes_process,
            uses_files=self._target.map.containment.uses_files,
        )

    def _make_driver(self, executor: SessionExecutor) -> Driver:
        config, earlier = self._config, self._earlier
        seeds = read_seeds(config.seeds, config.sources, self._watcher.note) if config.seeds is not None else []
        again = earlier.inputs
        assert self._solver is not None
        flips = StackFlips(executor, self._solver)
        goals = wanted_goals(config, self._target.map)
        driver = Driver(
            World(
                self._target.map,
                executor,
                flips,
                filters=(self._pruning,),
                first=first_input(config.sources),
                doubts=self._program_doubts(executor.session),
                strange_ids=executor.session.id_count > self._target.map.id_count,
                goals=goals,
                heuristic=config.heuristic,
                snapshots=executor,
                guesser=flips,
                effort=self._solver.statistics.effort,
                record_windows=executor.record_windows,
                more_inputs=executor.more_inputs,
            ),
            strategy(config.whole_strategy),
            # A run that goes on must not draw what the first one drew.
            Random(config.seed if not again else f"{config.seed}/{earlier.totals.iterations}"),
            Budget(
                # Runs of tests that are there already are not iterations.
                iterations=None if config.iterations is None else config.iterations + len(again),
                seconds=self._search_seconds,
                stale=config.no_new,
                full_coverage=False,
            ),
            observer=self._books,
            seeds=[*again, *(seed for seed in seeds if seed not in earlier.tests)],
        )
        self._books.covered = lambda: driver.search.coverage.count
        self._books.hit = lambda: driver.search.coverage.hit
        self._books.totals = self.totals
        self._books.after_run = self._end_when_covered
        self._books.after_flush = self._write_summary
        return driver

    def _program_doubts(self, session: Session) -> Callable[[], Collection[Doubt]]:
        """What is doubtful about the program as a whole: asked after each run."""
        always = (Doubt.UNINSTRUMENTED,) if session.uninstrumented else ()
        return lambda: (*always, Doubt.EXTERNAL) if session.lost_labels else always

    def _end_when_covered(self) -> None:
        """Full coverage ends the campaign, after some more runs in search of faults; and so does what was asked for."""
        driver, books, config = self._driver, self._books, self._config
        if driver is None:
            return
        coverage = driver.search.coverage
        if config.coverage is not None and 100 * coverage.count >= config.coverage * coverage.total:
            self._end(driver, Ending.ENOUGH)
        elif config.first_finding and books.sightings.confirmed:
            self._end(driver, Ending.FINDING)
        elif not driver.search.is_done:
            self._pending = books.iterations
        else:
            last = max(books.pace.new_branch, books.pace.new_finding, self._pending)
            if books.iterations - last >= config.after_coverage:
                self._end(driver, Ending.FULL_COVERAGE)

    def _end(self, driver: Driver, ending: Ending) -> None:
        self._reached = ending
        driver.stop()

    # ---- counting

    @property
    def seconds(self) -> float:
        """Of this run."""
        return (self._ended or time.monotonic()) - self._begun

    def totals(self) -> Totals:
        """Over this run and all earlier ones."""
        if self._driver is None or self._solver is None:
            return self._earlier.totals
        tally, statistics = self._driver.search.tally, self._solver.statistics
        own = Totals(
            iterations=self._books.iterations - self._earlier.totals.iterations,
            seconds=self.seconds,
            queries=statistics.queries,
            sat=statistics.sat,
            unsat=statistics.unsat,
            unknown=statistics.unknown,
            solver_seconds=tally.solve_seconds,
            run_seconds=tally.run_seconds,
            divergences=tally.divergences,
            restarts=tally.restarts,
        )
        return self._earlier.totals.plus(own)

    def snapshot(self) -> Snapshot:
        """Where things stand."""
        assert self._driver is not None
        config, books, search = self._config, self._books, self._driver.search
        own = books.iterations - self._earlier.totals.iterations
        seconds = max(self.seconds, 1e-6)
        left = None if config.seconds is None else max(0.0, config.seconds - seconds)
        return Snapshot(
            branches=search.coverage.branches,
            total=search.coverage.branch_total,
            reachable=search.coverage.reachable(),
            iterations=books.iterations,
            iterations_a_second=own / seconds,
            seconds=seconds,
            seconds_left=left,
            iterations_left=None if config.iterations is None else max(0, config.iterations - own),
            solver_share=search.tally.solve_seconds / seconds,
            queries=self._solver.statistics.queries if self._solver is not None else 0,
            tests=books.tests,
            findings=len(books.sightings.confirmed),
            divergences=search.tally.divergences,
            restarts=search.tally.restarts,
            since_new=books.iterations - books.pace.new_branch,
            strategy=config.strategy,
        )

    # ---- ending

    def _write_summary(self) -> None:
        """While it runs: all that a campaign leaves that is killed."""
        begun = time.monotonic()
        if begun >= self._next_summary:
            self._note_limits()
            self._books.note_obstacles()
            write_json(self._config.out / SUMMARY, self.summary(Ending.RUNNING).as_json())
            took = time.monotonic() - begun
            self._next_summary = begun + max(SUMMARY_SECONDS, took / SUMMARY_SHARE)

    def _note_limits(self) -> None:
        assert self._executor is not None
        executor, session = self._executor, self._executor.session
        self._limits = Limits(
            cut_off=dict(sorted(self._books.cut_off.items())),
            renewals=executor.renewals,
            pins=session.counters.pins,
            concretised={name: count for name, count in session.counters.concretised.items() if count},
            externals=dict(sorted(session.externals.items())),
            notes=session.notes,
            server_restarts=session.counters.restarts,
            uninstrumented=tuple(
                Library(str(path), beside(path, self._target.program)) for path in session.uninstrumented
            ),
        )

    def summary(self, ending: Ending) -> Summary:
        """Of what was done so far."""
        assert self._driver is not None
        config, books, coverage = self._config, self._books, self._driver.search.coverage
        tally = self._driver.search.tally
        totals = self.totals()
        return Summary(
            program=str(self._target.program),
            out=config.out,
            strategy=config.strategy,
            seed=config.seed,
            ended_by=ending.value,
            exhausted=ending is Ending.EXHAUSTED,
            interrupted=ending is Ending.STOPPED,
            totals=totals,
            run_seconds=self.seconds,
            run_iterations=books.iterations - self._earlier.totals.iterations,
            tests=books.tests,
            failing_tests=books.failing_tests,
            covered=coverage.branches,
            total=coverage.branch_total,
            goal=GoalCoverage(config.goal, config.only_in, coverage.count, coverage.total),
            reachable=coverage.reachable(),
            functions=coverage_by_function(self._target.map, coverage),
            has_arguments=bool(config.arguments),
            frontier=frontier(self._target.map, coverage, books.obstacles),
            findings=books.sightings.confirmed,
            unconfirmed=books.sightings.unconfirmed,
            limits=self._limits,
            input_mattered=books.input_mattered,
            early_exit=self._early_exit,
            doubts=in_order(tally.doubts | tally.all_doubts),
            tried_all=tally.tried_all,
            pruned=dict(sorted(self._pruning.skipped.items())),
        )


def beside(library: Path, program: Path) -> str:
    """The folder of the program, if an instrumented library of that name lies there; else nothing."""
    folder = program.resolve().parent
    found = folder / library.name
    return str(folder) if found != library and found.is_file() and is_instrumented(found) else ""


def wanted_goals(config: Config, program: ProgramMap) -> CoverageGoals:
    """What the campaign is to cover."""
    if not config.only_in:
        return coverage_goals(program, config.goal)
    chosen = [function.index for function in program.functions if function.name in config.only_in]
    missing = set(config.only_in) - {program.functions[index].name for index in chosen}
    if missing:
        raise UsageError(f"the program has no function {min(missing)!r} whose coverage could be the goal")
    return coverage_goals(program, config.goal, chosen)


def recipe(config: Config, target: Target) -> Recipe:
    """What campaign.json says."""
    return Recipe(
        program=str(target.program),
        sources=target.sources,
        cflags=target.cflags,
        arguments=config.arguments,
        declared=config.sources,
        strategy=config.strategy,
        seed=config.seed,
        timeout=config.timeout,
        directory=str(Path.cwd()),
    )


def with_default_input(config: Config, target: Target) -> tuple[Config, str | None]:
    """Explores stdin where nothing was said about inputs; and what to tell the user about it."""
    if config.sources or target.asks_for_input:
        return config, None
    if target.reads_nothing:
        return config, "the program asks for no input and reads nothing, so it has one test; --arg N explores arguments"
    note = f"the program calls no input function and no input was declared: exploring --stdin {DEFAULT_STDIN}"
    return replace(config, stdin=DEFAULT_STDIN), note
