"""What is to be compared: which trials there are, with what seed each, and where each one's result lies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from untaken.campaign.config import Config
from untaken.campaign.target import Target
from untaken.errors import UsageError
from untaken.search.registry import strategy

TRIALS = "trials"


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
class Plan:
    """A comparison. `config` is what all campaigns have in common; its seed is the one that all others come from."""

    config: Config
    strategies: tuple[str, ...]
    trials: int
    jobs: int

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

    def trial_config(self, trial: TrialId, folder: Path) -> Config:
        """The settings of its campaign, which ends when all is covered: nothing more can be compared then."""
        return replace(self.config, strategy=trial.strategy, seed=trial.seed, out=folder, after_coverage=0)

    def check(self) -> None:
        """What can be said to be wrong before anything is built."""
        if len(set(self.strategies)) < len(self.strategies):
            raise UsageError("--strategies names the same strategy twice")
        for name in self.strategies:
            strategy(name)
            replace(self.config, strategy=name).check()

    def conditions(self, target: Target) -> dict[str, Any]:
        """What must be the same for all trials in a folder; only trials and strategies may be added."""
        config = self.config
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
        }


def derived_seed(base: int, name: str, number: int) -> int:
    """A seed for each trial that depends on nothing but these three."""
    digest = hashlib.sha256(f"{base}/{name}/{number}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


def read_strategies(text: str) -> tuple[str, ...]:
    """A,B:OPTION=VALUE,C."""
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise UsageError(f"--strategies wants names with commas between them, such as cfg,dfs:depth=12, not {text!r}")
    return names
