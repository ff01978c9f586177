"""Which runs of a worker are worth sending: what is new to it as a test, a finding or a failed assumption."""

from __future__ import annotations

from collections.abc import Callable

from untaken.campaign.findings.rejected import RejectedRuns
from untaken.campaign.findings.sightings import trouble_of
from untaken.model.path import ExitKind, Path
from untaken.search.world import BookedRun
from untaken.suite.findings import Triage, Trouble, length_of


class Sieve:
    """Told of every run of a worker."""

    def __init__(self, triage: Triage, printed: Callable[[], bytes] | None) -> None:
        """`printed`: what the last run printed, if that may be a sanitizer's report."""
        self._triage = triage
        self._printed = printed
        self._rejected = RejectedRuns(triage.program)
        self._times: dict[str, int] = {}  # by place of what went wrong
        self._shortest: dict[str, tuple[int, int]] = {}
        self._unsent: dict[str, int] = {}
        self._is_first = True

    def is_worth_sending(self, run: BookedRun, iteration: int) -> bool:
        """A program for which nothing is new has one test all the same: the first run is sent."""
        first, self._is_first = self._is_first, False
        trouble = trouble_of(run.path, self._triage, self._printed)
        went_wrong = trouble is not None and self._is_news(trouble, run.path, is_sent=run.is_new or first)
        rejected = run.path.exit.kind is ExitKind.ASSUME and self._rejected.note(run.path, iteration)
        return run.is_new or first or went_wrong or rejected

    def take_unsent(self) -> dict[str, int]:
        """How often each place was seen in runs that were not sent, since this was asked last."""
        unsent, self._unsent = self._unsent, {}
        return unsent

    def _is_news(self, trouble: Trouble, path: Path, *, is_sent: bool) -> bool:
        """The 1st, 2nd, 4th, 8th time at a place, as the owner may try it again then; and whenever it is shorter."""
        place = self._triage.place(trouble, path)
        times = self._times[place] = self._times.get(place, 0) + 1
        shorter = place not in self._shortest or length_of(path) < self._shortest[place]
        if shorter:
            self._shortest[place] = length_of(path)
        if shorter or is_sent or times & (times - 1) == 0:
            return True
        self._unsent[place] = self._unsent.get(place, 0) + 1
        return False
