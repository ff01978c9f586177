"""In which order reports of workers are merged, and when each of them hears what came of it.

By count: after every so many iterations each worker reports. The owner merges a round when all reports of it are
there, in order of the workers, and a worker that has reported round R goes on as soon as round R - 1 is merged, with
the news up to there: it waits only for those that are more than a round behind. So everything depends on counts, and
the same seed, jobs and iterations give the same tests.

By time: reports are merged as they come, and news is told as soon as there is some.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from untaken.team.messages import Report


class ReportOrder(Protocol):
    """What both orders, by count and by time, have in common."""

    def arrived(self, number: int, report: Report) -> None:
        """A worker has sent this report."""
        ...

    def left(self, number: int) -> None:
        """It will not report any more."""
        ...

    def next(self) -> tuple[int, Report] | None:
        """The report that is to be merged now, if there is one."""
        ...

    def merged(self, tests: int) -> None:
        """The last one that was given is merged; so many tests are known now."""
        ...

    def may_hear(self, number: int) -> int | None:
        """How many of the known tests a worker that waits may hear of now; None: nothing yet."""
        ...

    def rest(self) -> list[tuple[int, Report]]:
        """What was not merged, once all is over."""
        ...

    @property
    def waits_for_answers(self) -> bool:
        """Whether a worker goes on only when it is told something, and be it that there is nothing new."""
        ...


class ByTime:
    """As they come; but first of all what became of the tests that were there, for which the first worker stands."""

    waits_for_answers = False

    def __init__(self, *, known: bool) -> None:
        self._first: deque[tuple[int, Report]] = deque()
        self._waiting: deque[tuple[int, Report]] = deque()
        self._is_held = known
        self._tests = 0

    def arrived(self, number: int, report: Report) -> None:
        if self._is_held and number == 0:
            self._first.append((number, report))
            self._is_held = not report.has_run_known
        else:
            self._waiting.append((number, report))

    def left(self, number: int) -> None:
        self._is_held = self._is_held and number != 0

    def next(self) -> tuple[int, Report] | None:
        if self._first:
            return self._first.popleft()
        return self._waiting.popleft() if self._waiting and not self._is_held else None

    def merged(self, tests: int) -> None:
        self._tests = tests

    def may_hear(self, number: int) -> int | None:
        return self._tests

    def rest(self) -> list[tuple[int, Report]]:
        return [*self._first, *self._waiting]


class ByCount:
    """Merges round by round, so that the same seed gives the same tests."""

    waits_for_answers = True

    def __init__(self, workers: int) -> None:
        self._reports: dict[int, deque[Report]] = {number: deque() for number in range(workers)}
        self._reported = dict.fromkeys(range(workers), 0)  # rounds
        self._gone: set[int] = set()
        self._round: deque[tuple[int, Report]] = deque()  # being merged
        self._known = [0]  # tests after each round that was merged

    def arrived(self, number: int, report: Report) -> None:
        if report.ends_round or report.ending is not None:
            self._reports[number].append(report)
            self._reported[number] += 1

    def left(self, number: int) -> None:
        self._gone.add(number)

    def next(self) -> tuple[int, Report] | None:
        if not self._round:
            if any(not reports and number not in self._gone for number, reports in self._reports.items()):
                return None
            self._round.extend((number, reports.popleft()) for number, reports in self._reports.items() if reports)
        return self._round.popleft() if self._round else None

    def merged(self, tests: int) -> None:
        if not self._round:
            self._known.append(tests)

    def may_hear(self, number: int) -> int | None:
        before = self._reported[number] - 1
        return self._known[before] if before < len(self._known) else None

    def rest(self) -> list[tuple[int, Report]]:
        late = [(number, report) for number, reports in self._reports.items() for report in reports]
        return [*self._round, *late]
