"""All features of all decisions of a path as one matrix, and their scores as one product."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import ProgramMap
from untaken.search.features.dynamic import Moment
from untaken.search.features.static import static_table
from untaken.search.features.table import DYNAMIC, FEATURES, STATIC

Matrix = NDArray[np.float32]
# Weights count in steps of 1/10,000: then products are whole numbers that float32 holds exactly, and scores are the
# same on every machine, however it adds them up.
WEIGHT_STEPS = 10_000


class FeatureMatrix:
    """Makes the matrix of a moment: a row a feature, a column a decision."""

    def __init__(self, program: ProgramMap) -> None:
        self._static = static_table(program, tuple(feature.compute for feature in STATIC))

    def of(self, moment: Moment, *, first: bool = False) -> Matrix:
        """On the `first` path all dynamic features are false."""
        matrix = np.zeros((len(FEATURES), len(moment)), np.float32)
        matrix[: len(STATIC)] = self._static[:, moment.places]
        if not first:
            for row, feature in enumerate(DYNAMIC, len(STATIC)):
                matrix[row] = feature.compute(moment)
        return matrix


def scores(weights: Sequence[float], matrix: Matrix) -> Matrix:
    """The product of weights and features."""
    steps = np.rint(np.asarray(weights) * WEIGHT_STEPS).astype(np.float32)
    product: Matrix = steps @ matrix
    return product
