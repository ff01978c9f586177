"""Sums of many bytes: what is missing is shared out among them, and what comes of it satisfies all assertions."""

from __future__ import annotations

from functools import reduce
from random import Random

import pytest

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.solve.answers import Sat, apply
from untaken.solve.graph import Graph
from untaken.solve.query import Query
from untaken.solve.stack import default_solver
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.sums import ByteSums, wanted_sum
from untaken.solve.values.truth import TruthTables

BYTES = 300


def byte(make: FakeExpressions, number: int, width: int = 32) -> int:
    return make.extend(Op.ZEXT, make.input(number), width)


def total(make: FakeExpressions, count: int = BYTES, width: int = 32) -> int:
    return reduce(lambda a, b: make.binary(Op.ADD, a, b), (byte(make, number, width) for number in range(count)))


def answered(make: FakeExpressions, old: bytes, *codes: int) -> bytes | None:
    """By the whole stack; what it says is true of all assertions."""
    solver = default_solver(make)
    answer = solver.solve(Query.of([*codes], old))
    by_sum = solver.statistics.by_guess
    solver.close()
    if not isinstance(answer, Sat):
        return None
    assert by_sum == 1, "no solver was asked"
    data = apply(answer.model, old)
    assert ScalarEvaluator(Graph(make)).all_hold(codes, data)
    return data


@pytest.mark.parametrize(
    ("op", "side", "constant", "sum"),
    [
        (Op.EQ, True, 10_000, 10_000),
        (Op.ULT, False, 50_000, 50_000),
        (Op.SLT, True, 7, 6),
        (Op.ULE, False, 9_999, 10_000),
        (Op.SLE, True, 300, 300),
    ],
)
def test_a_sum_is_moved_just_as_far_as_it_takes(
    make: FakeExpressions, op: Op, side: bool, constant: int, sum: int
) -> None:
    old = bytes([100]) * BYTES if side and op is not Op.EQ else bytes(BYTES)
    data = answered(make, old, 2 * make.binary(op, total(make), make.constant(32, constant)) + side)
    assert data is not None and sum_of(data) == sum


def sum_of(data: bytes) -> int:
    return sum(data)


def test_the_constant_may_stand_on_the_left(make: FakeExpressions) -> None:
    data = answered(make, bytes(BYTES), 2 * make.binary(Op.ULT, make.constant(32, 4_000), total(make)) + 1)
    assert data is not None and sum_of(data) == 4_001


def test_what_is_said_of_single_bytes_stays_true(make: FakeExpressions) -> None:
    even = [
        2 * make.binary(Op.EQ, make.binary(Op.AND, byte(make, n), make.constant(32, 1)), make.constant(32, 0)) + 1
        for n in range(BYTES)
    ]
    small = [2 * make.binary(Op.ULT, make.input(n), make.constant(8, 50)) + 1 for n in range(BYTES)]
    goal = 2 * make.binary(Op.EQ, total(make), make.constant(32, 9_998)) + 1
    data = answered(make, bytes(BYTES), *even, *small, goal)
    assert data is not None and sum_of(data) == 9_998
    assert all(each < 50 and each % 2 == 0 for each in data)


def test_checksums_of_few_bits(make: FakeExpressions) -> None:
    weighted = reduce(
        lambda a, b: make.binary(Op.ADD, a, b),
        (make.binary(Op.MUL, byte(make, number), make.constant(32, number % 9 + 1)) for number in range(BYTES)),
    )
    low = make.extract(weighted, 0, 8)
    data = answered(make, bytes(range(50)) * 6, 2 * make.binary(Op.EQ, low, make.constant(8, 0x5A)) + 1)
    assert data is not None
    assert sum((number % 9 + 1) * each for number, each in enumerate(data)) % 256 == 0x5A


def test_differences_and_numbers_of_two_bytes(make: FakeExpressions) -> None:
    words = [
        make.extend(Op.ZEXT, make.concat(make.input(2 * number + 1), make.input(2 * number)), 32)
        for number in range(20)
    ]
    up = reduce(lambda a, b: make.binary(Op.ADD, a, b), words[:10])
    down = reduce(lambda a, b: make.binary(Op.SUB, a, b), words[10:], up)
    data = answered(make, bytes(40), 2 * make.binary(Op.EQ, down, make.constant(32, -70_001 & 0xFFFFFFFF)) + 1)
    assert data is not None
    values = [int.from_bytes(data[place : place + 2], "little") for place in range(0, 40, 2)]
    assert sum(values[:10]) - sum(values[10:]) == -70_001


def test_the_low_bits_of_wider_sums(make: FakeExpressions) -> None:
    low = make.extract(total(make, width=128), 0, 32)
    data = answered(make, bytes(BYTES), 2 * make.binary(Op.EQ, low, make.constant(32, 7_000)) + 1)
    assert data is not None and sum_of(data) == 7_000


def test_where_a_byte_may_have_no_value_there_is_no_answer(make: FakeExpressions) -> None:
    small = 2 * make.binary(Op.ULT, make.input(3), make.constant(8, 5)) + 1
    large = 2 * make.binary(Op.ULT, make.constant(8, 9), make.input(3)) + 1
    goal = 2 * make.binary(Op.EQ, total(make), make.constant(32, 7)) + 1
    assert answered(make, bytes(BYTES), small, large, goal) is None


def test_a_product_of_two_bytes_is_no_such_sum(make: FakeExpressions, graph: Graph) -> None:
    product = make.binary(Op.MUL, byte(make, 0), byte(make, 1))
    sums = ByteSums(graph, TruthTables(graph).vectors)
    assert sums.contributions(make.binary(Op.ADD, product, byte(make, 2))) is None
    assert wanted_sum(graph, 2 * make.binary(Op.ULT, byte(make, 0), byte(make, 1)) + 1) is None


def test_a_byte_that_is_added_often_counts_as_often(make: FakeExpressions, graph: Graph) -> None:
    doubled = byte(make, 0)
    for _ in range(40):  # as a tree that is written out it would have a million million leaves
        doubled = make.binary(Op.ADD, doubled, doubled)
    found = ByteSums(graph, TruthTables(graph).vectors).contributions(make.binary(Op.ADD, doubled, byte(make, 1)))
    assert found is not None and set(found) == {0, 1}


def test_random_sums_against_what_they_are(make: FakeExpressions, graph: Graph) -> None:
    rng, sums, scalar = Random(5), ByteSums(graph, TruthTables(graph).vectors), ScalarEvaluator(graph)
    term = byte(make, 0)
    for number in range(1, 12):
        part = make.binary(Op.MUL, byte(make, number), make.constant(32, rng.getrandbits(32)))
        term = make.binary(rng.choice((Op.ADD, Op.SUB)), term, part)
    added = sums.contributions(term)
    assert added is not None
    for _ in range(50):
        data = rng.randbytes(12)
        assert sum(int(added[place][each]) for place, each in enumerate(data)) % (1 << 32) == scalar.value(term, data)


def read(data: bytes) -> list[int]:
    return [int.from_bytes(data[place : place + 4], "little", signed=True) for place in range(0, len(data), 4)]


@pytest.mark.parametrize(("wanted", "first"), [(777, 0), (7_500, 1_000), (300_000, 1_000), (0, 0)])
def test_what_a_sum_of_integers_lacks_is_shared_out_within_their_bounds(
    make: FakeExpressions, wanted: int, first: int
) -> None:
    numbers = [make.word(4 * number, 4) for number in range(300)]
    bounds = [
        code
        for number in numbers
        for code in (
            2 * make.binary(Op.SLT, number, make.constant(32, 0)),
            2 * make.binary(Op.SLE, number, make.constant(32, 1_000)) + 1,
        )
    ]
    wide = [make.extend(Op.SEXT, number, 64) for number in numbers]
    total = reduce(lambda a, b: make.binary(Op.ADD, a, b), wide)
    goal = 2 * make.binary(Op.EQ, total, make.constant(64, wanted)) + 1
    data = answered(make, (3).to_bytes(4, "little") * 300, *bounds, goal)
    assert data is not None and sum(read(data)) == wanted
    assert all(0 <= number <= 1_000 for number in read(data)) and read(data)[0] == first
