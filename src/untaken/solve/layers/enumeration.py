"""Decides queries about one input byte by trying all values: exact, and cheaper than a solver.

Wraps a solver, which gets the queries about more. Comes after slicing, which makes most queries of parsers small.
"""

from __future__ import annotations

from untaken.solve.answers import Answer, Sat, Unsat
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.truth import EVERY_VALUE, TruthTables

PRINTABLE = sum(1 << value for value in range(0x20, 0x7F))


class EnumeratingSolver:
    """Answers queries about one byte itself."""

    def __init__(self, inner: Solver, graph: Graph, tables: TruthTables, statistics: Statistics) -> None:
        self._inner = inner
        self._graph = graph
        self._tables = tables
        self._statistics = statistics

    def solve(self, query: Query) -> Answer:
        return self._by_byte(query) or self._inner.solve(query)

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


def choose(allowed: int, salt: int) -> int:
    """One of the values: printable if possible, since a zero byte ends strings, and not always the same."""
    preferred = allowed & PRINTABLE or allowed
    start = (salt >> 7) % 128 if allowed & PRINTABLE else 0
    from_start = preferred >> start << start or preferred
    return (from_start & -from_start).bit_length() - 1
