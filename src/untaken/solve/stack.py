"""Composes the solver that a campaign uses: the one place that says the order of the wrappers, and why.

From the outside in:
 1. optimistic: has to see pins, and asks the whole of the rest again with less;
 2. nearby: changes as few bytes as possible, and looks only at the constraints about those; goals that speak of each
    byte alone, string comparisons among them, or of a stream's size mostly end here (solve/layers/bytewise.py,
    solve/layers/sizewise.py), and so do comparisons of integers (solve/layers/closest.py), and of checksums with what
    they should be (solve/layers/settling.py);
 3. slicing: when that fails; makes what follows small, and equal queries equal;
 4. enumeration: exact on one byte, and cheaper than looking into a cache;
 5. caching: what is left is expensive, so any answer is worth keeping;
 6. bounding: numbers of few digits are small, which a solver finds out the hard way;
 7. float guessing: floats that a query names are mostly near an answer;
 8. descent: what functions of libm return is found by asking them;
 9. summing: what a sum lacks is shared out among its bytes or integers, where a solver would add up bit by bit;
10. guessing: thousands of candidates are evaluated sooner than a solver has bit-blasted a hash;
11. lazy: of a large query the goal alone, then what the answer breaks: most are contradictions of a few assertions;
12. triage: light queries here, heavy ones in a process that can be killed;
13. bitwuzla or z3; or both, where solvers are to check each other: then a layer around all of these evaluates every
    model, whichever layer it comes from.
"""

from __future__ import annotations

import time

from untaken.model.expression import ExpressionTable
from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.backends.crosscheck import ModelCheckingSolver
from untaken.solve.backends.registry import CHECK, DEFAULT, make_backend
from untaken.solve.graph import Graph
from untaken.solve.layers.bounding import BoundingSolver
from untaken.solve.layers.caching import CachingSolver
from untaken.solve.layers.descent import DescendingSolver
from untaken.solve.layers.enumeration import EnumeratingSolver
from untaken.solve.layers.float_guessing import FloatGuessingSolver
from untaken.solve.layers.guessing import GuessingSolver
from untaken.solve.layers.lazy import LazySolver
from untaken.solve.layers.nearby import NearbySolver, Tools
from untaken.solve.layers.optimistic import OptimisticSolver
from untaken.solve.layers.slicing import SlicingSolver
from untaken.solve.layers.summing import SummingSolver
from untaken.solve.layers.triage import TriagingSolver
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.bounds import BoundFinder
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.combinations import CombinationSearch
from untaken.solve.values.conjunctions import Conjunctions
from untaken.solve.values.dependencies import InputRows
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.sums import ByteSums
from untaken.solve.values.truth import TruthTables
from untaken.solve.worker.remote import RemoteSolver

# Of the sets of input bytes that nodes depend on. Where there are thousands of inputs, each set takes kilobytes.
MOST_INPUT_BYTES = 256 << 20


class SolverStack:
    """All layers over one node table; starts afresh when the table was cleared, or what is known of its nodes takes too
    much memory, but goes on counting."""

    def __init__(self, expressions: ExpressionTable, backend: str, limits: QueryLimits) -> None:
        self._expressions = expressions
        self._backend = backend
        self._limits = limits
        self.statistics = Statistics()
        self._build()

    def rules_out(self, goal: int) -> bool:
        """Whether a goal is known to be impossible by itself. If so, that was the answer to a query."""
        if goal not in self._nearby.impossible:  # as most; where the table is another one by now, nothing is known
            return False
        self._renew()
        known = goal in self._nearby.impossible
        if known:
            self.statistics.by_contradiction += 1
            self.statistics.count(Unsat(), time.perf_counter())
        return known

    def solve(self, query: Query) -> Answer:
        self._renew()
        started = time.perf_counter()
        answer = self._outermost.solve(query)
        self.statistics.count(answer, started)
        return answer

    def settle(self, query: Query, keeps: range) -> Sat | None:
        """An answer that changes only what the goal compares with something else, and none of the bytes to be kept."""
        self._renew()
        started = time.perf_counter()
        answer = self._nearby.settle(query, keeps)
        self.statistics.count(answer or Unknown("nothing to settle"), started)
        return answer

    def close(self) -> None:
        self._outermost.close()

    def _renew(self) -> None:
        if self._expressions.generation != self._generation or self.graph.input_sets.bytes > MOST_INPUT_BYTES:
            self.close()
            self._build()

    def _build(self) -> None:
        self._generation = self._expressions.generation
        effort = self.statistics.effort
        graph = self.graph = Graph(self._expressions, effort)
        tables = TruthTables(graph)
        scalar = ScalarEvaluator(graph)
        domains = DomainFinder(graph, Conjunctions(graph, tables))
        light = make_backend(self._backend, graph, tables, self._limits, effort=effort)
        heavy = RemoteSolver(self._backend, graph, self._limits, effort)
        triage = TriagingSolver(light, heavy, graph, self._limits, self.statistics)
        lazy = LazySolver(triage, scalar, self._limits, effort)
        guessing = GuessingSolver(lazy, domains, CombinationSearch(graph, tables.vectors), self.statistics)
        summing = SummingSolver(guessing, domains, ByteSums(graph, tables.vectors), scalar, self.statistics)
        descent = DescendingSolver(summing, graph, self.statistics)
        numbers = FloatGuessingSolver(descent, graph, self.statistics)
        bounding = BoundingSolver(numbers, domains, BoundFinder(graph, tables.vectors), self.statistics)
        caching = CachingSolver(bounding, graph, scalar, self.statistics)
        near = EnumeratingSolver(caching, graph, tables, self.statistics)
        rows = InputRows(graph, self._expressions)
        tools = Tools(graph, rows, tables, scalar, domains, self.statistics)
        self._nearby = NearbySolver(near, SlicingSolver(near, rows, effort), tools)
        self._outermost: Solver = OptimisticSolver(self._nearby)
        if self._backend == CHECK:
            self._outermost = ModelCheckingSolver(self._outermost, graph)


def default_solver(
    expressions: ExpressionTable, backend: str = DEFAULT, limits: QueryLimits | None = None
) -> SolverStack:
    """What a campaign solves with."""
    return SolverStack(expressions, backend, limits or QueryLimits())
