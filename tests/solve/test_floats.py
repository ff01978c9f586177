"""Solvers on floats and doubles: the right answer, and models that hold, by what model/floats.py computes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.solve.fakes import BruteForceSolver, FakeExpressions, Silent
from untaken.model.expression import Op, Rounding
from untaken.model.floats import KINDS, apply_unary, binary, bits_of, unary
from untaken.solve.answers import Sat, Unsat
from untaken.solve.backends.registry import make_backend
from untaken.solve.backends.z3 import Z3Solver
from untaken.solve.graph import Graph
from untaken.solve.layers.float_guessing import FloatGuessingSolver
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.stack import default_solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.batch import first_satisfying
from untaken.solve.values.truth import TruthTables
from untaken.solve.worker.remote import RemoteSolver

MAKERS: dict[str, Callable[[FakeExpressions, Graph], Solver]] = {
    "bitwuzla": lambda make, graph: make_backend("bitwuzla", graph, TruthTables(graph), QueryLimits()),
    "bitwuzla-heavy": lambda make, graph: make_backend(
        "bitwuzla", graph, TruthTables(graph), QueryLimits(), heavy=True
    ),
    "z3": lambda make, graph: make_backend("z3", graph, TruthTables(graph), QueryLimits(seconds=60)),
    "worker": lambda make, graph: RemoteSolver("bitwuzla", graph, QueryLimits()),
    "stack": lambda make, graph: default_solver(make),
}


@pytest.fixture(params=MAKERS)
def solver(request: pytest.FixtureRequest, make: FakeExpressions, graph: Graph) -> Iterator[Solver]:
    made = MAKERS[request.param](make, graph)
    yield made
    made.close()


def number(make: FakeExpressions, value: float, width: int = 64) -> int:
    return make.constant(width, int(bits_of(np.array([value], KINDS[width]))[0]))


def solved(solver: Solver, graph: Graph, *nodes: int) -> bool:
    """Whether there is an answer, which holds if so."""
    query = Query.of([2 * node + 1 for node in nodes], bytes(20))
    answer = solver.solve(query)
    assert isinstance(answer, Sat | Unsat)
    if isinstance(answer, Sat):
        assert first_satisfying(graph, query.assertions, [answer.model], query.hint) is not None
    return isinstance(answer, Sat)


@pytest.mark.parametrize("width", KINDS)
def test_arithmetic_of_any_bits(solver: Solver, make: FakeExpressions, graph: Graph, width: int) -> None:
    x, y = make.word(0, width // 8), make.word(10, width // 8)
    total = make.add(Op.FADD, width, x, y)
    equal = make.add(Op.FEQ, 1, total, number(make, 1000.5, width))
    above = make.add(Op.FLT, 1, number(make, 3.25, width), x)
    assert solved(solver, graph, equal, above)


def test_only_what_is_no_number_differs_from_itself(solver: Solver, make: FakeExpressions, graph: Graph) -> None:
    x = make.word(0, 8)
    other = make.negated(make.add(Op.FEQ, 1, x, x))
    assert solved(solver, graph, other)
    assert not solved(solver, graph, other, make.add(Op.FLE, 1, x, number(make, 0)))


def test_bits_of_a_result(solver: Solver, make: FakeExpressions, graph: Graph) -> None:
    root = make.add(Op.FSQRT, 32, make.word(0, 4))
    top = make.equals(make.extract(root, 23, 9), 0x85)
    assert solved(solver, graph, top)
    opposite = make.binary(Op.XOR, root, make.constant(32, 1 << 31))
    positive = make.add(Op.FLT, 1, number(make, 0, 32), opposite)
    assert not solved(solver, graph, positive), "a root is not negative"


# Bits of long doubles that no operation makes: the first bit of the significand contradicts the exponent.
REFUSED = [0x3FFF << 64 | 1 << 62, 0x7FFF << 64, 0x7FFF << 64 | 1 << 62, 1 << 64]


def test_bits_that_contradict_themselves(solver: Solver, make: FakeExpressions, graph: Graph) -> None:
    """As the processor has it, which computes what is compared with here."""
    number_of_input = make.word(0, 10)
    is_number = make.add(Op.FEQ, 1, number_of_input, number_of_input)
    for bits in (*REFUSED, 1 << 63, 0x3FFF << 64 | 1 << 63):
        expected = binary(Op.FEQ, 80, bits, bits)
        assert expected == (bits not in REFUSED)
        assert solved(solver, graph, make.equals(number_of_input, bits), is_number) == bool(expected)
    twice = make.add(Op.FADD, 80, number_of_input, number_of_input)
    smallest_twice = make.equals(twice, binary(Op.FADD, 80, 1 << 63, 1 << 63))
    assert solved(solver, graph, make.equals(number_of_input, 1 << 63), smallest_twice)


def test_wide_integers_become_numbers_at_once() -> None:
    """To round twice would be wrong: the first integer lies just above the middle of two floats, but no double's."""
    between = (1 << 100) + (1 << 76) + 1
    assert unary(Op.FROM_UNSIGNED, (128, 32), 0, between) == int(np.float32(2.0**100 + 2.0**77).view(np.uint32))
    assert unary(Op.FROM_SIGNED, (128, 64), 0, (1 << 128) - (1 << 70)) == int(np.float64(-(2.0**70)).view(np.uint64))
    assert unary(Op.FROM_UNSIGNED, (128, 32), 0, (1 << 128) - 1) == 0x7F800000, "infinite"
    largest = unary(Op.FROM_UNSIGNED, (128, 80), 0, (1 << 128) - 1)
    assert unary(Op.TO_SIGNED, (80, 128), 0, largest) == 1 << 127, "does not fit"


def test_what_does_not_fit_is_the_smallest(solver: Solver, make: FakeExpressions, graph: Graph) -> None:
    x = make.word(0, 8)
    whole = make.add(Op.TO_SIGNED, 32, x)
    large = make.add(Op.FLT, 1, number(make, 1e10), x)
    assert solved(solver, graph, large, make.equals(whole, 1 << 31))
    assert not solved(solver, graph, large, make.equals(whole, 7))


class Conditions:
    """Random ones on numbers that come from two bytes, so that all inputs can be tried."""

    def __init__(self, make: FakeExpressions, rng: random.Random) -> None:
        self.make, self.rng = make, rng

    def value(self, depth: int, width: int) -> int:
        rng, make = self.rng, self.make
        if depth == 0:
            byte = make.input(rng.choice((0, 5)))
            kinds = [make.add(op, width, byte) for op in (Op.FROM_SIGNED, Op.FROM_UNSIGNED)]
            return rng.choice([*kinds, number(make, rng.choice((0.5, -3.0, 7.25, 1e6)), width)])
        match rng.randrange(6):
            case 0:
                return make.add(Op.FROUND, width, self.value(depth - 1, width), rng.choice(list(Rounding)))
            case 1:
                return make.add(Op.FCONVERT, width, self.value(depth - 1, rng.choice([*{*KINDS} - {width}])))
            case 2:
                mask = rng.choice(((Op.XOR, 1 << (width - 1)), (Op.AND, (1 << (width - 1)) - 1)))
                return make.binary(mask[0], self.value(depth - 1, width), make.constant(width, mask[1]))
            case 3:
                sides = self.value(depth - 1, width), self.value(depth - 1, width)
                return make.ite(self.condition(depth - 1), *sides)
            case _:
                op = rng.choice((Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV))
                return make.add(op, width, self.value(depth - 1, width), self.value(depth - 1, width))

    def condition(self, depth: int) -> int:
        width = self.rng.choice((32, 64, 80))
        if self.rng.random() < 0.3:
            whole = self.make.add(Op.TO_SIGNED, 32, self.value(depth, width))
            return self.make.binary(Op.SLT, whole, self.make.constant(32, self.rng.randrange(-9, 99)))
        op = self.rng.choice((Op.FEQ, Op.FLT, Op.FLE))
        return self.make.add(op, 1, self.value(depth, width), self.value(depth, width))


@pytest.mark.parametrize("seed", range(4))
def test_against_all_inputs(solver: Solver, make: FakeExpressions, graph: Graph, seed: int) -> None:
    conditions = Conditions(make, random.Random(seed))
    oracle = BruteForceSolver(graph)
    depth = 1 if isinstance(solver, Z3Solver) else 2  # it takes minutes for what bitwuzla does at once
    for _ in range(8):
        node = conditions.condition(depth)
        expected = isinstance(oracle.solve(Query.of([2 * node + 1], bytes(16))), Sat)
        assert solved(solver, graph, node) == expected


def test_what_is_near_the_numbers_of_a_query_is_found(make: FakeExpressions, graph: Graph) -> None:
    """The length of a vector: too much for a solver, with enough products."""
    x, y = make.word(0, 8), make.word(8, 8)
    squares = [make.add(Op.FMUL, 64, each, each) for each in (x, y)]
    length = make.add(Op.FSQRT, 64, make.add(Op.FADD, 64, *squares))
    shorter = make.add(Op.FLT, 1, length, number(make, 1500))
    left = make.add(Op.FLT, 1, y, number(make, -1000))
    query = Query.of([2 * left + 1, 2 * shorter + 1], bytes(16))
    answer = FloatGuessingSolver(Silent(), graph, Statistics()).solve(query)
    assert isinstance(answer, Sat)
    assert first_satisfying(graph, query.assertions, [answer.model], query.hint) is not None


@pytest.mark.parametrize(
    ("rounding", "expected"),
    [
        (Rounding.TO_EVEN, [-2.0, -0.0, 0.0, 2.0, 2.0]),
        (Rounding.AWAY, [-2.0, -1.0, 0.0, 2.0, 3.0]),
        (Rounding.UP, [-1.0, -0.0, 1.0, 2.0, 3.0]),
        (Rounding.DOWN, [-2.0, -1.0, 0.0, 1.0, 2.0]),
        (Rounding.TO_ZERO, [-1.0, -0.0, 0.0, 1.0, 2.0]),
    ],
)
def test_rounding(rounding: Rounding, expected: list[float]) -> None:
    halves = np.array([-1.5, -0.5, 0.49999999999999994, 1.5, 2.5]).view(np.uint64)
    rounded = apply_unary(Op.FROUND, (64, 64), rounding, halves)
    assert rounded.tolist() == np.array(expected).view(np.uint64).tolist()
