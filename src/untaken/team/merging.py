"""Merges what workers send into one campaign: coverage, tests and findings by the books, and news for the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from untaken.campaign.books import Books
from untaken.interrupts import undisturbed
from untaken.model.path import ExitKind, Path
from untaken.model.program import ProgramMap
from untaken.search.attempts import Run
from untaken.search.coverage import NOTHING
from untaken.search.coverage_goals import CoverageGoals
from untaken.search.knowledge.failing_branches import FailingBranches
from untaken.search.view import SearchSettings, new_search
from untaken.search.world import BookedRun
from untaken.team.counts import TeamCounts
from untaken.team.messages import Report, SentRun, Tiding


@dataclass(slots=True)
class MergedRun:
    """What the run that is being merged printed: who confirms a finding asks for it."""

    printed: bytes = b""


class Merging:
    """`search` stands for what the workers know together."""

    def __init__(
        self, program: ProgramMap, goals: CoverageGoals, counts: TeamCounts, books: Books, merged: MergedRun
    ) -> None:
        self.search = new_search(program, Random(0), SearchSettings(goals))
        self.tidings: list[Tiding] = []  # of all tests that were kept, in order
        self._failing = FailingBranches(program.id_count)
        self._books = books
        self._merged = merged
        self._counts = counts
        self._finders: list[int] = []  # whose test each tiding is
        self._counted: dict[tuple[int, int], int] = {}  # iterations that the books know, by worker and life

    def runs(self, number: int, report: Report) -> Iterator[int]:
        """Merges one run after the other, and in the end what is left of the report; yields how many iterations each
        time stand for."""
        books = self._books
        for run in report.runs:
            with undisturbed():
                passed = self._count((number, report.life), run.iteration)
                self._merge(number, run)
            yield passed
        with undisturbed():
            for word in report.words:
                self._note_word(number, word)
            books.input_mattered = books.input_mattered or report.input_mattered
            for place, times in report.sightings.items():
                if place in books.sightings.triage.findings:
                    books.sightings.triage.findings[place].times += times
            passed = self._count((number, report.life), report.totals.iterations)
        yield passed

    def news(self, number: int, start: int, end: int) -> tuple[Tiding, ...]:
        """What others found, of the tests from one number to another."""
        return tuple(self.tidings[each] for each in range(start, end) if self._finders[each] != number)

    def add_obstacles(self) -> None:
        """In the end: what was in the way of branches."""
        for known in self._counts.obstacles():
            self._books.obstacles.add(known)

    def _count(self, worker: tuple[int, int], iteration: int) -> int:
        before = self._counted.get(worker, 0)
        passed = max(0, iteration - before)
        self._counted[worker] = before + passed
        self._books.iterations += passed
        return passed

    def _merge(self, number: int, sent: SentRun) -> None:
        path, coverage = sent.path(), self.search.coverage
        covered = coverage.count
        is_rejected = path.exit.kind is ExitKind.ASSUME  # no test, so it covers nothing
        new = NOTHING if is_rejected else coverage.add_run(path)
        cleared = self._failing.cleared(path, new)
        is_new = coverage.count > covered or len(new) > 0 or len(cleared) > 0
        self._merged.printed = sent.printed
        tests = self._books.tests
        attempt = None if sent.is_known else Run(sent.input)
        self._books.note_sent(BookedRun(path, new, is_new, attempt, cleared), self._books.iterations)
        if is_new and not sent.is_known:
            self._note_test(number, path)
            self._counts.records[number].tests += self._books.tests - tests

    def _note_word(self, number: int, word: bytes) -> None:
        texts = self.search.words.texts
        if word not in texts:
            texts[word] = None
            self.tidings.append(Tiding(b"", b"", word))
            self._finders.append(number)

    def _note_test(self, number: int, path: Path) -> None:
        self.tidings.append(Tiding.of(path))
        self._finders.append(number)
