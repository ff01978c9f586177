"""Of large questions few assertions are asked, and the answers are those of the whole."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from tests.solve.fakes import FakeExpressions, RandomConditions
from untaken.model.effort import Effort
from untaken.model.expression import Op
from untaken.solve.answers import Answer, Sat, Unknown, Unsat, apply
from untaken.solve.backends.registry import make_backend
from untaken.solve.graph import Graph
from untaken.solve.layers.lazy import LazySolver
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query, keeps
from untaken.solve.solver import Solver
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.truth import TruthTables

PATH = 300  # assertions
OLD = bytes(range(1, 200))


@dataclass
class Counting:
    """Keeps how much it was asked at once."""

    inner: Solver
    sizes: list[int] = field(default_factory=list)

    def solve(self, query: Query) -> Answer:
        self.sizes.append(len(query.assertions))
        return self.inner.solve(query)

    def close(self) -> None:
        self.inner.close()


def bitwuzla(graph: Graph) -> Solver:
    return make_backend("bitwuzla", graph, TruthTables(graph), QueryLimits())


def lazy(make: FakeExpressions, least: int = 0) -> tuple[LazySolver, Counting, Effort]:
    graph, effort = Graph(make), Effort()
    counting = Counting(bitwuzla(graph))
    return LazySolver(counting, ScalarEvaluator(graph), QueryLimits(), effort, least), counting, effort


def decided(make: FakeExpressions) -> list[int]:
    """A path that holds of the old input: sums of neighbours that are what they are."""
    sums = [make.binary(Op.ADD, make.word(place % 190, 2), make.word((place + 3) % 190, 2)) for place in range(PATH)]
    total = [
        (OLD[place % 190] | OLD[place % 190 + 1] << 8) + (OLD[(place + 3) % 190] | OLD[(place + 3) % 190 + 1] << 8)
        for place in range(PATH)
    ]
    return [2 * make.equals(node, value) + 1 for node, value in zip(sums, total, strict=True)]


def test_a_contradiction_of_few_assertions_is_found_with_few(make: FakeExpressions) -> None:
    codes = decided(make)
    goal = 2 * make.binary(Op.ULT, make.binary(Op.ADD, make.word(50, 2), make.word(53, 2)), make.constant(16, 9)) + 1
    solver, counting, effort = lazy(make)
    answer = solver.solve(Query.of([*codes, goal], OLD))
    assert isinstance(answer, Unsat) and answer.core is not None
    assert goal in answer.core and answer.core <= {*codes, goal}
    assert max(counting.sizes) < PATH / 4
    assert effort.spent > 0


def test_a_goal_that_cannot_be_is_asked_for_alone(make: FakeExpressions) -> None:
    remainder = make.binary(Op.UREM, make.word(0, 2), make.constant(16, 7))
    goal = 2 * make.binary(Op.ULT, remainder, make.constant(16, 7))
    solver, counting, _ = lazy(make)
    assert isinstance(solver.solve(Query.of([*decided(make), goal], OLD)), Unsat)
    assert counting.sizes == [1]


def test_small_questions_are_asked_as_they_are(make: FakeExpressions) -> None:
    codes = decided(make)[:20]
    solver, counting, _ = lazy(make, least=1 << 60)
    solver.solve(Query.of([*codes, 2 * make.equals(make.input(199), 3) + 1], OLD))
    assert counting.sizes == [21]


def test_what_is_too_large_for_now_is_left_to_who_says_so(make: FakeExpressions) -> None:
    solver, counting, effort = lazy(make)
    effort.allow(10)
    solver.solve(Query.of([*decided(make), 2 * make.equals(make.input(0), 3) + 1], OLD))
    assert counting.sizes == [len(set(decided(make))) + 1]


def test_bytes_that_keep_their_values_are_always_there(make: FakeExpressions) -> None:
    goal = 2 * make.equals(make.word(0, 2), 0x0505) + 1
    solver, counting, _ = lazy(make)
    answer = solver.solve(Query.of([keeps(1, 2), *decided(make), goal], OLD))
    assert isinstance(answer, Unsat) and answer.core == frozenset((keeps(1, 2), goal))
    assert counting.sizes == [2]


def test_what_the_solver_does_not_know_with_few_it_is_not_asked_with_many(make: FakeExpressions) -> None:
    class Lost:
        def solve(self, query: Query) -> Answer:
            return Unknown("too hard")

        def close(self) -> None: ...

    graph = Graph(make)
    counting = Counting(Lost())
    solver = LazySolver(counting, ScalarEvaluator(graph), QueryLimits(), Effort(), 0)
    assert isinstance(solver.solve(Query.of([*decided(make), 2 * make.equals(make.input(0), 3) + 1], OLD)), Unknown)
    assert counting.sizes == [1]


@pytest.mark.parametrize("seed", range(12))
def test_answers_are_those_of_the_whole(make: FakeExpressions, seed: int) -> None:
    rng = random.Random(seed)
    conditions = RandomConditions(make, rng, range(6), widest=32)
    old = bytes(rng.randrange(256) for _ in range(6))
    graph = Graph(make)
    scalar, whole = ScalarEvaluator(graph), bitwuzla(graph)
    solver, _, _ = lazy(make)
    for _ in range(6):
        nodes = [conditions.boolean(2) for _ in range(40)]
        path = [2 * node + scalar.holds(2 * node + 1, old) for node in nodes]
        query = Query.of([*path[:-1], path[-1] ^ 1], old)
        found, expected = solver.solve(query), whole.solve(query)
        assert type(found) is type(expected)
        if isinstance(found, Sat):
            assert scalar.all_hold(query.assertions, apply(found.model, old))
            assert set(found.model) == set(graph.inputs_of(query.assertions)), "the next one may have another input"
