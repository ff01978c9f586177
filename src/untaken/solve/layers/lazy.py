"""Asks with few assertions first, and adds those that the answer breaks. Wraps a solver.

Most questions of a long path are contradictions, and a handful of assertions makes them so; but a solver that is given
hundreds translates and bit-blasts all of them. Here it gets the goal. If that alone cannot be, nothing can. Else what
it finds is evaluated under all the others; some of those that do not hold are added, each time more, and it is asked
again. The bytes that keep their values are always there: they make a question smaller.
"""

from __future__ import annotations

from itertools import islice

from untaken.model.effort import Effort
from untaken.solve.answers import Answer, Sat
from untaken.solve.layers.triage import price
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.values.scalar import ScalarEvaluator

LEAST = 100_000  # of Graph.size_apart: what is smaller is answered sooner as a whole
ADDED = (4, 8, 16, 32)  # after each answer that breaks some; then all
SHARE = 4  # what is asked is at most one part in so many; else the whole is asked
LOOKED_THROUGH = 4  # times as many that are broken, of which the smallest are added
EVALUATED_IN_A_STEP = 50  # assertions


class LazySolver:
    """Gives the inner solver as little of a query as it takes."""

    def __init__(
        self, inner: Solver, scalar: ScalarEvaluator, limits: QueryLimits, effort: Effort, least: int = LEAST
    ) -> None:
        self._inner = inner
        self._limits = limits
        self._least = least
        self._graph = scalar.graph
        self._scalar = scalar
        self._effort = effort

    def solve(self, query: Query) -> Answer:
        """What is too large for now stays so: its parts would take as long."""
        size = self._graph.size_apart(query.assertions)
        if size < self._least or price(query, self._graph, self._limits)[1] > self._effort.left:
            return self._inner.solve(query)
        return self._with_few(query, size // SHARE)

    def close(self) -> None:
        self._inner.close()

    def _with_few(self, query: Query, largest: int) -> Answer:
        chosen = [code for code in query.assertions if code < 0]
        for added in ADDED:
            asked = [*chosen, query.goal]
            if self._graph.size_apart(asked) > largest:
                break
            answer = self._inner.solve(Query.of(asked, query.hint))
            if not isinstance(answer, Sat):
                return answer
            whole = self._whole(query, answer)
            broken = self._broken(query, whole, set(chosen), added)
            if not broken:
                return whole
            chosen += broken
        return self._inner.solve(query)

    def _whole(self, query: Query, answer: Sat) -> Sat:
        """With the bytes that stay as they are: the next one who asks may have had others."""
        read = self._graph.inputs_of(query.assertions)
        old = query.hint.ljust(max(read, default=-1) + 1, b"\0")
        return Sat({byte: answer.model.get(byte, old[byte]) for byte in read})

    def _broken(self, query: Query, answer: Sat, chosen: set[int], most: int) -> list[int]:
        """Assertions that do not hold, the smallest of the last ones: mostly it was just decided what is against it."""
        data = bytearray(max(answer.model, default=-1) + 1)
        for byte, value in answer.model.items():
            data[byte] = value
        others = [code for code in reversed(query.assertions[:-1]) if code not in chosen]
        self._effort.spend(1 + len(others) // EVALUATED_IN_A_STEP)
        found = list(islice(self._scalar.broken(others, data), LOOKED_THROUGH * most))
        return sorted(found, key=self._graph.size_alone)[:most]
