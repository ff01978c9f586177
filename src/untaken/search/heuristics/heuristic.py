"""A learned heuristic: one weight for each feature, with where it comes from, as a small JSON file.

Below the features themselves, which need a search to look at: what a heuristic is made for is known by name only, and
is checked against the features of this version by `search/heuristics/heuristic_files.py`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from untaken.errors import UsageError

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
    def from_json(cls, known: Mapping[str, Any]) -> Self:
        if known["format"] != FORMAT:
            raise UsageError(f"it has format {known['format']}, and this version reads format {FORMAT}")
        program, figures = known["program"], known["figures"]
        return cls(
            weights={str(name): _weight(name, value) for name, value in known["weights"].items()},
            features_version=int(known["features_version"]),
            program=str(program["name"]),
            branches=int(program["branches"]),
            digest=str(program["digest"]),
            untaken=str(known["untaken"]),
            figures=None if figures is None else Figures(**figures),
            rounds=tuple(known["rounds"]),
        )


def _weight(name: str, value: Any) -> float:
    weight = float(value)
    if not math.isfinite(weight) or abs(weight) > LARGEST:
        raise UsageError(f"the weight of {name} is {value}, and weights lie from -{LARGEST:g} to {LARGEST:g}")
    return round(weight, DIGITS)


def parsed(text: str, names: Sequence[str], version: int) -> Heuristic:
    """The heuristic that a file holds, if it fits these features; else UsageError says why not."""
    try:
        found = Heuristic.from_json(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"it is no heuristic that `untaken tune` wrote ({type(error).__name__}: {error})") from error
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
