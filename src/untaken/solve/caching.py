"""Remembers answers over the whole campaign. Wraps a solver; comes after slicing, so that queries repeat.

A query is answered without the solver if it was asked before; if it contains assertions known to contradict each
other; if a larger query with the same goal had a model; or if a model found for the same goal also fits here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.batch import first_satisfying
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.truth import TruthTables

REMEMBERED = 50_000  # queries; the oldest goes first, so that memory stays flat
CORES_A_GOAL = 32
MODELS_A_GOAL = 4


@dataclass(slots=True)
class GoalMemory:
    """What is known about one goal, newest first."""

    cores: deque[frozenset[int]] = field(default_factory=lambda: deque(maxlen=CORES_A_GOAL))
    models: deque[tuple[frozenset[int], Mapping[int, int]]] = field(default_factory=lambda: deque(maxlen=MODELS_A_GOAL))


class CachingSolver:
    """Asks the inner solver only what it cannot tell itself."""

    def __init__(self, inner: Solver, graph: Graph, tables: TruthTables, statistics: Statistics) -> None:
        self._inner = inner
        self._graph = graph
        self._tables = tables
        self._answers: dict[frozenset[int], Answer] = {}
        self._goals: dict[int, GoalMemory] = {}
        self._statistics = statistics

    def solve(self, query: Query) -> Answer:
        known = self._answers.get(query.key)
        if known is not None:
            self._statistics.by_equal += 1
            return known
        answer = self._from_goal(query)
        if answer is None:
            answer = self._inner.solve(query)
            self._remember_goal(query, answer)
        self._remember(query, answer)
        return answer

    def close(self) -> None:
        self._inner.close()

    def _from_goal(self, query: Query) -> Answer | None:
        memory = self._goals.get(query.goal)
        if memory is None:
            return None
        for core in memory.cores:
            if core <= query.key:
                self._statistics.by_unsat_subset += 1
                return Unsat(core)
        for assertions, model in memory.models:
            if query.key <= assertions:
                self._statistics.by_sat_superset += 1
                return Sat(self._restricted(model, query))
        return self._from_models(memory, query)

    def _from_models(self, memory: GoalMemory, query: Query) -> Answer | None:
        """The models of this goal under other prefixes, evaluated; those that one-byte assertions forbid go first."""
        candidates = [self._restricted(model, query) for _, model in memory.models]
        fitting = [model for model in candidates if self._fits_bytewise(model, query)]
        if not fitting:
            return None
        found = first_satisfying(self._graph, query.assertions, fitting, query.hint)
        if found is None:
            return None
        self._statistics.by_model += 1
        return Sat(found)

    def _fits_bytewise(self, model: Mapping[int, int], query: Query) -> bool:
        for code in query.assertions:
            bits = self._graph.bits(code)
            if bits and not bits & (bits - 1):
                index = bits.bit_length() - 1
                if index in model and not self._tables.of(code, index) >> model[index] & 1:
                    return False
        return True

    def _restricted(self, model: Mapping[int, int], query: Query) -> dict[int, int]:
        """Only the bytes of this query: to change others could break constraints that slicing left out."""
        return {index: model[index] for index in self._graph.inputs_of(query.assertions) if index in model}

    def _remember_goal(self, query: Query, answer: Answer) -> None:
        if isinstance(answer, Unknown):
            return
        memory = self._goals.setdefault(query.goal, GoalMemory())
        if isinstance(answer, Unsat):
            memory.cores.appendleft(query.key if answer.core is None else answer.core)
        else:
            memory.models.appendleft((query.key, answer.model))

    def _remember(self, query: Query, answer: Answer) -> None:
        if len(self._answers) >= REMEMBERED:
            del self._answers[next(iter(self._answers))]
        self._answers[query.key] = answer
