"""The scores of all decisions of a path: features times weights, as a product of whole matrices.

Most features are those of a kind of decision, and a long path has few kinds, each many times. So the matrix has a
column for each kind; the few features that are stretches of the path are added to the decisions themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import ProgramMap
from untaken.search.heuristics.features.dynamic import Moment
from untaken.search.heuristics.features.static import static_table
from untaken.search.heuristics.features.table import DYNAMIC, STATIC
from untaken.search.program.graph import Flags

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
        dynamic = [(feature, weight) for feature, weight in zip(DYNAMIC, steps[len(STATIC) :], strict=True) if weight]
        # Those of no weight are not computed.
        self._of_kinds = [feature for feature, _ in dynamic if not feature.positional]
        self._weights = np.array([weight for feature, weight in dynamic if not feature.positional], np.float32)
        self._of_positions = [(feature, weight) for feature, weight in dynamic if feature.positional]

    def _flags(self, moment: Moment) -> Flags:
        """One row a feature, one column a kind."""
        flags = np.empty((len(self._of_kinds), len(moment.places)), np.bool_)
        for row, feature in zip(flags, self._of_kinds, strict=True):
            row[:] = feature.compute(moment)
        return flags

    def of(self, moment: Moment, *, first: bool = False, hopeless: Flags | None = None) -> Scores:
        """One score a decision. On the `first` path all dynamic features are false; `hopeless` kinds score lowest."""
        scores: Scores = self._static[moment.places]
        if not first and self._of_kinds:
            scores += self._weights @ self._flags(moment).astype(np.float32)
        if hopeless is not None:
            scores[hopeless] = -np.inf
        scores = scores.take(moment.which)
        if not first:
            for feature, weight in self._of_positions:
                scores[feature.compute(moment)] += weight
        return scores
