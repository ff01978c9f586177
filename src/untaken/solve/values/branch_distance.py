"""How far inputs are from satisfying an assertion, for search by descent: 0 if they do, else more the further away.

Numbers are as far from each other as there are others between them. Of a conjunction the distances add up; of a
disjunction the smallest counts. They are on a logarithmic scale, so that each assertion of a query has its say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model import floats
from untaken.model.expression import Node, Op
from untaken.model.floats import Words
from untaken.model.operators import COMPARISONS, FLOAT_COMPARISONS
from untaken.solve.graph import Graph

Distances = NDArray[np.float64]
Places = NDArray[Any]  # integers; of Python where a word is too small

SIGNED = frozenset({Op.SLT, Op.SLE})
FARTHEST = 64.0  # bits of a word, and so no less than the logarithm of any distance
SIGN = np.uint64(1 << 63)
WORD_BITS = 64
DEEPEST = 64  # of conjunctions in each other: what is below counts as true or false


class BranchDistances:
    """Over the values of all nodes below the assertions."""

    def __init__(self, graph: Graph, values: Mapping[int, Words]) -> None:
        self._graph = graph
        self._values = values

    def of(self, node: int, wanted: bool, depth: int = 0) -> Distances:
        """From being what is wanted."""
        graded = np.maximum(self._graded(self._graph.node(node), wanted, depth), 1.0)
        return np.where(self._values[node] == np.uint64(wanted), 0.0, graded)

    def _graded(self, record: Node, wanted: bool, depth: int) -> Distances:
        """What counts where it is not what is wanted."""
        if record.op in COMPARISONS or record.op in FLOAT_COMPARISONS:
            return self._between(record)
        if record.width == 1 and depth < DEEPEST:
            if record.op in (Op.AND, Op.OR):
                a, b = (self.of(each, wanted, depth + 1) for each in (record.a, record.b))
                return a + b if (record.op is Op.AND) == wanted else np.minimum(a, b)
            if record.op is Op.XOR and self._is_one(record.b):  # how the runtime writes "not"
                return self.of(record.a, not wanted, depth + 1)
        return np.array((FARTHEST,))

    def _is_one(self, node: int) -> bool:
        record = self._graph.node(node)
        return record.op is Op.CONST and record.constant == 1

    def _between(self, record: Node) -> Distances:
        """The logarithm of how many values there are between the two that are compared."""
        width = self._graph.node(record.a).width
        a, b = self._values[record.a], self._values[record.b]
        first, second = _places(record.op, width, a), _places(record.op, width, b)
        roughly = np.abs(first.astype(np.float64) - second.astype(np.float64))
        exactly = np.abs(first - second).astype(np.float64)  # but for what overflows
        distances = np.log2(1.0 + np.where(roughly < 1 << 60, exactly, roughly))
        if record.op in FLOAT_COMPARISONS:
            distances = np.where(floats.is_nan(a, width) | floats.is_nan(b, width), FARTHEST, distances)
        return distances


def _places(op: Op, width: int, words: Words) -> Places:
    """Where values are among all that there are, in order."""
    if width > WORD_BITS:
        return _wide_places(op, width, words)
    if op in FLOAT_COMPARISONS:
        magnitude = (words & np.uint64((1 << (width - 1)) - 1)).view(np.int64)
        return np.where(words >> np.uint64(width - 1) != 0, -magnitude, magnitude)
    if op in SIGNED:
        shift = np.int64(64 - width)
        return words.view(np.int64) << shift >> shift
    return (words ^ SIGN).view(np.int64) if width == 64 else words.view(np.int64)


def _wide_places(op: Op, width: int, words: Words) -> Places:
    """The same for what is no machine word: the values are Python's integers, and there are few such queries."""
    sign = 1 << (width - 1)
    if op in FLOAT_COMPARISONS:
        places = [-(word & (sign - 1)) if word & sign else word for word in words.tolist()]
    else:
        places = [word - (sign << 1) if op in SIGNED and word & sign else word for word in words.tolist()]
    return np.array(places, object)
