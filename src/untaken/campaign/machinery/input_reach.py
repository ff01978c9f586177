"""How far into the input a run had looked at each of its decisions: what earliest witnesses are measured by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import Expressions, Op
from untaken.model.path import Path
from untaken.solve.graph import Graph

_UNKNOWN = -1
_INPUT = Op.INPUT


class InputReach:
    """Remembers, for each expression that decided something, the last input byte in it."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._forget()

    def __call__(self, path: Path) -> NDArray[np.intp]:
        """For each constraint, how many bytes of the input the run had looked at with it."""
        if path.generation != self._generation:
            self._forget()
        nodes = path.constraints["node"]
        self._grow(int(nodes.max(initial=0)))
        for node in nodes[self._known[nodes] == _UNKNOWN].tolist():
            if self._known[node] == _UNKNOWN:
                self._known[node] = self._find(node)
        return np.maximum.accumulate(self._known[nodes])

    def _forget(self) -> None:
        self._generation = self._expressions.generation
        self._graph = Graph(self._expressions)
        self._below: dict[int, int] = {}
        self._known: NDArray[np.intp] = np.full(1 << 12, _UNKNOWN, np.intp)

    def _grow(self, node: int) -> None:
        if node >= len(self._known):
            more = np.full(max(node + 1, 2 * len(self._known)), _UNKNOWN, np.intp)
            more[: len(self._known)] = self._known
            self._known = more

    def _find(self, node: int) -> int:
        """Mostly little is new below a node."""
        known = self._below
        for each in self._graph.below((node,), known):
            record = self._graph.node(each)
            far = record.a + 1 if record.op is _INPUT else 0
            known[each] = max((known[child] for child in self._graph.children(each)), default=far)
        return known[node]
