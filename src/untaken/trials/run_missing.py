"""Runs the trials of a plan that are missing in its folder, and gives all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from untaken.errors import CampaignError
from untaken.execute.target import Target
from untaken.json_records import DamagedRecord, decoded
from untaken.suite.corpus import write_json
from untaken.trials.plan import TRIALS, Plan, TrialId
from untaken.trials.pool import open_pool
from untaken.trials.trial import Trial, read_trial

CONDITIONS = "conditions.json"

Told = Callable[[TrialId, Trial], None]  # after each trial
Display = Callable[[int, int], Told]  # of so many trials that are done already, and so many to be run


def run_plan(plan: Plan, target: Target, display: Display) -> list[Trial]:
    """All trials, in the plan's order; those that an earlier call finished are only read."""
    prepare(plan.out, plan.conditions(target), "comparison")
    jobs = [plan.job(trial) for trial in plan]
    missing = [job for job in jobs if not job.done]
    told = display(len(jobs) - len(missing), len(missing))
    if missing:
        with open_pool(target, plan.jobs, plan.ray) as pool:
            for job in pool.run(missing):
                told(job.trial, read_trial(job.place))
    return [read_trial(job.place) for job in jobs]


def prepare(folder: Path, now: dict[str, Any], what: str) -> None:
    """Makes the folder, and sure that what it holds already was made under the same conditions."""
    place = folder / CONDITIONS
    try:
        (folder / TRIALS).mkdir(parents=True, exist_ok=True)
        known = decoded(place.read_bytes(), dict[str, Any]) if place.exists() else now
    except OSError as error:
        raise CampaignError(f"cannot use {folder}: {error.strerror}; choose another --out") from error
    except DamagedRecord as error:
        raise CampaignError(f"{place} cannot be read ({error}): choose another --out") from error
    changed = [name for name in {**now, **known} if known.get(name) != now.get(name)]
    if changed:
        raise CampaignError(
            f"{folder} holds a {what} with another {changed[0]}: choose another --out, or delete the folder"
        )
    write_json(place, now)
