"""One trial: a campaign without a display in a folder of its own, and what is kept of it, as a JSON file."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from untaken.atomic_files import replace_file
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.folder.store import Store
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.errors import CampaignError
from untaken.execute.target import Target
from untaken.suite.records import read_record
from untaken.trials.plan import Job, TrialId


class Growth(NamedTuple):
    """A run that covered something first; also the last moment of a trial."""

    iteration: int
    seconds: float
    branches: int  # covered by then


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one campaign."""

    strategy: str
    number: int
    seed: int
    iterations: int
    seconds: float
    ended_by: str
    total: int  # branches of the program
    covered: tuple[int, ...]  # branch ids
    functions: dict[str, int]  # those that were entered, by place: how many branches they have
    growth: tuple[Growth, ...]
    queries: int
    solver_seconds: float
    divergences: int
    findings: int

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "growth": [list(step) for step in self.growth]}


def run_trial(job: Job, target: Target) -> None:
    """Runs it and writes its file; one that is interrupted leaves nothing."""
    with tempfile.TemporaryDirectory(prefix="untaken-trial-") as folder:
        config = replace(job.config, out=Path(folder))
        summary = run_campaign(config, target, Watcher())
        if not summary.interrupted:
            write_trial(job.place, outcome(job.trial, config, summary))


def outcome(trial: TrialId, config: Config, summary: Summary) -> Trial:
    """What is kept, from the campaign's own books."""
    covered, growth = booked(config.out)
    return Trial(
        strategy=trial.strategy,
        number=trial.number,
        seed=trial.seed,
        iterations=summary.totals.iterations,
        seconds=round(summary.totals.seconds, 3),
        ended_by=summary.ended_by,
        total=summary.total,
        covered=covered,
        functions={f"{each.file}:{each.line}:{each.name}": each.total for each in summary.functions if each.entered},
        growth=growth,
        queries=summary.totals.queries,
        solver_seconds=round(summary.totals.solver_seconds, 3),
        divergences=summary.totals.divergences,
        findings=len(summary.findings),
    )


def booked(folder: Path) -> tuple[tuple[int, ...], tuple[Growth, ...]]:
    """The branches that the tests of a campaign cover, and its timeline."""
    store = Store(folder)
    try:
        return tuple(sorted(store.covered())), tuple(Growth(*row) for row in store.timeline())
    finally:
        store.close()


def write_trial(place: Path, trial: Trial) -> None:
    """Whole or not at all: a file that is there is a finished trial."""
    try:
        replace_file(place, json.dumps(trial.as_json()).encode())
    except OSError as error:
        raise CampaignError(f"cannot write {place}: {error.strerror}; choose another --out") from error


def read_trial(place: Path) -> Trial:
    """Reads what a finished trial left."""
    return read_record(place, Trial, "delete it, and the trial is run again")
