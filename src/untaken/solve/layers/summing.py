"""Answers goals that compare a sum of many bytes or integers with a constant, by sharing out what is missing. Wraps a
solver.

Totals over an array, checksums of headers, lengths that are added up: a solver spells out each addition by bits, and a
loop over a thousand bytes is too much for it. What is found is tried against all assertions, so it is exact; that there
is no answer only the inner solver can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from untaken.solve.answers import Answer, Sat
from untaken.solve.graph import indices
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.integer_sums import IntegerSums
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.sums import ByteSums, WantedSum, shared_out, wanted_sum

FEWEST_BYTES = 5  # that such a sum has: fewer are tried in all combinations, or are no work for a solver
A_BYTE = 8  # operations of numpy that it takes to share something out


class SummingSolver:
    """Asks the inner solver where nothing can be shared out."""

    def __init__(
        self, inner: Solver, domains: DomainFinder, sums: ByteSums, scalar: ScalarEvaluator, statistics: Statistics
    ) -> None:
        self._inner = inner
        self._graph = domains.graph
        self._domains = domains
        self._sums = sums
        self._integers = IntegerSums(domains.graph, scalar)
        self._scalar = scalar
        self._statistics = statistics

    def solve(self, query: Query) -> Answer:
        wanted = wanted_sum(self._graph, query.goal) if self._has_many_bytes(query.goal) else None
        answer = None if wanted is None else self._shared_out(query, wanted)
        if answer is None:
            return self._inner.solve(query)
        self._statistics.by_guess += 1
        return answer

    def close(self) -> None:
        self._inner.close()

    def _has_many_bytes(self, goal: int) -> bool:
        return goal >= 0 and self._graph.bits(goal).bit_count() >= FEWEST_BYTES

    def _shared_out(self, query: Query, wanted: WantedSum) -> Sat | None:
        work = A_BYTE * self._graph.bits(query.goal).bit_count()
        if not self._graph.effort.may_operate(work, 1):
            return None
        self._graph.effort.operate(work, 1)
        read = self._graph.inputs_of(query.assertions)
        old = query.hint.ljust(read[-1] + 1, b"\0")
        for data in chain(self._integers.shared_out(query, wanted, old), self._among_bytes(query, wanted, old)):
            self._graph.effort.operate(work, 1)
            if data is not None and self._scalar.all_hold(query.assertions, data):
                return Sat({byte: data[byte] for byte in read})
        return None

    def _among_bytes(self, query: Query, wanted: WantedSum, old: bytes) -> Iterator[bytes | None]:
        added = self._sums.contributions(wanted.term)
        if not added:
            return
        allowed = self._domains.with_goal(query, indices(self._graph.bits(query.goal)), old).domains
        if not all(allowed.values()):
            return  # a contradiction of assertions about single bytes
        now = self._scalar.value(wanted.term, old)
        for value in wanted.values:
            yield shared_out(value - now, wanted.width, old, allowed, added)
