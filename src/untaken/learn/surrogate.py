"""A guess at how good weights are, from all that were tried: a linear fit, pulled towards zero (ridge regression).

Scores of a short campaign and of a whole one are no scores of the same thing, so each kind is put on its own scale
first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from untaken.learn.objective import Weights
from untaken.search.heuristic import LARGEST

_PULL = 3.0  # towards zero, in samples
Floats = NDArray[np.float64]


class Surrogate:
    """Fitted anew when it is asked after new scores."""

    def __init__(self) -> None:
        self._rows: list[Floats] = []
        self._scores: list[Floats] = []
        self._slopes: Floats | None = None

    def learn(self, weights: Sequence[Weights], scores: Sequence[float]) -> None:
        """Scores of one kind: campaigns of the same length."""
        values = np.asarray(scores, np.float64)
        spread = values.std()
        if spread > 0:
            self._rows.append(_scaled(weights))
            self._scores.append((values - values.mean()) / spread)
            self._slopes = None

    def guesses(self, weights: Sequence[Weights]) -> list[float]:
        """Higher is better; nothing more is said."""
        if not self._rows:
            return [0.0] * len(weights)
        if self._slopes is None:
            self._slopes = _fit(np.concatenate(self._rows), np.concatenate(self._scores))
        guesses: list[float] = (_scaled(weights) @ self._slopes).tolist()
        return guesses


def _scaled(weights: Sequence[Weights]) -> Floats:
    return np.asarray(weights, np.float64) / LARGEST


def _fit(rows: Floats, scores: Floats) -> Floats:
    slopes = np.linalg.solve(rows.T @ rows + _PULL * np.eye(rows.shape[1]), rows.T @ scores)
    return np.asarray(slopes, np.float64)
