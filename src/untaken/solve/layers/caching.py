"""Remembers answers over the whole campaign. Wraps a solver; comes after slicing, so that queries repeat.

A query is answered without the solver if it was asked before; if it contains assertions known to contradict each
other; if a larger query with the same goal had a model; or if a model found for the same goal also fits here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.scalar import ScalarEvaluator

REMEMBERED = 2_000_000  # assertions of queries, some 100 MB; the oldest query goes first, so that memory stays flat
CORES_A_GOAL = 32
MODELS_A_GOAL = 4


@dataclass(slots=True)
class GoalMemory:
    """What is known about one goal, newest first."""

    cores: deque[frozenset[int]] = field(default_factory=lambda: deque(maxlen=CORES_A_GOAL))
    models: deque[tuple[frozenset[int], Mapping[int, int]]] = field(default_factory=lambda: deque(maxlen=MODELS_A_GOAL))


class CachingSolver:
    """Asks the inner solver only what it cannot tell itself."""

    def __init__(self, inner: Solver, graph: Graph, scalar: ScalarEvaluator, statistics: Statistics) -> None:
        self._inner = inner
        self._effort = statistics.effort
        self._graph = graph
        self._scalar = scalar
        self._answers: dict[frozenset[int], Answer] = {}
        self._remembered = 0  # assertions of all of them
        self._goals: dict[int, GoalMemory] = {}
        self._of_goals = 0  # assertions, too
        self._statistics = statistics

    def solve(self, query: Query) -> Answer:
        known = self._answers.get(query.key)
        if known is not None and not self._may_know_more(known):
            self._statistics.by_equal += 1
            return known
        answer = self._from_goal(query)
        if answer is None:
            answer = self._inner.solve(query)
            self._remember_goal(query, answer)
        self._remember(query, answer)
        return answer

    def _may_know_more(self, known: Answer) -> bool:
        """Whether an answer was given up that has more steps now."""
        return isinstance(known, Unknown) and known.allowed < self._effort.left

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
        """The models of this goal under other prefixes, evaluated."""
        read = self._graph.inputs_of(query.assertions)
        old = query.hint.ljust(read[-1] + 1 if read else 0, b"\0")
        for _, model in memory.models:
            candidate = self._restricted(model, query)
            changed = bytearray(old)
            for index, value in candidate.items():
                changed[index] = value
            if self._scalar.all_hold(query.assertions, changed):
                self._statistics.by_model += 1
                return Sat(candidate)
        return None

    def _restricted(self, model: Mapping[int, int], query: Query) -> dict[int, int]:
        """Only the bytes of this query: to change others could break constraints that slicing left out."""
        return {index: model[index] for index in self._graph.inputs_of(query.assertions) if index in model}

    def _remember_goal(self, query: Query, answer: Answer) -> None:
        if isinstance(answer, Unknown):
            return
        self._of_goals += len(query.key)
        if self._of_goals > REMEMBERED:
            self._goals.clear()
            self._of_goals = len(query.key)
        memory = self._goals.setdefault(query.goal, GoalMemory())
        if isinstance(answer, Unsat):
            memory.cores.appendleft(query.key if answer.core is None else answer.core)
        else:
            memory.models.appendleft((query.key, answer.model))

    def _remember(self, query: Query, answer: Answer) -> None:
        self._answers[query.key] = answer
        self._remembered += len(query.key)
        while self._remembered > REMEMBERED and len(self._answers) > 1:
            oldest = next(iter(self._answers))
            self._remembered -= len(oldest)
            del self._answers[oldest]
