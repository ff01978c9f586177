"""Tries for less when the whole query cannot be had. Wraps a solver; comes outermost, before slicing.

A query that is unsatisfiable only because addresses were pinned is asked again without pins; one that is too hard
is asked without pins and then as the negated condition alone. Such a model is only a guess, and marked so.
"""

from __future__ import annotations

from dataclasses import replace

from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.query import Query
from untaken.solve.solver import Solver


class OptimisticSolver:
    """Sat answers to a part of the query are marked optimistic."""

    def __init__(self, inner: Solver) -> None:
        self._inner = inner

    def solve(self, query: Query) -> Answer:
        answer = whole = self._inner.solve(query)
        if isinstance(answer, Unsat) and answer.relaxed is not None:
            return Sat(answer.relaxed.model, optimistic=True)
        if _is_due_to_pins(query, answer):
            answer = self._weaker(query.without_pins())
        if isinstance(answer, Unknown) and len(query.codes) > 1:
            alone = self._weaker(query.goal_alone())
            answer = answer if isinstance(alone, Unknown) else alone
        return replace(answer, gave_up=True) if isinstance(whole, Unknown) and isinstance(answer, Sat) else answer

    def close(self) -> None:
        self._inner.close()

    def _weaker(self, query: Query) -> Answer:
        answer = self._inner.solve(query)
        return Sat(answer.model, optimistic=True) if isinstance(answer, Sat) else answer


def _is_due_to_pins(query: Query, answer: Answer) -> bool:
    """Whether the answer might be another without them."""
    if isinstance(answer, Sat):
        return False
    core = answer.core if isinstance(answer, Unsat) else None
    return bool(query.pins) if core is None else len(core) > 1 and query.has_pins_among(core)
