"""Where a campaign stands, seen from outside: from what it writes into its folder while it runs."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untaken.campaign.folder.store import LOCK
from untaken.campaign.summary import SUMMARY, SinceNew
from untaken.errors import CampaignError
from untaken.report.words import clock, count
from untaken.suite.corpus import Recipe
from untaken.suite.records import read_record

LOCKS = Path("/proc/locks")


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """One of the workers, as summary.json has it."""

    number: int
    state: str
    iterations: int
    iterations_a_second: float
    tests: int
    replaced: int


@dataclass(frozen=True, slots=True)
class StatusRecord:
    """summary.json, as far as it is of interest here."""

    program: str
    strategy: str
    ended_by: str
    branches_covered: int
    branches_total: int
    branches_reachable: int
    iterations: int
    seconds: float
    tests: int
    crashes: tuple[dict[str, Any], ...]
    run_iterations: int = 0
    run_seconds: float = 0.0
    since_new: SinceNew = SinceNew(0, 0.0)
    workers: tuple[WorkerRow, ...] = ()


@dataclass(frozen=True, slots=True)
class CampaignStatus:
    """What is known of a campaign from outside; `known` is None as long as it has written no figures."""

    folder: Path
    is_running: bool
    known: StatusRecord | None
    age: float  # seconds since the figures were written

    def as_json(self) -> dict[str, Any]:
        known = self.known
        found: dict[str, Any] = {"folder": str(self.folder), "running": self.is_running, "state": self.state}
        if known is None:
            return found
        return found | {
            "program": known.program,
            "strategy": known.strategy,
            "branches_covered": known.branches_covered,
            "branches_total": known.branches_total,
            "branches_reachable": known.branches_reachable,
            "iterations": known.iterations,
            "seconds": known.seconds,
            "iterations_a_second": round(self.rate, 3),
            "tests": known.tests,
            "findings": len(known.crashes),
            "last_find_seconds_ago": round(self.since_find, 3),
            "figures_seconds_ago": round(self.age, 3),
            "workers": [
                {
                    "number": each.number,
                    "state": each.state,
                    "iterations": each.iterations,
                    "iterations_a_second": each.iterations_a_second,
                    "tests": each.tests,
                    "replaced": each.replaced,
                }
                for each in known.workers
            ],
        }

    @property
    def state(self) -> str:
        """Running, killed, or what ended it."""
        if self.is_running:
            return "running"
        if self.known is None:
            return "not begun"
        return "killed" if self.known.ended_by == "running" else self.known.ended_by

    @property
    def rate(self) -> float:
        """Iterations a second, of the run that wrote the figures."""
        return 0.0 if self.known is None else self.known.run_iterations / max(self.known.run_seconds, 1e-6)

    @property
    def since_find(self) -> float:
        """Seconds of searching since the last new branch."""
        if self.known is None:
            return 0.0
        return self.known.since_new.seconds + (self.age if self.is_running else 0.0)

    def lines(self) -> list[str]:
        """The same for a person, a line for each matter."""
        known = self.known
        if known is None:
            return [f"{self.folder}: {self.state}, no figures yet"]
        first = f"{self.folder}: {self.state}, {clock(known.seconds)} with {known.strategy}"
        stale = f" (figures of {self.age:,.0f} s ago)" if self.is_running and self.age > 10 else ""
        return [
            first + stale,
            f"{known.branches_covered} of {known.branches_total} branches covered, "
            f"{known.branches_reachable} in functions that were reached; the last new one "
            f"{clock(self.since_find)} ago",
            f"{count(known.iterations, 'iteration')}, {self.rate:,.0f} a second; {count(known.tests, 'test')}, "
            f"{count(len(known.crashes), 'finding')}",
            *(self._worker_line(each) for each in known.workers),
        ]

    def _worker_line(self, each: WorkerRow) -> str:
        replaced = f", replaced {count(each.replaced, 'time')}" if each.replaced else ""
        numbers = f"{count(each.iterations, 'iteration')}, {each.iterations_a_second:,.0f} a second"
        return f"  worker {each.number}  {each.state}: {numbers}, {count(each.tests, 'test')}{replaced}"


def status_of(folder: Path) -> CampaignStatus:
    """CampaignError if there is no campaign."""
    Recipe.read(folder)
    summary = folder / SUMMARY
    running = is_locked(folder / LOCK)
    if not summary.exists():
        return CampaignStatus(folder, running, None, 0.0)
    known = read_record(summary, StatusRecord, "the same `untaken run` renews it")
    try:
        age = max(0.0, time.time() - summary.stat().st_mtime)
    except OSError as error:
        raise CampaignError(f"{summary} cannot be read ({error.strerror})") from None
    return CampaignStatus(folder, running, known, age)


def is_locked(lock: Path) -> bool:
    """Whether a campaign of this machine works in a folder. Asked of the kernel: to try the lock would disturb one that
    is about to begin."""
    try:
        inode = os.stat(lock).st_ino
        rows = [line.split() for line in LOCKS.read_text().splitlines()]
    except OSError:
        return False
    return any("FLOCK" in row and any(part.endswith(f":{inode}") for part in row) for row in rows)
