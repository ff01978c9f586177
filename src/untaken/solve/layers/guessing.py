"""Looks for a model among candidates before a solver is asked, and for small contradictions. Wraps a solver.

What it finds is exact (solve/values/combinations.py), given that the old input satisfies all but the goal; most queries
that link bytes by a hash end here. Comes after the cache, so that it looks at every query once.
"""

from __future__ import annotations

from untaken.solve.answers import Answer, Sat
from untaken.solve.graph import indices, set_of
from untaken.solve.query import Query, kept
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.byte_domains import ByteDomains, DomainFinder
from untaken.solve.values.combinations import MOST, CombinationSearch

# In units of Graph.size, shared parts counted each time: a candidate that is larger takes longer than a solver.
LARGEST = 50_000
TRUSTED = 16  # drawings in a row that found nothing, after which
RARELY = 16  # only one in so many is tried


class GuessingSolver:
    """Asks the inner solver what no candidate satisfies."""

    def __init__(
        self, inner: Solver, domains: DomainFinder, combinations: CombinationSearch, statistics: Statistics
    ) -> None:
        self._inner = inner
        self._graph = domains.graph
        self._domains = domains
        self._combinations = combinations
        self._statistics = statistics
        self._in_vain = 0

    def solve(self, query: Query) -> Answer:
        answer = self._guess(query)
        if answer is None:
            return self._inner.solve(query)
        self._statistics.by_guess += 1
        return self._whole(query, answer) if isinstance(answer, Sat) else answer

    def close(self) -> None:
        self._inner.close()

    def _guess(self, query: Query) -> Answer | None:
        """The bytes of the goal, then all that are free. Without arithmetic, a solver is faster than drawing."""
        read = self._graph.inputs_of(query.assertions)
        wanted = self._graph.bits(query.goal)
        if not wanted or sum(map(self._graph.size_alone, query.assertions)) > LARGEST:
            return None
        old = query.hint.ljust(read[-1] + 1, b"\0")
        free = wanted | set_of(read) & ~set_of(kept(code)[0] for code in query.assertions if code < 0)
        for bits in dict.fromkeys((wanted, free)):
            space = self._domains.with_goal(query, indices(bits), old)
            answer = self._combinations.exhausted(space) if space.size <= MOST else None
            if answer is not None:
                return answer
        hard = any(self._graph.multiplies(code) for code in query.assertions)
        return self._draw(space) if hard and space.size > MOST else None

    def _draw(self, space: ByteDomains) -> Sat | None:
        """Gives up, but for a try now and then, where it never finds anything."""
        if self._in_vain > TRUSTED and self._in_vain % RARELY:
            self._in_vain += 1
            return None
        found = self._combinations.drawn(space)
        self._in_vain = self._in_vain + 1 if found is None else 0
        return found

    def _whole(self, query: Query, answer: Sat) -> Sat:
        """With the bytes that stay as they are: the next one who asks may have had others."""
        read = self._graph.inputs_of(query.assertions)
        old = query.hint.ljust(read[-1] + 1, b"\0")
        return Sat({byte: answer.model.get(byte, old[byte]) for byte in read})
