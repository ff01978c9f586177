"""The figures of a comparison: what each strategy covered, how fast, and which differences are not chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median, stdev

from scipy.stats import mannwhitneyu

from untaken.trials.trial import Trial

DECILES = tuple(range(1, 11))
SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Row:
    """All trials of one strategy."""

    strategy: str
    trials: int
    mean: float
    deviation: float
    least: int
    most: int
    absolute: float  # mean coverage of all branches
    relative: float  # of the branches in functions that any trial reached
    iterations_to: tuple[int | None, ...]  # a decile of the best coverage each: the median; None: most never got there
    iterations: float
    seconds: float
    exclusive: tuple[int, ...]  # branches that no other strategy covered in any trial
    findings: int  # most in one trial


@dataclass(frozen=True, slots=True)
class Pair:
    """Two strategies: how likely such a difference is by chance, and how large it is."""

    first: str
    second: str
    p: float  # Mann-Whitney, two-sided
    adjusted: float  # for the number of pairs, after Holm
    a12: float  # the chance that a trial of the first covers more than one of the second, ties halved

    @property
    def significant(self) -> bool:
        return self.adjusted < SIGNIFICANT

    @property
    def size(self) -> str:
        """In the words of Vargha and Delaney."""
        distance = abs(self.a12 - 0.5)
        bounds = ((0.21, "large"), (0.14, "medium"), (0.06, "small"))
        return next((word for bound, word in bounds if distance >= bound), "negligible")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is told of all trials."""

    total: int
    reachable: int
    best: int  # branches that the best trial covered
    together: int  # branches that any trial covered
    rows: tuple[Row, ...]  # the highest mean first
    pairs: tuple[Pair, ...]


def compare(trials: Sequence[Trial]) -> Comparison:
    """All figures; there is at least one trial."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.strategy, []).append(trial)
    total, reachable = trials[0].total, branches_reached(trials)
    best = max(len(trial.covered) for trial in trials)
    rows = [row(name, groups, total, reachable, best) for name in groups]
    rows.sort(key=lambda each: (-each.mean, each.strategy))
    together = len(set().union(*(trial.covered for trial in trials)))
    ordered = {each.strategy: groups[each.strategy] for each in rows}
    return Comparison(total, reachable, best, together, tuple(rows), pairs(ordered))


def branches_reached(trials: Sequence[Trial]) -> int:
    """The papers' estimate of what can be covered: all branches of the functions that any run entered."""
    functions: dict[str, int] = {}
    for trial in trials:
        functions |= trial.functions
    return sum(functions.values())


def row(name: str, groups: dict[str, list[Trial]], total: int, reachable: int, best: int) -> Row:
    own = groups[name]
    counts = [len(trial.covered) for trial in own]
    mean = fmean(counts)
    return Row(
        strategy=name,
        trials=len(own),
        mean=mean,
        deviation=stdev(counts) if len(counts) > 1 else 0.0,
        least=min(counts),
        most=max(counts),
        absolute=mean / max(total, 1),
        relative=mean / max(reachable, 1),
        iterations_to=tuple(median_iterations(own, math.ceil(best * decile / 10)) for decile in DECILES),
        iterations=fmean(trial.iterations for trial in own),
        seconds=fmean(trial.seconds for trial in own),
        exclusive=exclusive(name, groups),
        findings=max(trial.findings for trial in own),
    )


def median_iterations(trials: Sequence[Trial], wanted: int) -> int | None:
    """After how many iterations half of the trials had covered so many branches."""
    middle = median(iterations_to(trial, wanted) for trial in trials)
    return None if math.isinf(middle) else round(middle)


def iterations_to(trial: Trial, wanted: int) -> float:
    return next((step.iteration for step in trial.growth if step.branches >= wanted), math.inf)


def exclusive(name: str, groups: dict[str, list[Trial]]) -> tuple[int, ...]:
    own = set().union(*(trial.covered for trial in groups[name]))
    others = (trial.covered for other, trials in groups.items() if other != name for trial in trials)
    return tuple(sorted(own.difference(*others)))


def pairs(groups: dict[str, list[Trial]]) -> tuple[Pair, ...]:
    counts = {name: [len(trial.covered) for trial in trials] for name, trials in groups.items()}
    names = list(combinations(counts, 2))
    chances = [chance(counts[first], counts[second]) for first, second in names]
    return tuple(
        Pair(first, second, p, adjusted, a12(counts[first], counts[second]))
        for (first, second), p, adjusted in zip(names, chances, holm(chances), strict=True)
    )


def chance(first: Sequence[int], second: Sequence[int]) -> float:
    """The p-value of the Mann-Whitney test; 1 where nothing varies, which the test itself is not defined for."""
    if len({*first, *second}) == 1:
        return 1.0
    return float(mannwhitneyu(first, second, alternative="two-sided").pvalue)


def a12(first: Sequence[int], second: Sequence[int]) -> float:
    """The effect size of Vargha and Delaney: 0.5 means no difference, 1 that the first always covers more."""
    wins = sum((mine > other) + (mine == other) / 2 for mine in first for other in second)
    return wins / (len(first) * len(second))


def holm(chances: Sequence[float]) -> list[float]:
    """Adjusted for how many are asked at once: the least times n, the next times n - 1, never falling."""
    adjusted = [0.0] * len(chances)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        highest = max(highest, min(1.0, chances[place] * (len(chances) - rank)))
        adjusted[place] = highest
    return adjusted
