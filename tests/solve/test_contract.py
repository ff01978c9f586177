"""One contract for all solvers: the right answer, and models that hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.solve.fakes import BruteForceSolver, FakeExpressions, RandomConditions
from untaken.model.effort import Effort
from untaken.model.expression import Op
from untaken.solve.answers import Sat, Unsat
from untaken.solve.backends.registry import make_backend
from untaken.solve.graph import Graph
from untaken.solve.layers.bounding import BoundingSolver
from untaken.solve.layers.caching import CachingSolver
from untaken.solve.layers.enumeration import EnumeratingSolver
from untaken.solve.layers.guessing import GuessingSolver
from untaken.solve.layers.lazy import LazySolver
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.solver import Solver
from untaken.solve.stack import default_solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.batch import evaluate, first_satisfying
from untaken.solve.values.bounds import BoundFinder
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.combinations import CombinationSearch
from untaken.solve.values.conjunctions import Conjunctions
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.truth import TruthTables
from untaken.solve.worker.remote import RemoteSolver

LIMITS = QueryLimits()


def searches(graph: Graph, tables: TruthTables) -> tuple[DomainFinder, CombinationSearch]:
    return DomainFinder(graph, Conjunctions(graph, tables)), CombinationSearch(graph, tables.vectors)


MAKERS: dict[str, Callable[[FakeExpressions, Graph], Solver]] = {
    "brute-force": lambda make, graph: BruteForceSolver(graph),
    "bitwuzla": lambda make, graph: make_backend("bitwuzla", graph, TruthTables(graph), LIMITS),
    "bitwuzla-heavy": lambda make, graph: make_backend("bitwuzla", graph, TruthTables(graph), LIMITS, heavy=True),
    "z3": lambda make, graph: make_backend("z3", graph, TruthTables(graph), LIMITS),
    "worker": lambda make, graph: RemoteSolver("bitwuzla", graph, LIMITS),
    "enumeration": lambda make, graph: EnumeratingSolver(
        BruteForceSolver(graph), graph, TruthTables(graph), Statistics()
    ),
    "caching": lambda make, graph: CachingSolver(BruteForceSolver(graph), graph, ScalarEvaluator(graph), Statistics()),
    "bounding": lambda make, graph: BoundingSolver(
        BruteForceSolver(graph),
        searches(graph, TruthTables(graph))[0],
        BoundFinder(graph, TruthTables(graph).vectors),
        Statistics(),
    ),
    "guessing": lambda make, graph: GuessingSolver(
        BruteForceSolver(graph), *searches(graph, TruthTables(graph)), Statistics()
    ),
    "lazy": lambda make, graph: LazySolver(BruteForceSolver(graph), ScalarEvaluator(graph), LIMITS, Effort(), least=0),
    "stack": lambda make, graph: default_solver(make),
    "stack-z3": lambda make, graph: default_solver(make, "z3"),
    "stack-all-heavy": lambda make, graph: default_solver(make, limits=QueryLimits(light=0)),
}


@pytest.fixture(params=MAKERS)
def solver(request: pytest.FixtureRequest, make: FakeExpressions, graph: Graph) -> Iterator[Solver]:
    made = MAKERS[request.param](make, graph)
    yield made
    made.close()


def code(node: int, side: bool = True) -> int:
    return 2 * node + side


def holds(graph: Graph, query: Query, answer: object) -> bool:
    return isinstance(answer, Sat) and first_satisfying(graph, query.assertions, [answer.model], query.hint) is not None


def test_equal_byte(solver: Solver, make: FakeExpressions) -> None:
    query = Query.of([code(make.equals(make.input(3), ord("x")))], b"....")
    assert solver.solve(query) == Sat({3: ord("x")})


def test_contradiction(solver: Solver, make: FakeExpressions) -> None:
    a, b = make.input(0), make.input(1)
    same = make.binary(Op.EQ, a, b)
    query = Query.of([code(make.equals(a, 1)), code(make.equals(b, 2)), code(same)])
    assert isinstance(solver.solve(query), Unsat)


def test_a_core_is_a_contradiction_of_its_own(solver: Solver, make: FakeExpressions, graph: Graph) -> None:
    a, b = make.input(0), make.input(1)
    facts = [code(make.equals(a, value), False) for value in range(10)]
    below = make.binary(Op.ULT, a, b)
    query = Query.of([*facts, code(make.equals(b, 0)), code(below)])
    answer = solver.solve(query)
    assert isinstance(answer, Unsat)
    if answer.core is not None:
        assert answer.core <= query.key
        assert isinstance(BruteForceSolver(graph).solve(Query.of(sorted(answer.core))), Unsat)


def test_goal_that_contradicts_the_same_condition(solver: Solver, make: FakeExpressions) -> None:
    condition = make.equals(make.word(0, 2), 0x4142)
    assert isinstance(solver.solve(Query.of([code(condition), code(condition, False)])), Unsat)


def test_a_repeated_question_has_the_same_answer(solver: Solver, make: FakeExpressions) -> None:
    total = make.binary(Op.ADD, make.input(0), make.input(1))
    query = Query.of([code(make.equals(total, 77))])
    assert solver.solve(query) == solver.solve(query)


@pytest.mark.parametrize("seed", range(2))
def test_random_conditions_against_brute_force(solver: Solver, make: FakeExpressions, graph: Graph, seed: int) -> None:
    rng = random.Random(seed)
    conditions = RandomConditions(make, rng, (0, 5))
    oracle = BruteForceSolver(graph)
    pool = [conditions.boolean(3) for _ in range(12)]
    for _ in range(12):
        hint = rng.randbytes(6)
        query = flipped(graph, rng.sample(pool, rng.randint(1, 4)), hint)
        answer, expected = solver.solve(query), oracle.solve(query)
        assert type(answer) is type(expected)
        assert isinstance(answer, Unsat) or holds(graph, query, answer)


def flipped(graph: Graph, nodes: list[int], hint: bytes) -> Query:
    """What a run with this input would record, with its last decision flipped."""
    inputs = {index: np.array([value], np.uint64) for index, value in enumerate(hint)}
    values = evaluate(graph, nodes, inputs, 1)
    codes = [2 * node + int(values[node][0]) for node in nodes]
    codes[-1] ^= 1
    return Query.of(codes, hint)
