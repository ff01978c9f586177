"""Where a campaign stands: counts over all its runs, and what displays show."""

from __future__ import annotations

from collections.abc import Callable

from untaken.campaign.books import Books
from untaken.campaign.clock import CampaignClock
from untaken.campaign.config import Config
from untaken.campaign.folder.rows import Totals
from untaken.campaign.summary import WorkerState
from untaken.campaign.watcher import Snapshot
from untaken.search.view import SearchView
from untaken.solve.statistics import Statistics

WorkerStates = Callable[[], tuple[WorkerState, ...]]


class Progress:
    """Counts a campaign from its parts: the books, the search, the solver, the clock."""

    def __init__(
        self, config: Config, books: Books, clock: CampaignClock, statistics: Statistics, workers: WorkerStates = tuple
    ) -> None:
        self._config = config
        self._books = books
        self._clock = clock
        self._statistics = statistics
        self.workers = workers

    @property
    def seconds(self) -> float:
        """How long the search of this run has taken."""
        return self._clock.seconds

    def totals(self, search: SearchView) -> Totals:
        """Over this run and all earlier ones."""
        tally, statistics = search.tally, self._statistics
        own = Totals(
            iterations=self._books.own_iterations,
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
        return self._books.earlier.totals.plus(own)

    def snapshot(self, search: SearchView) -> Snapshot:
        """Where the campaign stands now, for those who watch it."""
        config, books = self._config, self._books
        workers = self.workers()
        own = books.own_iterations
        seconds = max(self.seconds, 1e-6)
        return Snapshot(
            branches=search.coverage.branches,
            total=search.coverage.branch_total,
            reachable=search.coverage.reachable(),
            iterations=books.iterations,
            iterations_a_second=own / seconds,
            seconds=seconds,
            seconds_left=None if config.seconds is None else max(0.0, config.seconds - seconds),
            iterations_left=None if config.iterations is None else max(0, config.iterations - own),
            solver_share=search.tally.solve_seconds / seconds / max(1, len(workers)),
            queries=self._statistics.queries,
            tests=books.tests,
            findings=len(books.sightings.confirmed),
            divergences=search.tally.divergences,
            restarts=search.tally.restarts,
            since_new=books.iterations - books.pace.new_branch,
            strategy=config.strategy,
            workers=workers,
        )
