"""Sends each query to the solver for its size. Bit-blasting cannot be interrupted, so its length must be bounded.

Light queries are solved in this process. Heavy ones go to a worker process that can be killed. Those beyond all
measure go to nobody: to decide that by size, not by time, keeps campaigns repeatable.
"""

from __future__ import annotations

from untaken.solve.answers import Answer, Unknown
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics

SIZE_OF_A_STEP = 128  # what is translated and bit-blasted in the time of a step of the search that follows
# The same of what assertions are worth apart: each link of a chain is looked at for each assertion behind it.
APART_IN_A_STEP = 1_000


def price(query: Query, graph: Graph, limits: QueryLimits) -> tuple[int, int]:
    """The size of a query, and the steps that it takes before the search begins."""
    apart = graph.size_apart(query.assertions)
    size = apart if apart <= limits.light else graph.size(query.assertions)
    return size, size // SIZE_OF_A_STEP + apart // APART_IN_A_STEP


class TriagingSolver:
    """Gives light queries to one solver and heavy ones to another."""

    def __init__(self, light: Solver, heavy: Solver, graph: Graph, limits: QueryLimits, statistics: Statistics) -> None:
        self._light = light
        self._heavy = heavy
        self._graph = graph
        self._limits = limits
        self._statistics = statistics
        self._effort = statistics.effort

    def solve(self, query: Query) -> Answer:
        self._statistics.by_solver += 1
        size, steps = price(query, self._graph, self._limits)
        if steps > self._effort.left:
            return Unknown(f"too large for now: size {size}", self._effort.left)
        self._effort.spend(steps)
        if size <= self._limits.light:
            return self._light.solve(query)
        if size > self._limits.largest:
            return Unknown(f"too large: size {size}, limit {self._limits.largest}")
        self._statistics.by_worker += 1
        return self._heavy.solve(query)

    def close(self) -> None:
        self._light.close()
        self._heavy.close()
