"""What the workers of a campaign come to together: counts, what could not be followed, where each stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from untaken.campaign.books import Books
from untaken.campaign.folder.rows import Totals
from untaken.campaign.summary import NotFollowed, WorkerState
from untaken.search.attempts import Verdict
from untaken.search.tally import Tally
from untaken.solve.statistics import Statistics
from untaken.team.messages import Knowledge, Report

NOTHING = NotFollowed({}, 0, 0, {}, {}, (), 0, 0, ())


@dataclass(slots=True)
class WorkerRecord:
    """Of the workers of one number, one after the other."""

    totals: Totals = field(default_factory=Totals)  # of the present one
    past: Totals = field(default_factory=Totals)  # of those that were lost
    covered: int = 0
    tests: int = 0
    life: int = 0
    fruitless: int = 0  # lives in a row that were lost before they had run anything
    told: int = 0  # tests that it knows of
    waits: bool = False  # for news
    is_done: bool = False
    state: str = "starting"
    has_left: bool = True  # or was not started

    @property
    def iterations(self) -> int:
        return self.past.iterations + self.totals.iterations

    def note(self, report: Report) -> None:
        self.totals, self.covered, self.is_done = report.totals, report.covered, report.is_done
        self.waits = True
        self.state = "at work" if report.ending is None else report.ending.value
        self.has_left = report.ending is not None

    def begin(self, told: int) -> None:
        """The next one is started, and knows so many tests."""
        self.told, self.has_left, self.state = told, False, "starting"

    def lose(self) -> None:
        """The present one is gone."""
        self.fruitless = 0 if self.totals.iterations else self.fruitless + 1
        self.past = self.past.plus(self.totals)
        self.totals = Totals()
        self.waits = False
        self.life += 1


class TeamCounts:
    """Sums over all workers, those that were lost included."""

    def __init__(self, workers: int) -> None:
        self.records = [WorkerRecord() for _ in range(workers)]
        self.statistics = Statistics()
        self._knowledge: dict[tuple[int, int], Knowledge] = {}  # by number and life

    @property
    def iterations(self) -> int:
        return sum(record.iterations for record in self.records)

    def note(self, number: int, report: Report) -> None:
        """Takes what a worker reported into the sums."""
        record = self.records[number]
        record.note(report)
        if report.knowledge is not None:
            self._knowledge[number, record.life] = report.knowledge

    def bring_up_to_date(self, tally: Tally, books: Books) -> None:
        """For the summary and the display."""
        totals = Totals()
        for record in self.records:
            totals = totals.plus(record.past).plus(record.totals)
        statistics = self.statistics
        statistics.queries, statistics.sat, statistics.unsat = totals.queries, totals.sat, totals.unsat
        statistics.unknown = totals.unknown
        tally.run_seconds, tally.solve_seconds, tally.restarts = (
            totals.run_seconds,
            totals.solver_seconds,
            totals.restarts,
        )
        tally.verdicts[Verdict.DIVERGED] = totals.divergences
        known = self._knowledge.values()
        tally.all_doubts = {doubt for each in known for doubt in each.doubts}
        tally.tried_all = any(each.tried_all for each in known)
        books.cut_off = _summed(each.cut_off for each in known)

    def obstacles(self) -> list[Mapping[str, object]]:
        """As each worker met them."""
        return [each.obstacles for each in self._knowledge.values()]

    def limits(self) -> NotFollowed:
        """What no worker could follow, over all of them."""
        all_limits = [each.limits for each in self._knowledge.values()]
        return NotFollowed(
            cut_off={},
            renewals=sum(each.renewals for each in all_limits),
            pins=sum(each.pins for each in all_limits),
            concretised=dict(_summed(each.concretised for each in all_limits)),
            externals=dict(sorted(_summed(each.externals for each in all_limits).items())),
            notes=tuple(dict.fromkeys(note for each in all_limits for note in each.notes)),
            server_restarts=sum(each.server_restarts for each in all_limits),
            damaged=sum(each.damaged for each in all_limits),
            uninstrumented=next((each.uninstrumented for each in all_limits if each.uninstrumented), ()),
        )

    def pruned(self) -> dict[str, int]:
        return dict(_summed(each.pruned for each in self._knowledge.values()))

    def endless_inputs(self) -> int:
        """The highest limit that a worker came to."""
        return max((each.endless_inputs for each in self._knowledge.values()), default=0)

    def states(self) -> tuple[WorkerState, ...]:
        """How far each worker is, for the display."""
        return tuple(
            WorkerState(
                number=number + 1,
                iterations=each.iterations,
                iterations_a_second=each.totals.iterations / max(each.totals.seconds, 1e-6),
                branches=each.covered,
                tests=each.tests,
                state=each.state,
                replaced=each.life,
            )
            for number, each in enumerate(self.records)
        )


def _summed(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return total
