"""Puts a campaign's summary together, at its end and while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from untaken.build.objects.shared_objects import is_instrumented
from untaken.campaign.books import Books
from untaken.campaign.machinery.machinery import Assignment, Machinery
from untaken.campaign.progress import Progress
from untaken.campaign.solver_costs import SolverCosts
from untaken.campaign.summary import (
    SUMMARY,
    EarlyExit,
    GoalCoverage,
    Library,
    NotFollowed,
    SinceNew,
    Summary,
    coverage_by_function,
    frontier,
)
from untaken.search.budget import Ending
from untaken.search.doubts import in_order
from untaken.search.view import SearchView
from untaken.suite.corpus import write_json
from untaken.suite.independence.report import DecisionReport

SUMMARY_SECONDS = 2.0  # between two summaries of a campaign under way, at least
SUMMARY_SHARE = 0.02  # of the time that they may take, at most


class Summariser:
    """Says what came of a campaign so far, and writes it down now and then: all that one leaves that is killed."""

    def __init__(
        self,
        assignment: Assignment,
        books: Books,
        progress: Progress,
        limits: Callable[[], NotFollowed],
        pruned: Callable[[], Mapping[str, int]],
        costs: SolverCosts,
    ) -> None:
        """`limits`: what those who run the program could not follow; `pruned`: the flips that each rule skipped."""
        self._assignment = assignment
        self._books = books
        self._progress = progress
        self._limits = limits
        self._pruned = pruned
        self._costs = costs
        self._next = 0.0  # the time from which on another one may be written

    def write_if_due(self, search: SearchView) -> Summary | None:
        """Renews summary.json now and then while the campaign runs; what was written."""
        begun = time.monotonic()
        if begun >= self._next:
            self._books.note_obstacles()
            summary = self.summary(search, Ending.RUNNING)
            self._books.note_totals(summary.totals)  # a later run goes on from no less than was shown
            self.write(summary)
            took = time.monotonic() - begun
            self._next = begun + max(SUMMARY_SECONDS, took / SUMMARY_SHARE)
            return summary
        return None

    def write(self, summary: Summary) -> None:
        """Writes the summary as summary.json into the output folder."""
        write_json(self._assignment.config.out / SUMMARY, summary.as_json())

    def summary(self, search: SearchView, ending: Ending, early_exit: EarlyExit | None = None) -> Summary:
        """Of what was done so far."""
        config, program = self._assignment.config, self._assignment.target.map
        books, tally = self._books, search.tally
        coverage = search.coverage.joined(books.passed_before())
        return Summary(
            program=str(self._assignment.target.program),
            out=config.out,
            strategy=config.strategy,
            seed=config.seed,
            ended_by=ending.value,
            exhausted=ending is Ending.EXHAUSTED,
            interrupted=ending is Ending.STOPPED,
            totals=self._progress.totals(search),
            run_seconds=self._progress.seconds,
            run_iterations=books.own_iterations,
            tests=books.tests,
            failing_tests=books.failing_tests,
            covered=coverage.branches,
            total=coverage.branch_total,
            goal=GoalCoverage(config.goal, config.only_in, coverage.count, coverage.total),
            reachable=coverage.reachable(),
            functions=coverage_by_function(program, coverage),
            has_arguments=bool(config.arguments),
            has_sources=bool(config.sources),
            frontier=frontier(program, coverage, books.obstacles, config.only_in),
            findings=books.sightings.confirmed,
            unconfirmed=books.sightings.unconfirmed,
            limits=replace(self._limits(), cut_off=dict(sorted(books.cut_off.items()))),
            input_mattered=books.input_mattered,
            early_exit=early_exit,
            doubts=in_order(tally.doubts | tally.all_doubts),
            tried_all=tally.tried_all,
            pruned=dict(sorted(self._pruned().items())),
            costly_lines=self._costs.lines(program),
            since_new=SinceNew(books.iterations - books.pace.new_branch, books.seconds - books.pace.new_branch_seconds),
            workers=self._progress.workers(),
            independence=self._independence(ending),
        )

    def _independence(self, ending: Ending) -> tuple[DecisionReport, ...] | None:
        """None: it is not the goal."""
        books = self._books
        if books.evaluations is None:
            return None
        return books.evaluations.reports(
            lambda branch: f" ({books.obstacles.of(branch).value})", exhausted=ending is Ending.EXHAUSTED
        )


def not_followed(parts: Machinery, program: Path) -> NotFollowed:
    """What could not be followed in this process; what was cut off is in the books."""
    session = parts.session
    return NotFollowed(
        cut_off={},
        renewals=parts.executor.renewals,
        pins=session.counters.pins,
        concretised={name: count for name, count in session.counters.concretised.items() if count},
        externals=dict(sorted(session.externals.items())),
        notes=session.notes,
        server_restarts=session.counters.restarts,
        damaged=session.counters.damaged,
        uninstrumented=tuple(Library(str(path), beside(path, program)) for path in session.uninstrumented),
    )


def beside(library: Path, program: Path) -> str:
    """The folder of the program, if an instrumented library of that name lies there; else nothing."""
    folder = program.resolve().parent
    found = folder / library.name
    return str(folder) if found != library and found.is_file() and is_instrumented(found) else ""
