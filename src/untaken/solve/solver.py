"""The interface of solvers, and of what wraps them: cache, slicing, cross-checking and so on."""

from __future__ import annotations

from typing import Protocol

from untaken.solve.answers import Answer
from untaken.solve.query import Query


class Solver(Protocol):
    """Answers queries over one node table. A wrapper answers what it can and passes the rest to the inner solver."""

    def solve(self, query: Query) -> Answer:
        """Sat only with a model that satisfies the whole query, unless it is marked optimistic."""
        ...

    def close(self) -> None:
        """Frees what outlives the object, such as processes."""
        ...
