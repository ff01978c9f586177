"""Decides queries about one input byte, or one stream's size, by trying all values: exact, and cheaper than a solver.

Wraps a solver, which gets the queries about more. Comes after slicing, which makes most queries of parsers small.
"""

from __future__ import annotations

from untaken.solve.answers import Answer, Sat, Unsat
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.sizes import StreamSizes
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.truth import EVERY_VALUE, TruthTables

PRINTABLE = sum(1 << value for value in range(0x20, 0x7F))


class EnumeratingSolver:
    """Answers queries about one small unknown itself."""

    def __init__(self, inner: Solver, graph: Graph, tables: TruthTables, statistics: Statistics) -> None:
        self._inner = inner
        self._graph = graph
        self._tables = tables
        self._sizes = StreamSizes(graph)
        self._statistics = statistics

    def solve(self, query: Query) -> Answer:
        return self._by_byte(query) or self._by_size(query) or self._inner.solve(query)

    def close(self) -> None:
        self._inner.close()

    def _by_byte(self, query: Query) -> Answer | None:
        bits = self._graph.bits(query.goal)
        if not self._graph.one_byte(query.goal) or any(self._graph.bits(code) != bits for code in query.assertions):
            return None
        self._statistics.by_enumeration += 1
        byte = bits.bit_length() - 1
        allowed = EVERY_VALUE
        for code in query.assertions:
            allowed &= self._tables.of(code, byte)
        return Sat({byte: choose(allowed, query.salt)}) if allowed else Unsat()

    def _by_size(self, query: Query) -> Answer | None:
        goal = self._sizes.of(query.goal)
        if goal is None:
            return None
        size, allowed = goal
        relaxed = allowed
        for code in query.assertions:
            known = self._sizes.of(code)
            if known is None or known[0] != size:
                return None
            allowed &= known[1]
            if code not in query.pins:
                relaxed &= known[1]
        self._statistics.by_enumeration += 1
        if allowed:
            return self._sized(size, allowed, query.salt)
        if relaxed and query.pins:
            return Unsat(relaxed=self._sized(size, relaxed, query.salt))
        return Unsat(query.key - query.pins)

    def _sized(self, size: int, allowed: int, salt: int) -> Sat:
        return Sat(self._sizes.model(size, choose_size(allowed, salt)))


def choose(allowed: int, salt: int) -> int:
    """One of the values: printable if possible, since a zero byte ends strings, and not always the same."""
    preferred = allowed & PRINTABLE or allowed
    start = (salt >> 7) % 128 if allowed & PRINTABLE else 0
    from_start = preferred >> start << start or preferred
    return (from_start & -from_start).bit_length() - 1


def choose_size(allowed: int, salt: int) -> int:
    """One of the sizes, every other time the largest: the more a program may read, the more it shows."""
    largest = allowed.bit_length() - 1
    if salt >> 7 & 1:
        return largest
    start = (salt >> 8) % (largest + 1)
    from_start = allowed >> start << start
    return (from_start & -from_start).bit_length() - 1
