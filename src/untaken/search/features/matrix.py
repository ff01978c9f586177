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
_OF_PLACES = [feature for feature in DYNAMIC if not feature.positional]
_OF_POSITIONS = [feature for feature in DYNAMIC if feature.positional]


class Scorer:
    """Scores decisions by weights, which are in the order of the features."""

    def __init__(self, program: ProgramMap, weights: Sequence[float]) -> None:
        steps = np.rint(np.asarray(weights) * WEIGHT_STEPS).astype(np.float32)
        table = static_table(program, tuple(feature.compute for feature in STATIC))
        self._static = steps[: len(STATIC)] @ table.astype(np.float32)
        self._place_steps = steps[len(STATIC) :][[not feature.positional for feature in DYNAMIC]]
        self._position_steps = steps[len(STATIC) :][[feature.positional for feature in DYNAMIC]]

    def of(self, moment: Moment, *, first: bool = False) -> Scores:
        """One score a decision. On the `first` path all dynamic features are false."""
        scores: Scores = self._static[moment.kinds]
        if not first:
            scores += self._place_steps @ _matrix(_OF_PLACES, moment)
        scores = scores.take(moment.which)
        if not first:
            scores += self._position_steps @ _matrix(_OF_POSITIONS, moment)
        return scores


def _matrix(features: Sequence[Feature[DynamicFeature]], moment: Moment) -> Scores:
    """A row a feature."""
    return np.array([feature.compute(moment) for feature in features], np.float32)
