"""Sees that a goal cannot hold from the bounds of what it compares. Wraps a solver.

Programs that read numbers ask at each digit whether one more would be too much. A solver multiplies that out by bits,
and takes a second to see that few digits are no large number.
"""

from __future__ import annotations

from untaken.solve.answers import Answer, Unsat
from untaken.solve.graph import indices
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.bounds import BoundFinder
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.truth import EVERY_VALUE


class BoundingSolver:
    """Asks the inner solver what the bounds leave open."""

    def __init__(self, inner: Solver, domains: DomainFinder, bounds: BoundFinder, statistics: Statistics) -> None:
        self._inner = inner
        self._domains = domains
        self._bounds = bounds
        self._statistics = statistics

    def solve(self, query: Query) -> Answer:
        # Sums alone are easy for solvers, and most goals have none.
        answer = self._contradiction(query) if self._domains.graph.multiplies(query.goal) else None
        if answer is None:
            return self._inner.solve(query)
        self._statistics.by_bounds += 1
        return answer

    def close(self) -> None:
        self._inner.close()

    def _contradiction(self, query: Query) -> Unsat | None:
        """What the assertions say of each byte alone bounds the goal."""
        domains = dict.fromkeys(indices(self._domains.graph.bits(query.goal)), EVERY_VALUE)
        core = {query.goal}
        for code in query.assertions[:-1]:
            for byte, allowed in self._domains.parts(code).domains.items():
                if byte in domains:
                    domains[byte] &= allowed
                    core.add(code)
        if not all(domains.values()):
            return Unsat(frozenset(core))
        low, high = self._bounds.of(query.goal >> 1, domains)
        return Unsat(frozenset(core)) if low == high != query.goal & 1 else None
