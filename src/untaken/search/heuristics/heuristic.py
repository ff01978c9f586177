"""A learned heuristic: one weight for each feature, with where it comes from, as a small JSON file.

Below the features themselves, which need a search to look at: what a heuristic is made for is known by name only, and
is checked against the features of this version by `search/heuristics/heuristic_files.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from untaken.errors import UsageError
from untaken.json_records import DamagedRecord, decoded

FORMAT = 1
LARGEST = 10.0  # weights lie between this and its negative
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Figures:
    """How good it proved to be on its program, and what that cost."""

    checked_average: float  # branches covered, mean over the trials
    trials: int
    iterations: int  # of each campaign
    method: str
    executions: int  # spent in all
    seed: int


@dataclass(frozen=True, slots=True)
class Heuristic:
    """Weights by the names of their features, in the features' order."""

    weights: Mapping[str, float]
    features_version: int
    program: str = ""
    branches: int = 0
    digest: str = ""
    untaken: str = ""
    figures: Figures | None = None
    rounds: tuple[Mapping[str, Any], ...] = field(default=())  # how the learning went, for those who plot it

    @property
    def vector(self) -> tuple[float, ...]:
        return tuple(self.weights.values())

    def as_json(self) -> dict[str, Any]:
        figures = self.figures
        return {
            "format": FORMAT,
            "untaken": self.untaken,
            "program": {"name": self.program, "branches": self.branches, "digest": self.digest},
            "figures": None if figures is None else {name: getattr(figures, name) for name in figures.__slots__},
            "features_version": self.features_version,
            "weights": dict(self.weights),
            "rounds": [dict(each) for each in self.rounds],
        }

    @classmethod
    def of_record(cls, known: HeuristicRecord) -> Self:
        """The heuristic that a file describes."""
        return cls(
            weights={name: _weight(name, value) for name, value in known.weights.items()},
            features_version=known.features_version,
            program=known.program.name,
            branches=known.program.branches,
            digest=known.program.digest,
            untaken=known.untaken,
            figures=known.figures,
            rounds=known.rounds,
        )


@dataclass(frozen=True, slots=True)
class LearnedOn:
    """The program that a heuristic was learned on."""

    name: str
    branches: int
    digest: str


@dataclass(frozen=True, slots=True)
class HeuristicRecord:
    """A heuristic as its file has it."""

    format: int
    untaken: str
    program: LearnedOn
    figures: Figures | None
    features_version: int
    weights: dict[str, float]
    rounds: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class _Versioned:
    """What every version of such a file has."""

    format: int


def _weight(name: str, weight: float) -> float:
    if not math.isfinite(weight) or abs(weight) > LARGEST:
        raise UsageError(f"the weight of {name} is {weight}, and weights lie from -{LARGEST:g} to {LARGEST:g}")
    return round(weight, DIGITS)


def parsed(text: str, names: Sequence[str], version: int) -> Heuristic:
    """The heuristic that a file holds, if it fits these features; else UsageError says why not."""
    try:
        if (written := decoded(text, _Versioned).format) != FORMAT:
            raise UsageError(f"it has format {written}, and this version reads format {FORMAT}")
        found = Heuristic.of_record(decoded(text, HeuristicRecord))
    except DamagedRecord as error:
        raise UsageError(f"it is no heuristic that `untaken tune` wrote ({error})") from error
    _check(found, names, version)
    return found


def _check(found: Heuristic, names: Sequence[str], version: int) -> None:
    if found.features_version != version:
        raise UsageError(f"it was learned for version {found.features_version} of the features, and this is {version}")
    unknown = [name for name in found.weights if name not in names]
    missing = [name for name in names if name not in found.weights]
    if unknown or missing:
        which = f"has a weight for {unknown[0]}, which" if unknown else f"has no weight for {missing[0]}, which"
        there = "is no feature here" if unknown else "is one of the features here"
        raise UsageError(f"it was learned for other features: it {which} {there}")
    if tuple(found.weights) != tuple(names):
        raise UsageError("it was learned for other features: theirs come in another order")
