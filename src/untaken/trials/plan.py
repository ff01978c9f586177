"""What is to be compared: which trials there are, with what seed each, and where each one's result lies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from untaken.campaign.config import PARTICULAR, Config, has_use_for, options
from untaken.errors import UsageError
from untaken.execute.target import Target
from untaken.search.registry import strategy

TRIALS = "trials"
ABOUT_INPUTS = ("inputs", "saturation", "inputs_per_search", "range", "values", "printable")


@dataclass(frozen=True, slots=True)
class TrialId:
    """One campaign of one strategy."""

    strategy: str  # with its options
    number: int  # from 1
    seed: int

    @property
    def file_name(self) -> str:
        return f"{quote(self.strategy, safe=':=')}.{self.number}.json"


@dataclass(frozen=True, slots=True)
class Job:
    """A campaign to be run: what it is called, its settings but for the folder, and where its result goes."""

    trial: TrialId
    config: Config
    place: Path

    @property
    def done(self) -> bool:
        return self.place.exists()


@dataclass(frozen=True, slots=True)
class Plan:
    """A comparison. `config` is what all campaigns have in common; its seed is the one that all others come from."""

    config: Config
    strategies: tuple[str, ...]
    trials: int
    jobs: int
    ray: str | None = None  # the address of a cluster, to be used instead of this machine

    def __iter__(self) -> Iterator[TrialId]:
        """Trial by trial, so that an interrupted comparison has about as many of each strategy."""
        for number in range(1, self.trials + 1):
            for name in self.strategies:
                yield TrialId(name, number, derived_seed(self.config.seed, name, number))

    @property
    def out(self) -> Path:
        return self.config.out

    def place(self, trial: TrialId) -> Path:
        """Where its result lies once it is done."""
        return self.out / TRIALS / trial.file_name

    def job(self, trial: TrialId) -> Job:
        """Its campaign, which ends when all is covered: nothing more can be compared then."""
        config = replace(self.config.fitted(trial.strategy), seed=trial.seed, after_coverage=0)
        return Job(trial, config, self.place(trial))

    def check(self) -> None:
        """What can be said to be wrong before anything is built."""
        if len(set(self.strategies)) < len(self.strategies):
            raise UsageError("--strategies names the same strategy twice")
        for name in self.strategies:
            strategy(name)
        first = self.config.fitted(self.strategies[0])
        for setting, value in self.config.given_of(PARTICULAR).items():
            if not any(has_use_for(name, setting) for name in self.strategies):
                replace(first, **{setting: value}).check()
        for trial in self:
            self.job(trial).config.check()

    def conditions(self, target: Target) -> dict[str, Any]:
        """What must be the same for all trials in a folder; only trials and strategies may be added."""
        return conditions(self.config, target)


def conditions(config: Config, target: Target) -> dict[str, Any]:
    """What campaigns must have in common to be compared."""
    return {
        "program": target.digest,
        "prune": config.prune,
        "max_path": config.max_path,
        "goal": config.goal.value,
        "iterations": config.iterations,
        "time": config.time,
        "seed": config.seed,
        "arguments": list(config.arguments),
        "inputs": [f"{source.kind.name.lower()} {source.name}={source.size}" for source in config.sources],
        "seeds": None if config.seeds is None else str(config.seeds),
        "timeout": config.timeout,
        "memory": config.memory,
        "heuristic": None if config.heuristic is None else list(config.heuristic.vector),
        **{options()[name][0].flag: str(value) for name, value in config.given_of((*ABOUT_INPUTS, "solver")).items()},
    }


def derived_seed(base: int, name: str, number: int) -> int:
    """A seed for each trial that depends on nothing but these three."""
    digest = hashlib.sha256(f"{base}/{name}/{number}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


def read_strategies(text: str) -> tuple[str, ...]:
    """Reads --strategies: names with commas between them, A,B:OPTION=VALUE,C."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise UsageError(f"--strategies wants names with commas between them, such as cfg,dfs:depth=12, not {text!r}")
    return names
