"""Answers queries about functions that have no expression, sin and pow among them, and about numbers that are too hard
for the inner solver.

An answer is looked for by descent: from an input, those that differ in one number are evaluated, with the real
function, and the one that is least far from satisfying the query is where it goes on. The goal decides what is tried,
never chance. Only if nothing is found is the inner solver asked, for whom the result of such a function is any number:
its contradictions hold, and its models are checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import numpy as np

from untaken.model.expression import FUNCTION_CALLS
from untaken.model.floats import Words
from untaken.solve.answers import Answer, Sat, Unknown
from untaken.solve.graph import Graph, nodes_of
from untaken.solve.layers.float_guessing import number_pool
from untaken.solve.query import Query, kept
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.batch import evaluate_all, first_satisfying
from untaken.solve.values.branch_distance import BranchDistances, Distances
from untaken.solve.values.draws import Draws
from untaken.solve.values.variables import InputVariable, values_said, variables_of

EFFORT = 60_000  # units a query: one for each node and 256 inputs, about 5 microseconds
OF_A_PART = 10_000  # the same where some bytes are to stay as they are: all are asked about later
A_CALL = 16  # units of a function's node
TO_COMPARE = 8  # operations of numpy for the distance from an assertion
STARTS = 32  # inputs from which a descent begins
MOST_VARIABLES = 32
DRAWN = 2048  # inputs of which these are the best

Point = tuple[int, ...]
Moves = Callable[[InputVariable, int], Words]


class DescendingSolver:
    """Asks the inner solver first, if there is no such function."""

    def __init__(self, inner: Solver, graph: Graph, statistics: Statistics) -> None:
        self._inner = inner
        self._graph = graph
        self._statistics = statistics

    def solve(self, query: Query) -> Answer:
        allowed = self._graph.effort.left
        if not any(map(self._graph.has_functions, query.assertions)):
            answer = self._inner.solve(query)
            hard = isinstance(answer, Unknown) and any(map(self._graph.has_floats, query.assertions))
            return (self._search(query, allowed) if hard else None) or answer
        found = self._search(query, allowed)
        if isinstance(found, Sat):
            return found
        answer = self._inner.solve(query)
        if isinstance(answer, Sat) and not self._holds(query, answer):
            return found or Unknown("no input was found for which a function of libm returns what it takes")
        return answer

    def close(self) -> None:
        self._inner.close()

    def _holds(self, query: Query, answer: Sat) -> bool:
        return first_satisfying(self._graph, query.assertions, [answer.model], query.hint) is not None

    def _search(self, query: Query, allowed: int) -> Sat | Unknown | None:
        """None if there is nothing more to try; unknown if that might be otherwise with more steps."""
        fixed = {kept(code)[0] for code in query.assertions if code < 0}
        below = self._graph.below(nodes_of(query.assertions))
        variables = [each for each in variables_of(self._graph, below) if fixed.isdisjoint(each.place)]
        if not variables:
            return None
        query, variables = self._settled(query, variables)
        descent = _Descent(self._graph, query, below, variables[:MOST_VARIABLES])
        found = descent.run()
        self._statistics.by_guess += found is not None
        return Unknown("no input was found in so many steps", allowed) if descent.was_cut_short else found

    def _settled(self, query: Query, variables: list[InputVariable]) -> tuple[Query, list[InputVariable]]:
        """Where the query says what a variable is, that is so in the old input, and the others are left to move.

        One at a time, no two could be moved together: `ldexp(x, i) == 96 && i == 5` would be left only to draws."""
        known = values_said(self._graph, query.assertions)
        free = [each for each in variables if each.place not in known]
        if not known or not free:
            return query, variables
        hint = bytearray(query.hint.ljust(max(map(max, known)) + 1, b"\0"))
        for place, value in known.items():
            for byte, part in zip(place, value.to_bytes(len(place), "little"), strict=True):
                hint[byte] = part
        return replace(query, hint=bytes(hint)), free


class _Descent:
    """One query. A point is a value for each variable; all else is as in the old input."""

    def __init__(self, graph: Graph, query: Query, below: list[int], variables: list[InputVariable]) -> None:
        self._graph = graph
        self._query = query
        self._below = below
        self._variables = variables
        self._read = graph.inputs_of(query.assertions)
        self._old = query.hint.ljust(self._read[-1] + 1, b"\0")
        self._cost = sum(A_CALL if graph.node(index).op in FUNCTION_CALLS else 1 for index in below)
        self._left = OF_A_PART if any(code < 0 for code in query.assertions) else EFFORT

        self.was_cut_short = False  # the question may take no more steps

    def run(self) -> Sat | None:
        operations = len(self._below) + TO_COMPARE * len(self._query.assertions)
        if not self._graph.effort.may_operate(operations, DRAWN):
            self.was_cut_short = True
            return None
        for number, point in enumerate(self._starts()):
            found = self._descend(point, patient=number % 2 == 0)
            if found is not None or not self._may_go_on():
                return found
        return None

    def _may_go_on(self) -> bool:
        if self._left > 0 and not self._graph.effort.left:
            self.was_cut_short = True
        return self._left > 0 and not self.was_cut_short

    def _starts(self) -> list[Point]:
        """The old input, then the best of many that are drawn."""
        draws = Draws(self._query.goal)
        pool = number_pool(self._graph, self._below, draws)
        old = [variable.read(self._old) for variable in self._variables]
        stay = [draws.fractions(DRAWN) < 0.25 for _ in self._variables]
        columns = [
            np.where(stays, np.uint64(value), variable.drawn(pool, DRAWN, draws))
            for variable, value, stays in zip(self._variables, old, stay, strict=True)
        ]
        order = np.argsort(self._distances(columns), kind="stable")
        drawn = dict.fromkeys(tuple(int(column[place]) for column in columns) for place in order[: 8 * STARTS])
        return [tuple(old), *islice(drawn, STARTS)]

    def _descend(self, point: Point, *, patient: bool) -> Sat | None:
        """To the best point of those around, as long as that is better. The patient leap only if no step helps."""
        best = float(self._distances([np.array((value,), np.uint64) for value in point])[0])
        while best > 0 and self._may_go_on():
            nearer = self._best(
                point, best, [InputVariable.steps] if patient else [InputVariable.steps, InputVariable.leaps]
            )
            if nearer is None and patient:
                nearer = self._best(point, best, [InputVariable.leaps])
            if nearer is None:
                return None
            point, best = nearer
        return self._answer(point) if best == 0 else None

    def _best(self, point: Point, limit: float, kinds: list[Moves]) -> tuple[Point, float] | None:
        """The best of the points around, and how good it is, if it is better than that."""
        columns = self._around(point, kinds)
        distances = self._distances(columns)
        if not len(distances) or distances.min() >= limit:
            return None
        place = int(distances.argmin())
        return tuple(int(column[place]) for column in columns), float(distances[place])

    def _around(self, point: Point, kinds: list[Moves]) -> list[Words]:
        """Points that differ from this one in one variable."""
        pairs = zip(self._variables, point, strict=True)
        moves = [np.concatenate([kind(variable, value) for kind in kinds]) for variable, value in pairs]
        columns = [np.repeat(np.uint64(value), sum(map(len, moves))) for value in point]
        start = 0
        for column, moved in zip(columns, moves, strict=True):
            column[start : start + len(moved)] = moved
            start += len(moved)
        return columns

    def _distances(self, columns: list[Words]) -> Distances:
        size = len(columns[0])
        self._left -= self._cost * max(1, size // 256)
        inputs = {byte: np.array((self._old[byte],), np.uint64) for byte in self._read}
        for variable, column in zip(self._variables, columns, strict=True):
            inputs |= variable.spread(column)
        distances = BranchDistances(self._graph, evaluate_all(self._graph, self._below, inputs))
        total = np.zeros(size)
        for code in self._query.assertions:
            if code >= 0:
                total += distances.of(code >> 1, bool(code & 1))
        self._graph.effort.operate(TO_COMPARE * len(self._query.assertions), size)
        return total

    def _answer(self, point: Point) -> Sat:
        data = bytearray(self._old)
        for variable, value in zip(self._variables, point, strict=True):
            for place, byte in enumerate(variable.place):
                data[byte] = value >> 8 * place & 255
        return Sat({byte: data[byte] for byte in self._read})
