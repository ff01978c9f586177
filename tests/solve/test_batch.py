"""The two evaluators against the solvers: every operator, many widths, the values where mistakes hide."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.solve.fakes import ARITHMETIC, BITWISE, COMPARISONS, COUNTS, FakeExpressions, RandomConditions
from untaken.model.expression import Op
from untaken.solve.answers import Sat
from untaken.solve.backends.registry import make_backend
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.values.batch import evaluate
from untaken.solve.values.scalar import WALKS, ScalarEvaluator
from untaken.solve.values.truth import TruthTables

WIDTHS = (1, 2, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 128)


def corners(width: int) -> list[int]:
    sign = 1 << width - 1
    wanted = (0, 1, 2, 3, width - 1, width, width + 1, sign - 1, sign, sign + 1, -1, -2, -3, 0x123456789ABCDEF)
    return sorted({value & (1 << width) - 1 for value in wanted})


def applications(make: FakeExpressions, width: int) -> list[int]:
    constants = [make.constant(width, value) for value in corners(width)]
    pairs = [(a, b) for a in constants for b in constants]
    nodes = [make.binary(op, a, b) for op in (*ARITHMETIC, *BITWISE, *COMPARISONS) for a, b in pairs]
    nodes += [make.unary(op, a) for op in COUNTS for a in constants]
    nodes += [make.extract(a, low, width - low) for a in constants for low in range(0, width, 5)]
    nodes += [
        make.extend(op, a, wide)
        for op in (Op.ZEXT, Op.SEXT)
        for a in constants
        for wide in (width + 1, 64, 128)
        if width < wide <= 128
    ]
    nodes += [make.concat(a, b) for a, b in pairs if 2 * width <= 128]
    index = make.constant(64, width)
    return [*nodes, *(make.read(index, width, corners(width)[:count]) for count in (1, 3) if 1 < width <= 64)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("backend", ["bitwuzla", "z3"])
def test_evaluators_agree_with_the_solver_on_every_operator(backend: str, width: int) -> None:
    make = FakeExpressions()
    graph = Graph(make)
    nodes = applications(make, width)
    values = evaluate(graph, nodes, {}, 1)
    claims = [2 * make.equals(node, int(values[node][0])) + 1 for node in nodes]
    solver = make_backend(backend, graph, TruthTables(graph), QueryLimits())
    assert solver.solve(Query.of(claims)) == Sat({})
    scalar = ScalarEvaluator(graph)
    assert all(scalar.holds(claim, b"") for claim in claims)


@pytest.mark.parametrize("seed", range(8))
def test_scalar_and_batch_agree_on_random_conditions(seed: int) -> None:
    make = FakeExpressions()
    graph, rng = Graph(make), random.Random(seed)
    conditions = RandomConditions(make, rng, (0, 1, 4), widest=64 if seed % 2 else 128)
    scalar = ScalarEvaluator(graph)
    samples = [rng.randbytes(5) for _ in range(WALKS + 4)]  # so that conditions are walked through, then compiled
    inputs = {index: np.array([data[index] for data in samples], np.uint64) for index in range(5)}
    for _ in range(30):
        node = conditions.boolean(4)
        expected = evaluate(graph, (node,), inputs, len(samples))[node]
        assert [scalar.holds(2 * node + 1, data) for data in samples] == [bool(value) for value in expected]


def test_read_past_the_end_is_zero() -> None:
    make = FakeExpressions()
    node = make.read(make.extend(Op.ZEXT, make.input(0), 64), 8, [7, 8, 9])
    graph = Graph(make)
    assert evaluate(graph, (node,), {0: np.arange(5, dtype=np.uint64)}, 5)[node].tolist() == [7, 8, 9, 0, 0]
    scalar = ScalarEvaluator(graph)
    assert scalar.holds(2 * make.equals(node, 0) + 1, b"\x03")
    assert scalar.holds(2 * make.equals(node, 9) + 1, b"\x02")
