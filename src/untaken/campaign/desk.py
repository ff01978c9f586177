"""What every campaign keeps, whoever runs the program: books, progress, summary, clock, and when it is enough.

One process that runs the program itself has a desk (`Campaign`), and so has the owner of many workers (team/owner.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from untaken.campaign.afl import AflFolder
from untaken.campaign.books import Books
from untaken.campaign.clock import CampaignClock
from untaken.campaign.findings.confirm import Confirmer
from untaken.campaign.findings.sightings import Sightings
from untaken.campaign.folder.recipe import wanted_goals
from untaken.campaign.folder.resume import OpenedFolder
from untaken.campaign.machinery.machinery import Assignment, early_exit
from untaken.campaign.minimise import Minimiser
from untaken.campaign.progress import Progress, WorkerStates
from untaken.campaign.solver_costs import SolverCosts
from untaken.campaign.stopping import StoppingRule
from untaken.campaign.summarise import Summariser
from untaken.campaign.summary import EarlyExit, NotFollowed, Summary
from untaken.campaign.watcher import Watcher
from untaken.errors import UsageError
from untaken.execute.session import Session
from untaken.interrupts import OutOfTime, deaf, time_limit, undisturbed
from untaken.search.budget import Ending
from untaken.search.coverage_goals import CoverageGoals, Criterion
from untaken.search.independence.effect_numbers import EffectNumbers
from untaken.search.view import SearchView
from untaken.solve.statistics import Statistics
from untaken.suite.corpus import write_file
from untaken.suite.dictionary import WORDS, dictionary_text, read_dictionary
from untaken.suite.findings import Triage
from untaken.suite.independence.evaluated_tests import EvaluatedTests

FLUSH_SECONDS = 1.0  # between two times that counts are written down


@dataclass(frozen=True, slots=True)
class Execution:
    """What the desk asks of those who run the program."""

    confirmer: Confirmer
    statistics: Statistics
    limits: Callable[[], NotFollowed]
    pruned: Callable[[], Mapping[str, int]]
    endless_inputs: Callable[[], int]  # after which runs of a program without end are cut
    printed: Callable[[], bytes]  # what the last run printed
    workers: WorkerStates = tuple
    costs: SolverCosts = field(default_factory=SolverCosts)


class MetWords:
    """The words that a campaign met, in its folder: those of earlier runs first."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / WORDS
        self._known: dict[bytes, None] = {}
        with suppress(UsageError):  # there is none, or somebody wrote into it
            self._known.update(dict.fromkeys(read_dictionary(str(self._place))))

    def write_down(self, words: Iterable[bytes]) -> None:
        """If there are new ones."""
        before = len(self._known)
        self._known.update(dict.fromkeys(word for word in words if word))
        if len(self._known) > before:
            write_file(self._place, dictionary_text(self._known))


class Desk:
    """Told of runs by way of its books; looked after between runs; closed at the end."""

    def __init__(self, assignment: Assignment, folder: OpenedFolder, execution: Execution, watcher: Watcher) -> None:
        config = assignment.config
        self._assignment = assignment
        self._folder = folder
        self._execution = execution
        self._watcher = watcher
        self.afl = None if config.sync is None else AflFolder(config.sync, config.sources)
        self.clock = CampaignClock(
            config.seconds, minimise=config.minimise, branches=len(assignment.target.map.branches)
        )
        self.books = self._make_books()
        self.progress = Progress(config, self.books, self.clock, execution.statistics, execution.workers)
        told = execution.limits, execution.pruned, execution.costs
        self._summariser = Summariser(assignment, self.books, self.progress, *told)
        self._stopping = StoppingRule(config)
        self._flush_due = 0.0  # when counts are to be written down
        self._words = MetWords(folder.corpus.folder)

    def _make_books(self) -> Books:
        target, store, tested = self._assignment.target, self._folder.store, self._assignment.config.tested
        begins = next((each.entry_id for each in target.map.functions if each.name == tested), None)
        triage = Triage(target.map, target.abort_is_an_end, store.findings(), store.finding_count(), begins)
        sightings = Sightings(triage, self._folder.corpus, store, self._execution.confirmer)
        # What a program prints that is built with sanitizers may be a report.
        printed = self._execution.printed if target.sanitized else None
        told = (lambda path: None) if self.afl is None else self.afl.write
        return Books(self._folder, sightings, self._watcher, self.clock, printed, told, self._evaluations())

    def _evaluations(self) -> EvaluatedTests | None:
        """Only for the goal that asks for them."""
        goals = self._independence_goals()
        return None if goals is None else EvaluatedTests(self._assignment.target.map, goals)

    def _independence_goals(self) -> CoverageGoals | None:
        config = self._assignment.config
        return wanted_goals(config, self._assignment.target.map) if config.goal is Criterion.MCDC else None

    def look_after(self, search: SearchView, *, is_done: bool, runs: int = 1) -> Ending | None:
        """After runs: what may take its time, and may be interrupted. What is returned ends the campaign."""
        if time.monotonic() > self._flush_due:
            self._flush(search)
        self.books.settle_due()
        self._watcher.tick(runs)
        if self._watcher.has_seen_enough():
            return Ending.SEEN
        return self._stopping.ending(search, self.books, is_done=is_done)

    def executions_left(self, *, is_done: bool) -> int:
        """How many there may be, at least, before the campaign ends because all is covered."""
        return self._stopping.executions_left(self.books, is_done=is_done)

    def close(self, search: SearchView, ending: Ending) -> None:
        """The search is over: the last findings are confirmed, and all is written down."""
        with deaf():
            self.clock.stop()
            self.books.end(search.coverage.hit, self.clock.last_moment(stopped=ending is Ending.STOPPED))
            self._write_down(search)

    def minimise(self, session: Session) -> None:
        """Shortens the tests that are kept, as long as there is time."""
        corpus = self._folder.corpus
        goals = self._independence_goals()
        effects = None if goals is None else EffectNumbers(self._assignment.target.map, goals)
        minimiser = Minimiser(session, corpus, self.books.sightings, self.books.note_passed, effects)
        try:
            with time_limit(self.clock.left(self.clock.work_limit)):
                minimiser.run()
        except OutOfTime:
            self._watcher.note("the time was over before all tests were shortened")
        before, after = minimiser.sizes
        for number in corpus.test_numbers():
            self._folder.store.set_exit(number, corpus.exit_of(number))
        self._watcher.note(f"the tests had {before:,} bytes of input, and have {after:,} now")

    def early_exit(self, ending: Ending) -> EarlyExit | None:
        """How a program gives up for which no input mattered."""
        gave_up = not self.books.input_mattered and ending not in (Ending.STOPPED, Ending.SECONDS)
        return early_exit(self._assignment) if gave_up else None

    def summary(self, search: SearchView, ending: Ending, said: EarlyExit | None) -> Summary:
        """In the end, written down too."""
        with undisturbed():
            summary = self._summariser.summary(search, ending, said)
            self._summariser.write(summary)
        return summary

    def _flush(self, search: SearchView) -> None:
        self._flush_due = time.monotonic() + FLUSH_SECONDS
        with undisturbed():
            self._write_down(search)
            summary = self._summariser.write_if_due(search)
        if summary is not None:
            self._watcher.summarised(summary)

    def _write_down(self, search: SearchView) -> None:
        """What a later run in the same folder goes on from."""
        self.books.flush(self.progress.totals(search))
        self._folder.store.endless_inputs = self._execution.endless_inputs()
        self._words.write_down(search.words.texts)
        if self.afl is not None:
            self.afl.write_stats(self.progress.totals(search), len(self.books.sightings.confirmed))
