"""Where in its input a run was reading at each of its decisions: what pieces of inputs are found by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import ExpressionTable, Op
from untaken.model.path import DamagedTrace, Path
from untaken.search.pieces.spans import NOWHERE
from untaken.solve.graph import Graph

_INPUT = Op.INPUT
_UNKNOWN = -1


class InputCursor:
    """Remembers, for each expression that decided something, the first input byte in it."""

    def __init__(self, expressions: ExpressionTable) -> None:
        self._expressions = expressions
        self._forget()

    def _forget(self) -> None:
        self._generation = self._expressions.generation
        self._graph = Graph(self._expressions)
        self._known: dict[int, int] = {}  # by node, and all below
        self._found: NDArray[np.intp] = np.full(1 << 10, _UNKNOWN, np.intp)  # by node that decided something

    def __call__(self, path: Path) -> NDArray[np.intp]:
        """The first byte that each constraint speaks of; NOWHERE if it speaks of none, or is not known any more."""
        if self._generation != self._expressions.generation:
            self._forget()
        nodes = path.constraints["node"]
        if path.generation != self._generation:
            return np.full(len(nodes), NOWHERE)
        try:
            return self._first_bytes(nodes)
        except (DamagedTrace, IndexError, OverflowError):
            return np.full(len(nodes), NOWHERE)

    def _first_bytes(self, nodes: NDArray[np.uint32]) -> NDArray[np.intp]:
        """Nearly all decisions of a run are those of runs before it: their nodes are known."""
        self._found = grown(self._found, int(nodes.max(initial=0)) + 1)
        first = self._found[nodes]
        if _UNKNOWN in first:
            for node in np.unique(nodes[first == _UNKNOWN]).tolist():
                self._found[node] = self._first(node)
            first = self._found[nodes]
        return first

    def _first(self, node: int) -> int:
        """Mostly little is new below a node."""
        known = self._known
        if node not in known:
            for each in self._graph.below((node,), known):
                record = self._graph.node(each)
                itself = record.a if record.op is _INPUT else NOWHERE
                known[each] = min((known[child] for child in self._graph.children(each)), default=itself)
        return known[node]


def grown(values: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """With room for so many, at least twice as many as before."""
    if count <= len(values):
        return values
    return np.append(values, np.full(max(count, 2 * len(values)) - len(values), _UNKNOWN, np.intp))
