"""A guess at how good weights are, from all that were tried: a Gaussian process.

Weights that point the same way order the branches alike, however long they are; so the nearer two directions are, the
more alike their scores are taken to be; but something is particular to each. How far alikeness reaches, and how much of
a score is luck, is what explains the scores so far best. Scores of campaigns of different lengths differ by a constant
that nothing is known of.

A guess is a mean and a doubt, in standard deviations of the scores; both are rounded, so that the last bits of a sum,
which may differ from machine to machine, decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from untaken.learn.objective import Weights
from untaken.search.heuristics.features.table import NAMES

_REACHES = (0.7, 1.0, 1.5, 2.5)  # as distances between directions
_LUCKS = (0.5, 0.8, 1.2)  # in standard deviations of the scores
_OWNS = (0.03, 0.1, 0.3)  # the variance of what is particular to weights, whatever is near them
_UNKNOWN = 100.0  # the variance of what campaigns of one length have in common
_SAME = 1.0 - 1e-9  # as the cosine between two directions
_FEW_MORE = 1.05  # scores, for each that there were
_DIGITS = 6
Reals = NDArray[np.float64]


class Surrogate:
    """Fitted anew when it is asked after new scores."""

    def __init__(self) -> None:
        self._directions: list[Reals] = []
        self._scores: list[float] = []
        self._shares: list[float] = []
        self._fit: _Fit | None = None
        self._choice = 0.0, 0.0, 0.0  # reach, luck, own
        self._explained = 0  # scores, when that was chosen

    def learn(self, weights: Sequence[Weights], scores: Sequence[float], share: float) -> None:
        """What campaigns of this share of a whole one have covered."""
        self._directions += list(_directions(weights))
        self._scores += scores
        self._shares += [share] * len(scores)
        self._fit = None

    def guesses(self, weights: Sequence[Weights], optimism: float = 0.0) -> list[float]:
        """Higher is better; with optimism, so many times the doubt is added."""
        self._fit = self._fit or self._fitted()
        means, doubts = self._fit.guesses(_directions(weights))
        guesses: list[float] = np.round(means + optimism * doubts, _DIGITS).tolist()
        return guesses

    def _fitted(self) -> _Fit:
        """The most likely of the fits; what a few more scores would change about its choice is not looked for."""
        directions, scores, shares = np.array(self._directions), np.array(self._scores), np.array(self._shares)
        same = shares[:, None] == shares
        spread = np.mean([scores[row].std() for row in np.unique(same, axis=0)])
        values = (scores - scores.mean()) / (spread or 1.0)
        choices = [self._choice]
        if len(values) > _FEW_MORE * self._explained:
            choices, self._explained = list(product(_REACHES, _LUCKS, _OWNS)), len(values)
        fits = {choice: _fit(directions, values, same, *choice) for choice in choices}
        self._choice = max(fits, key=lambda choice: round(fits[choice].likelihood, _DIGITS))
        return fits[self._choice]


@dataclass(frozen=True, slots=True)
class _Fit:
    """What follows from the scores if alikeness reaches so far, and so much is particular to each direction."""

    directions: Reals
    reach: float
    own: float
    root: Reals  # Cholesky's, of the covariance of the scores
    pulls: Reals  # of each score on the guesses near it
    likelihood: float  # its logarithm, but for a constant

    def guesses(self, directions: Reals) -> tuple[Reals, Reals]:
        alike = _alike(directions, self.directions, self.reach, self.own)
        known = solve_triangular(self.root, alike.T, lower=True)
        return alike @ self.pulls, np.sqrt(np.maximum(0.0, 1.0 + self.own - np.square(known).sum(axis=0)))


def _fit(directions: Reals, values: Reals, same: NDArray[np.bool_], reach: float, luck: float, own: float) -> _Fit:
    luckless = _alike(directions, directions, reach, own) + _UNKNOWN * same
    root: Reals = np.linalg.cholesky(luckless + luck**2 * np.eye(len(values))).astype(np.float64)
    pulls = solve_triangular(root, solve_triangular(root, values, lower=True), lower=True, trans=1)
    likelihood = -0.5 * float(values @ pulls) - float(np.log(np.diag(root)).sum())
    return _Fit(directions, reach, own, root, pulls, likelihood)


def _alike(some: Reals, others: Reals, reach: float, own: float) -> Reals:
    """Towards 0 with the distance, from 1; and what is particular to a direction is alike only where it is the same."""
    cosines = some @ others.T
    return np.asarray(np.exp((cosines - 1.0) / reach**2) + own * (cosines > _SAME), np.float64)


def _directions(weights: Sequence[Weights]) -> Reals:
    rows = np.array(weights, np.float64).reshape(len(weights), len(NAMES))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0), np.float64)
