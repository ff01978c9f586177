"""Questions whether a product is too large, asked by a quotient: the same as all inputs say, and answered soon."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.solve.answers import Sat, Unsat
from untaken.solve.backends.registry import BACKENDS, make_backend
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.values.batch import evaluate, first_satisfying
from untaken.solve.values.products import product_of
from untaken.solve.values.truth import TruthTables

LIMITS = (0, 90, 127, 128, 200, 255)
EDGES = (0, 1, 11, 127, 128, 255)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("divide", [Op.UDIV, Op.SDIV])
def test_bounds_are_exact(backend: str, divide: Op) -> None:
    """Both sides of each comparison, for factors and divisors at all edges."""
    expressions = FakeExpressions()
    graph = Graph(expressions)
    solver = make_backend(backend, graph, TruthTables(graph), QueryLimits())
    x, y = expressions.input(0), expressions.input(1)
    comparisons = (Op.ULT, Op.ULE) if divide is Op.UDIV else (Op.SLT, Op.SLE)
    seen = 0
    for limit, op, swapped in itertools.product(LIMITS, comparisons, (False, True)):
        quotient = expressions.binary(divide, expressions.constant(8, limit), y)
        node = expressions.binary(op, *((x, quotient) if swapped else (quotient, x)))
        seen += product_of(graph, expressions.node(node)) is not None
        for value in EDGES:
            inputs = {0: np.arange(256, dtype=np.uint64), 1: np.array([value], np.uint64)}
            sides = set(evaluate(graph, [node], inputs, 256)[node].tolist())
            fixed = 2 * expressions.equals(y, value) + 1
            for side in (0, 1):
                query = Query.of([fixed, 2 * node + side], bytes(2))
                answer = solver.solve(query)
                assert isinstance(answer, Sat if side in sides else Unsat)
                if isinstance(answer, Sat):
                    assert first_satisfying(graph, query.assertions, [answer.model], query.hint) is not None
    assert seen >= len(LIMITS)
    solver.close()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("divide", [Op.UDIV, Op.SDIV])
@pytest.mark.parametrize("value", EDGES)
def test_checks_are_exact(backend: str, divide: Op, value: int) -> None:
    expressions = FakeExpressions()
    graph = Graph(expressions)
    solver = make_backend(backend, graph, TruthTables(graph), QueryLimits())
    x, y = expressions.input(0), expressions.input(1)
    node = expressions.binary(Op.EQ, expressions.binary(divide, expressions.binary(Op.MUL, x, y), x), y)
    assert product_of(graph, expressions.node(node)) is not None
    for other, side in itertools.product(EDGES, (0, 1)):
        fixed = [2 * expressions.equals(x, value) + 1, 2 * expressions.equals(y, other) + 1]
        query = Query.of([*fixed, 2 * node + side], bytes(2))
        holds = first_satisfying(graph, query.assertions, [{0: value, 1: other}], query.hint) is not None
        assert isinstance(solver.solve(query), Sat if holds else Unsat)
    solver.close()


def test_a_product_that_may_not_overflow_is_found_soon() -> None:
    """By the quotient, bitwuzla gives up after 85,000 steps."""
    expressions = FakeExpressions()
    graph = Graph(expressions)
    solver = make_backend("bitwuzla", graph, TruthTables(graph), QueryLimits(steps=5000))
    x, y = expressions.word(0, 8), expressions.word(8, 8)
    hundred = expressions.constant(64, 100)
    fits = expressions.binary(Op.ULE, x, expressions.binary(Op.UDIV, expressions.constant(64, (1 << 64) - 1), y))
    third = expressions.binary(Op.UDIV, expressions.binary(Op.MUL, x, y), expressions.constant(64, 3))
    large = [expressions.binary(Op.ULT, hundred, x), expressions.binary(Op.ULT, hundred, y)]
    codes = [2 * node + 1 for node in (fits, *large, expressions.equals(third, 1000))]
    assert isinstance(solver.solve(Query.of(codes, bytes(16))), Unsat)
    solver.close()
