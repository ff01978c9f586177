"""Integers of an answer are close to the old ones: at the border of what the goal allows."""

from __future__ import annotations

import pytest

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.solve.answers import Sat, apply
from untaken.solve.graph import Graph
from untaken.solve.layers.closest import ClosestSearch, is_left_out
from untaken.solve.query import Query
from untaken.solve.stack import default_solver
from untaken.solve.values.scalar import ScalarEvaluator

ROUNDS = 12_000  # of a loop; their comparisons are too much for a solver


def integer(make: FakeExpressions, offset: int = 0) -> int:
    """What a program reads as an int: four bytes, the lowest first."""
    low, second, third, high = map(make.input, range(offset, offset + 4))
    return make.concat(high, make.concat(third, make.concat(second, low)))


def stored(*values: int) -> bytes:
    return b"".join((value & 0xFFFFFFFF).to_bytes(4, "little") for value in values)


def goal(make: FakeExpressions, op: Op, a: int, b: int, side: bool = True) -> int:
    """The code of a comparison, none of those that are left to the solver."""
    while is_left_out(Query.of([2 * len(make) + side])):
        make.constant(64, len(make))
    return 2 * make.binary(op, a, b) + side


def found(graph: Graph, old: bytes, *codes: int) -> bytes | None:
    """The new input, if the search finds one."""
    answer = ClosestSearch(graph, ScalarEvaluator(graph)).solve(Query.of([*codes], old), old)
    return None if answer is None else apply(answer.model, old)


@pytest.mark.parametrize(
    ("old", "op", "limit", "side", "new"),
    [
        (0, Op.SLE, 3, False, 4),
        (0, Op.ULE, 3, False, 4),
        (0, Op.EQ, 0, False, 1),
        (0, Op.SLT, 0, True, -1),
        (2_000_000_000, Op.SLT, 100, True, 99),
        (2_000_000_000, Op.ULT, 100, True, 99),
        (-1_000_000, Op.SLT, -70_000, False, -70_000),
        (1_000, Op.SLT, 1_000_000, False, 1_000_000),
        (1_000, Op.ULE, 0xFFFFFFF0, False, -1),
    ],
)
def test_an_integer_is_moved_to_the_border(
    make: FakeExpressions, graph: Graph, old: int, op: Op, limit: int, side: bool, new: int
) -> None:
    number = integer(make)
    assert found(graph, stored(old), goal(make, op, number, make.constant(32, limit), side)) == stored(new)


def test_one_integer_is_moved_past_another(make: FakeExpressions, graph: Graph) -> None:
    larger = goal(make, Op.SLT, integer(make), integer(make, 4))
    assert found(graph, stored(7_000, 50), larger) == stored(49, 50)


def test_what_other_assertions_forbid_is_no_answer(make: FakeExpressions, graph: Graph) -> None:
    number = integer(make)
    positive = 2 * make.binary(Op.SLE, number, make.constant(32, 0))
    small = goal(make, Op.SLT, number, make.constant(32, 0))
    assert found(graph, stored(9), positive, small) is None


def test_single_bytes_are_left_alone(make: FakeExpressions, graph: Graph) -> None:
    byte = make.input(0)
    assert found(graph, b"\0", goal(make, Op.ULE, byte, make.constant(8, 3), False)) is None


def test_some_goals_are_left_out() -> None:
    left_out = [code for code in range(2_000) if is_left_out(Query.of([code]))]
    assert 150 < len(left_out) < 350


def test_the_end_of_a_long_loop_is_exact(make: FakeExpressions) -> None:
    number = integer(make)
    rounds = [2 * make.binary(Op.SLT, make.constant(32, i), number) + 1 for i in range(ROUNDS)]
    end = goal(make, Op.SLT, make.constant(32, ROUNDS), number, False)
    old = stored(400_000_000)
    solver = default_solver(make)
    answer = solver.solve(Query.of([*rounds, end], old))
    solver.close()
    assert isinstance(answer, Sat) and not answer.optimistic
    assert apply(answer.model, old) == stored(ROUNDS)
