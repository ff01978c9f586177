"""The space of weights: an interval for each feature, from which samples are drawn, and how it is refined."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from untaken.learn.objective import Weights
from untaken.search.heuristics.features.table import NAMES
from untaken.search.heuristics.heuristic import DIGITS, LARGEST


@dataclass(frozen=True, slots=True)
class WeightSpace:
    """Intervals, all [-10, 10] at first."""

    intervals: tuple[tuple[float, float], ...] = ((-LARGEST, LARGEST),) * len(NAMES)

    def sample(self, rng: Random) -> Weights:
        """Each weight on its own, uniformly from its interval."""
        return tuple(round(rng.uniform(low, high), DIGITS) for low, high in self.intervals)

    def refined(self, first: Weights, second: Weights) -> WeightSpace:
        """By the two best: where both are positive, from the smaller up; where both are negative, from the larger
        down; elsewhere the interval stays as it is."""
        return WeightSpace(tuple(map(_refined, self.intervals, first, second)))


def _refined(interval: tuple[float, float], a: float, b: float) -> tuple[float, float]:
    if a > 0 and b > 0:
        return min(a, b), LARGEST
    if a < 0 and b < 0:
        return -LARGEST, max(a, b)
    return interval
