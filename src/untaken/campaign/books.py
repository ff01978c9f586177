"""Keeps the books while a search runs: which tests and findings are worth keeping, written down at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path as FilePath

import numpy as np
from numpy.typing import NDArray

from untaken.campaign.clock import CampaignClock
from untaken.campaign.findings.rejected import Rejected, RejectedRuns
from untaken.campaign.findings.sightings import Sighting, Sightings, trouble_of
from untaken.campaign.folder.passed_ids import packed, unpacked
from untaken.campaign.folder.resume import OpenedFolder
from untaken.campaign.folder.rows import ObstaclesRecord, Totals
from untaken.campaign.folder.store import DATABASE, OBSTACLES, Store, told
from untaken.campaign.obstacles import Obstacles
from untaken.campaign.watcher import Watcher
from untaken.errors import CampaignError
from untaken.interrupts import undisturbed
from untaken.model.path import CutOff, ExitKind, Path
from untaken.search.world import BookedRun
from untaken.suite.findings import Trouble
from untaken.suite.independence.evaluated_tests import EvaluatedTests

NO_BRANCHES = np.zeros(0, np.intp)
_REJECTED = ExitKind.ASSUME
TIMELINE = "timeline.csv"
TIMELINE_HEAD = "iteration,seconds,branches\n"


@dataclass(slots=True)
class Pace:
    """When something last happened, in iterations of this run."""

    new_branch: int = 0
    new_finding: int = 0
    new_branch_seconds: float = 0.0  # the same as a time, over all runs


class Books:
    """Told of every run of a campaign; keeps what is worth keeping."""

    def __init__(
        self,
        folder: OpenedFolder,
        sightings: Sightings,
        watcher: Watcher,
        clock: CampaignClock,
        printed: Callable[[], bytes] | None = None,
        kept: Callable[[Path], None] = lambda path: None,
        evaluations: EvaluatedTests | None = None,
    ) -> None:
        """`printed`: what the last run printed, if that may be a sanitizer's report; `kept` is told of new tests, and
        `evaluations` of what all of them pass."""
        store, corpus, program = folder.store, folder.corpus, sightings.triage.program
        self._store = store
        self._corpus = corpus
        self._watcher = watcher
        self._clock = clock
        self._printed = printed
        self._kept = kept
        self.evaluations = evaluations
        self.earlier = folder.earlier
        self.sightings = sightings
        self.iterations = self.earlier.totals.iterations
        self.branches = 0
        self.tests = len(corpus.test_numbers())
        self.failing_tests = len(store.tests_ended_by(ExitKind.ASSUME.name.lower()))  # of these: of an assumption
        self.pace = Pace(self.iterations, self.iterations, self.earlier.totals.seconds)
        self.cut_off: Counter[str] = Counter()
        self.input_mattered = False  # whether any decision depended on the input
        self.obstacles = Obstacles(program)
        with told(store.folder / DATABASE):
            self.obstacles.add(store.raw(OBSTACLES, ObstaclesRecord) or {})
        self._rejected = RejectedRuns(program)
        self._due = False  # something is to be confirmed
        self._doubted: set[str] = set()  # what was told to be no finding
        self._to_repeat = set(self.earlier.inputs)
        self._number = max([0, *corpus.test_numbers(), *store.test_numbers()])
        self._timeline = corpus.folder / TIMELINE
        rewrite_timeline(self._timeline, store)

    @property
    def own_iterations(self) -> int:
        """Of this run of the campaign."""
        return self.iterations - self.earlier.totals.iterations

    @property
    def seconds(self) -> float:
        """Over this run and all earlier ones."""
        return self.earlier.totals.seconds + self._clock.seconds

    def passed_before(self) -> NDArray[np.uint32]:
        """What earlier runs passed, as long as not all of their tests were run again; ids."""
        number_of_ids = self.sightings.triage.program.id_count
        hit = np.zeros(number_of_ids, np.bool_)
        if self._to_repeat and self.earlier.booked:
            rejected = set(self._store.tests_ended_by(ExitKind.ASSUME.name.lower()))
            with told(self._store.folder / DATABASE):
                for number, ids in self._store.passed().items():
                    if number in self.earlier.booked - rejected:
                        hit |= unpacked(ids, number_of_ids)
        return np.flatnonzero(hit).astype(np.uint32)

    def note(self, run: BookedRun) -> None:
        """The program ran: right after that, and undisturbed."""
        path = run.path
        if run.is_new:
            self.branches += len(run.new_branches)
        self.input_mattered = self.input_mattered or len(path.constraints) > 0
        if path.cut_off:
            self.cut_off.update(flag.name or "" for flag in CutOff if flag in path.cut_off)
        self.obstacles.note_run(path, is_new=run.is_new)
        known = run.attempt is None and self._rerun(path, run.covers)
        self.iterations += not known
        self._keep_if_new(run, known=known)

    def note_sent(self, run: BookedRun, iteration: int) -> None:
        """A worker sent this run, as the campaign's iteration of that number; the worker counts its runs itself."""
        self.branches += len(run.new_branches)
        self.iterations = iteration
        known = run.attempt is None and self._rerun(run.path, run.covers)
        self._keep_if_new(run, known=known)

    def settle_due(self) -> None:
        """What was found is confirmed, which may take its time."""
        if self._due:
            self._due = False
            self._settle()

    def flush(self, totals: Totals) -> None:
        """Writes the counts down. What could not be confirmed at once has its turn again."""
        self._due = self.sightings.any_due
        self.note_totals(totals)
        for place, finding in self.sightings.triage.findings.items():
            self._store.add_finding(place, finding)

    def note_totals(self, totals: Totals) -> None:
        """What a later run counts on from."""
        self._store.totals = totals

    def end(self, hit: NDArray[np.bool_], deadline: float | None = None) -> None:
        """The last findings are confirmed as far as there is time; then tests that fail an assumption are written, and
        the last line of the timeline. `hit`: what was passed, by id."""
        self._settle(deadline)
        self.sightings.settle_shorter(deadline)
        for run in self._rejected.worth_keeping(hit, are_tests=self.tests > 0):
            self._keep_rejected(run)
        self.note_obstacles()
        self._note_time()

    def note_obstacles(self) -> None:
        """Writes down what is in the way of branches."""
        self._store.set(OBSTACLES, self.obstacles.as_json())

    # ---- keeping

    def _keep_if_new(self, run: BookedRun, *, known: bool) -> None:
        """`known`: it is a test already."""
        if not known:
            self._book(run.path, run.covers, run.is_new)
        if run.path.exit.kind is _REJECTED:
            self._note_rejected(run.path, known)

    def _book(self, path: Path, covers: NDArray[np.intp], is_new: bool) -> None:
        """A file and its entry are written both or neither, whenever Ctrl-C comes."""
        trouble = trouble_of(path, self.sightings.triage, self._printed)
        # A program that has nothing to cover, or asks for nothing, has a test all the same.
        first = not self.tests and path.exit.kind is not ExitKind.ASSUME and len(path.events) > 0
        if is_new or first or trouble is not None:  # most runs are none of it
            with undisturbed():
                self._keep(path, covers, is_new, first, trouble)

    def _keep(self, path: Path, covers: NDArray[np.intp], is_new: bool, first: bool, trouble: Trouble | None) -> None:
        """A run that went wrong and is new in nothing else becomes a test once it is confirmed."""
        found = None if trouble is None else self.sightings.saw(trouble, path, self.iterations)
        self._due |= found is not None
        if is_new:
            self.pace.new_branch = self.iterations
            self.pace.new_branch_seconds = self.seconds
        if is_new or first:
            self._new_test(path, covers, found)
        if is_new:
            self._note_time()

    def _new_test(self, path: Path, covers: NDArray[np.intp], found: Sighting | None) -> None:
        self._number += 1
        self._write_test(self._number, path, covers, found)
        self.tests += 1
        self._kept(path)

    def _settle(self, deadline: float | None = None) -> None:
        """Confirms what is due; a campaign with little time goes on while the plain program is built."""
        for sighting in self.sightings.settled(deadline):
            with undisturbed():
                self._tell(sighting)

    def _tell(self, sighting: Sighting) -> None:
        finding = sighting.finding
        if not finding.confirmed:
            if finding.name not in self._doubted:  # it may be tried again with other inputs
                self._doubted.add(finding.name)
                self._watcher.note(f"seen only while exploring: {finding.what} ({finding.confirmation.reason})")
            return
        self.pace.new_finding = self.iterations
        if not sighting.tested:
            self._new_test(sighting.path, NO_BRANCHES, sighting)
        self._watcher.found(finding)

    def _note_rejected(self, path: Path, known: bool) -> None:
        self.obstacles.note_rejected(path)
        if known:
            self._rejected.note_kept(path)
        else:
            self._rejected.note(path, self.iterations)

    def _keep_rejected(self, run: Rejected) -> None:
        self._number += 1
        self.tests += 1
        self.failing_tests += 1
        with undisturbed():
            takes = self._corpus.covers(run.takes)
            about = {"iteration": run.iteration, "covers": [], "takes": takes, "finding": None}
            self._corpus.write_test(self._number, run.path, about)
            exit = run.path.exit.kind.name.lower()
            self._store.add_test(self._number, run.iteration, self.seconds, (exit, [], None))
            self.note_passed(self._number, run.path)

    def _rerun(self, path: Path, covers: NDArray[np.intp]) -> bool:
        """Whether this was a test of an earlier run, done again to see what it covers."""
        name = self.earlier.crashes.get(path.input)
        number = self.earlier.tests.get(path.input)
        if name is None and number is None:
            return False
        self._to_repeat.discard(path.input)
        with undisturbed():
            if number is not None:
                self.note_passed(number, path, covers)
            found = self._seen_again(path, name)
            if number is not None and number not in self.earlier.booked:
                self._write_test(number, path, covers, found)
        return True

    def _seen_again(self, path: Path, name: str | None) -> Sighting | None:
        trouble = self._trouble(path)
        found = None if trouble is None else self.sightings.saw(trouble, path, self.iterations, name)
        if found is not None:
            found.tested = self._due = True
        return found

    def _write_test(self, number: int, path: Path, new: NDArray[np.intp], found: Sighting | None) -> None:
        name = None
        if found is not None:
            name, found.tested = found.finding.name, True
        covers = self._corpus.covers(new)
        self._corpus.write_test(number, path, {"iteration": self.iterations, "covers": covers, "finding": name})
        about = (path.exit.kind.name.lower(), [int(branch) for branch in new], name)
        self._store.add_test(number, self.iterations, self.seconds, about)
        self.note_passed(number, path, new)

    def note_passed(self, number: int, path: Path, first: NDArray[np.intp] = NO_BRANCHES) -> None:
        """What a test passes, for reports."""
        self._store.set_passed(number, packed(path, first, self.sightings.triage.program.id_count))
        if self.evaluations is not None:
            self.evaluations.note(f"{number:06}", path)

    def _note_time(self) -> None:
        """Never fewer branches than before: a run that goes on may end before it has run all its tests again."""
        seconds, branches = self.seconds, max(self.branches, self.earlier.branches)
        self._store.add_time(self.iterations, seconds, branches)
        append_line(self._timeline, f"{self.iterations},{seconds:.3f},{branches}\n")

    def _trouble(self, path: Path) -> Trouble | None:
        return trouble_of(path, self.sightings.triage, self._printed)


def rewrite_timeline(path: FilePath, store: Store) -> None:
    """From the database, in case that the last run was killed in the middle of a line."""
    lines = [f"{iteration},{seconds:.3f},{branches}\n" for iteration, seconds, branches in store.timeline()]
    try:
        path.write_text(TIMELINE_HEAD + "".join(lines))
    except OSError as error:
        raise CampaignError(f"cannot write {path}: {error.strerror}; choose another --out") from error


def append_line(path: FilePath, line: str) -> None:
    try:
        with path.open("a") as file:
            file.write(line)
    except OSError as error:
        raise CampaignError(f"cannot write {path}: {error.strerror}; what was written before is kept") from error
