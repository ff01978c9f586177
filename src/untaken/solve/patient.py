"""Two solvers one after the other, for heavy queries: first one that remembers, then one that prepares thoroughly.

Heavy queries of one campaign have most of their expressions in common. A solver that keeps what it bit-blasted for the
last one answers most of them in a fraction of the time; where it gives up soon, preprocessing is worth its time.
"""

from __future__ import annotations

from untaken.solve.answers import Answer, Unknown
from untaken.solve.query import Query
from untaken.solve.solver import Solver


class PatientSolver:
    """Asks the second solver what the first gave up."""

    def __init__(self, first: Solver, second: Solver) -> None:
        self._first = first
        self._second = second

    def solve(self, query: Query) -> Answer:
        answer = self._first.solve(query)
        return self._second.solve(query) if isinstance(answer, Unknown) else answer

    def close(self) -> None:
        self._first.close()
        self._second.close()
