"""A whole tuning: a program, a method, a folder that keeps every campaign, and the heuristic that comes of it.

What a tuning asks follows from its seed and from the answers. So to go on after an interruption is to begin again: all
that was answered is read from the folder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from untaken import __version__
from untaken.campaign.config import Config
from untaken.errors import CampaignError
from untaken.execute.target import Target
from untaken.learn.campaigns import Campaigns
from untaken.learn.ledger import Ledger, Round, Stage
from untaken.learn.methods.fast import fast
from untaken.learn.methods.paper import paper
from untaken.learn.methods.random_samples import random_samples
from untaken.search.heuristics.features.table import NAMES, VERSION
from untaken.search.heuristics.heuristic import Figures, Heuristic
from untaken.search.heuristics.heuristic_files import write_heuristic
from untaken.trials.plan import conditions
from untaken.trials.pool import open_pool
from untaken.trials.run_missing import prepare
from untaken.trials.trial import Trial

Method = Callable[[Ledger, Random, int], Round]
STRATEGY = "parametric"  # what is tuned, if nothing else is asked for
METHODS: dict[str, Method] = {"fast": fast, "paper": paper, "random": random_samples}


@dataclass(frozen=True, slots=True)
class Tuning:
    """What `untaken tune` was asked to do. `config.seed` is the one that all others come from."""

    config: Config
    method: str
    samples: int
    jobs: int
    out: Path
    ray: str | None = None

    @property
    def folder(self) -> Path:
        """Where the campaigns of a tuning are kept, so that it can go on."""
        return self.out.with_name(f"{self.out.name}.tuning")


class Watch:
    """Is told how it goes; override what is of interest."""

    def stage(self, stage: Stage) -> None:
        """So many executions come next."""

    def campaign(self, trial: Trial) -> None:
        """One campaign of a stage is done."""

    def round(self, ended: Round) -> None:
        """Better weights may have been found."""


def tune(tuning: Tuning, target: Target, watch: Watch) -> Heuristic:
    """Learns, and writes the heuristic."""
    about = conditions(tuning.config, target) | {"method": tuning.method, "samples": tuning.samples}
    if tuning.config.strategy != STRATEGY:
        about["strategy"] = tuning.config.strategy
    prepare(tuning.folder, about, "tuning")
    with open_pool(target, tuning.jobs, tuning.ray) as pool:
        campaigns = Campaigns(tuning.config, pool, tuning.folder, watch.campaign)
        ledger = Ledger(campaigns, watch.stage, watch.round)
        best = METHODS[tuning.method](ledger, Random(tuning.config.seed), tuning.samples)
    found = heuristic(tuning, target, ledger, best)
    try:
        write_heuristic(tuning.out, found)
    except OSError as error:
        raise CampaignError(f"cannot write {tuning.out}: {error.strerror}; choose another --out") from error
    return found


def heuristic(tuning: Tuning, target: Target, ledger: Ledger, best: Round) -> Heuristic:
    """The weights with their story."""
    return Heuristic(
        weights=dict(zip(NAMES, best.weights, strict=True)),
        features_version=VERSION,
        program=target.title,
        branches=len(target.map.branches),
        digest=target.digest,
        untaken=__version__,
        figures=Figures(
            checked_average=best.average,
            trials=best.trials,
            iterations=ledger.objective.executions,
            method=tuning.method,
            executions=ledger.executions,
            seed=tuning.config.seed,
        ),
        rounds=tuple(described(each) for each in ledger.rounds),
    )


def described(ended: Round) -> dict[str, Any]:
    return {
        "executions": ended.executions,
        "average": ended.average,
        "trials": ended.trials,
        "weights": list(ended.weights),
    }
