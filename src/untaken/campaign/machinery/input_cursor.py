"""Where in its input a run was reading at each of its decisions: what pieces of inputs are found by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import ExpressionTable, Op
from untaken.model.path import DamagedTrace, Path
from untaken.search.pieces.spans import NOWHERE
from untaken.solve.graph import Graph

_INPUT = Op.INPUT


class InputCursor:
    """Remembers, for each expression that decided something, the first input byte in it."""

    def __init__(self, expressions: ExpressionTable) -> None:
        self._expressions = expressions
        self._forget()

    def __call__(self, path: Path) -> NDArray[np.intp]:
        """The first byte that each constraint speaks of; NOWHERE if it speaks of none, or is not known any more."""
        if self._generation != self._expressions.generation:
            self._forget()
        nodes = path.constraints["node"].tolist()
        if path.generation != self._generation:
            return np.full(len(nodes), NOWHERE)
        try:
            return np.fromiter(map(self._first, nodes), np.intp, len(nodes))
        except (DamagedTrace, IndexError, OverflowError):
            return np.full(len(nodes), NOWHERE)

    def _forget(self) -> None:
        self._generation = self._expressions.generation
        self._graph = Graph(self._expressions)
        self._known: dict[int, int] = {}

    def _first(self, node: int) -> int:
        """Mostly little is new below a node."""
        known = self._known
        if node not in known:
            for each in self._graph.below((node,), known):
                record = self._graph.node(each)
                itself = record.a if record.op is _INPUT else NOWHERE
                known[each] = min((known[child] for child in self._graph.children(each)), default=itself)
        return known[node]
