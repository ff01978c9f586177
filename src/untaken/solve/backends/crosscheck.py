"""Asks two solvers and has every model evaluated; used in tests, where a disagreement must not go unseen."""

from __future__ import annotations

from untaken.errors import UntakenError
from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.values.batch import first_satisfying


class DisagreementError(UntakenError):
    """Two solvers contradict each other, or a model does not satisfy its query: a bug of ours or of a solver."""


class CrossCheckingSolver:
    """Answers what the first says, after the second has been heard."""

    def __init__(self, first: Solver, second: Solver, graph: Graph) -> None:
        self._first = first
        self._second = second
        self._graph = graph

    def solve(self, query: Query) -> Answer:
        first, second = self._first.solve(query), self._second.solve(query)
        if {type(first), type(second)} == {Sat, Unsat}:
            raise DisagreementError(f"{first} against {second} for the assertions {query.assertions}")
        for answer in (first, second):
            if isinstance(answer, Sat) and not answer.optimistic:
                self._check(answer, query)
        return second if isinstance(first, Unknown) else first

    def close(self) -> None:
        self._first.close()
        self._second.close()

    def _check(self, answer: Sat, query: Query) -> None:
        if first_satisfying(self._graph, query.assertions, [answer.model], query.hint) is None:
            raise DisagreementError(f"the model {answer.model} does not satisfy the assertions {query.assertions}")
