"""What each worker is started with: its share of budget and seeds, and what is known by then."""

from __future__ import annotations

from collections.abc import Sequence

from untaken.campaign.folder.resume import Earlier
from untaken.campaign.machinery.machinery import Assignment
from untaken.team.counts import WorkerRecord
from untaken.team.messages import Orders, Tiding

LEAST_PULSE = 0.2  # seconds
NEWS_A_WORKER = 0.005  # seconds, where there are few: each would soon find what another found at the beginning
NEWS_SHARE = 0.25  # of a pulse, at most
PULSE_A_WORKER = 0.002  # seconds: the owner spends a thirtieth of its time on reports that say nothing new
ROUND = 100  # iterations of each worker between two exchanges, where these are counted


class Hiring:
    """Shares out a campaign's work."""

    def __init__(self, assignment: Assignment, earlier: Earlier, seeds: Sequence[bytes], workers: int) -> None:
        self._assignment = assignment
        self._earlier = earlier
        self._seeds = seeds
        self._workers = workers

    def orders(self, number: int, record: WorkerRecord, tidings: Sequence[Tiding], seconds: float | None) -> Orders:
        """For the next worker of that number; `seconds` are what is left."""
        config, earlier = self._assignment.config, self._earlier
        share = self._share(number)
        return Orders(
            number=number,
            life=record.life,
            config=config,
            target=self._assignment.target,
            known=tuple(dict.fromkeys([*earlier.inputs, *(tiding.input for tiding in tidings if not tiding.word)])),
            words=tuple(tiding.word for tiding in tidings if tiding.word),
            reports_known=number == 0 and bool(earlier.inputs),
            seeds=tuple(self._seeds[number :: self._workers]) if record.life == 0 else (),
            goes_on=earlier.totals.iterations,
            iterations=None if share is None else max(0, share - record.past.iterations),
            round_length=None if share is None else ROUND,
            seconds=seconds,
            pulse_seconds=pulse_seconds(self._workers),
            news_seconds=news_seconds(self._workers),
            ended=earlier.ended,
            endless_inputs=earlier.endless_inputs,
        )

    def _share(self, number: int) -> int | None:
        """The first workers have one more where the budget cannot be shared evenly."""
        total = self._assignment.config.iterations
        if total is None:
            return None
        each, more = divmod(total, self._workers)
        return each + (number < more)


def pulse_seconds(workers: int) -> float:
    """How often each of so many workers reports: docs/measurements/scaling.md says why."""
    return max(LEAST_PULSE, PULSE_A_WORKER * workers)


def news_seconds(workers: int) -> float:
    """How often each of so many workers may tell what it found, and looks for what others did."""
    return min(NEWS_A_WORKER * workers, NEWS_SHARE * pulse_seconds(workers))
