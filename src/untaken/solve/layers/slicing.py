"""Independence: keeps only the constraints that share input bytes with the goal, directly or through others.

The rest holds for the old input and goes on holding, since none of its bytes will change. Wraps a solver. Which
bytes a constraint depends on is computed once a node for the campaign (solve/values/dependencies.py).
"""

from __future__ import annotations

from untaken.model.effort import Effort
from untaken.solve.answers import Answer
from untaken.solve.limits import too_long_for_now
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.values.dependencies import InputRows


class SlicingSolver:
    """Passes on the part of the query that matters."""

    def __init__(self, inner: Solver, rows: InputRows, effort: Effort) -> None:
        self._inner = inner
        self._rows = rows
        self._effort = effort

    def solve(self, query: Query) -> Answer:
        part = query.select(self._rows.connected(query.nodes))
        return too_long_for_now(part, self._effort) or self._inner.solve(part)

    def close(self) -> None:
        self._inner.close()
