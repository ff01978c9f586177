"""Independence: keeps only the constraints that share input bytes with the goal, directly or through others.

The rest holds for the old input and goes on holding, since none of its bytes will change. Wraps a solver. Which
bytes a constraint depends on is a row of bits, computed once a node for the campaign, so that a query over
thousands of constraints is a few numpy operations.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.solve.answers import Answer
from untaken.solve.query import Query
from untaken.solve.rows import InputRows
from untaken.solve.solver import Solver


class SlicingSolver:
    """Passes on the part of the query that matters."""

    def __init__(self, inner: Solver, rows: InputRows) -> None:
        self._inner = inner
        self._rows = rows

    def solve(self, query: Query) -> Answer:
        return self._inner.solve(query.select(connected(self._rows.of(query.nodes))))

    def close(self) -> None:
        self._inner.close()


def connected(rows: NDArray[np.uint64]) -> NDArray[np.intp]:
    """The rows that share bits with the last one, directly or through others, in order."""
    found = [np.array([len(rows) - 1], np.intp)]
    rest = np.arange(len(rows) - 1)
    reached = rows[-1]
    while len(rest):
        shares = (rows[rest] & reached).any(axis=1)
        new = rest[shares]
        if not len(new):
            break
        found.append(new)
        grown: NDArray[np.uint64] = np.bitwise_or.reduce(rows[new], axis=0) | reached
        if (grown == reached).all():
            break
        reached, rest = grown, rest[~shares]
    return np.sort(np.concatenate(found))
