"""The scores of all decisions of a path: features times weights, as products of whole matrices.

Most features are those of a place, and a long path has few places, each many times. So there are two matrices, one
with a column for each place and one with a column for each decision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import ProgramMap
from untaken.search.features.dynamic import DynamicFeature, Moment
from untaken.search.features.static import static_table
from untaken.search.features.table import DYNAMIC, STATIC, Feature

Scores = NDArray[np.float32]
# Weights count in steps of 1/10,000: then products are whole numbers that float32 holds exactly, and scores are the
# same on every machine, however it adds them up.
WEIGHT_STEPS = 10_000


class Scorer:
    """Scores decisions by weights, which are in the order of the features."""

    def __init__(self, program: ProgramMap, weights: Sequence[float]) -> None:
        steps = np.rint(np.asarray(weights) * WEIGHT_STEPS).astype(np.float32)
        table = static_table(program, tuple(feature.compute for feature in STATIC))
        self._static = steps[: len(STATIC)] @ table.astype(np.float32)
        dynamic = list(zip(DYNAMIC, steps[len(STATIC) :].tolist(), strict=True))
        self._of_places = Product([pair for pair in dynamic if not pair[0].positional])
        self._of_positions = Product([pair for pair in dynamic if pair[0].positional])

    def of(self, moment: Moment, *, first: bool = False) -> Scores:
        """One score a decision. On the `first` path all dynamic features are false."""
        scores: Scores = self._static[moment.kinds]
        if not first:
            self._of_places.add_to(scores, moment)
        scores = scores.take(moment.which)
        if not first:
            self._of_positions.add_to(scores, moment)
        return scores


class Product:
    """Some features times their weights; those of no weight are not computed."""

    def __init__(self, weighted: Sequence[tuple[Feature[DynamicFeature], float]]) -> None:
        self._features = [feature for feature, weight in weighted if weight]
        self._weights = np.array([weight for _, weight in weighted if weight], np.float32)

    def add_to(self, scores: Scores, moment: Moment) -> None:
        if self._features:
            scores += self._weights @ np.array([each.compute(moment) for each in self._features], np.float32)
