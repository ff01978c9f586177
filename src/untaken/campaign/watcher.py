"""Who is shown a campaign while it runs. The displays are in report/; this is what they are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from untaken.campaign.summary import Summary, WorkerState
from untaken.search.world import BookedRun
from untaken.suite.findings import Finding


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a campaign stands, as displays show it."""

    branches: int
    total: int
    reachable: int
    iterations: int
    iterations_a_second: float
    seconds: float  # of this run
    seconds_left: float | None
    iterations_left: int | None
    solver_share: float  # of the time
    queries: int
    tests: int
    findings: int
    divergences: int
    restarts: int
    since_new: int  # iterations since the last new branch
    strategy: str
    workers: tuple[WorkerState, ...] = ()  # where there are several


class Watcher:
    """Is told what happens; override what is of interest."""

    def begin(self, title: str, look: Callable[[], Snapshot]) -> None:
        """The search begins; `look` may be called at any time until `end`."""

    def tick(self, runs: int = 1) -> None:
        """After each run of the program, or after so many: must be quick."""

    def ran(self, run: BookedRun) -> None:
        """A run of the program in this process, with its path: must be quick. Workers tell theirs by `tick` alone."""

    def note(self, text: str) -> None:
        """Something that the user should know."""

    def found(self, finding: Finding) -> None:
        """A new finding was written down."""

    def summarised(self, summary: Summary) -> None:
        """Every few seconds: what the campaign has come to so far."""

    def has_seen_enough(self) -> bool:
        """Asked after each run: whether the campaign is to end, since the watcher has what it waited for."""
        return False

    def end(self) -> None:
        """The search is over; the display may be closed."""
