"""A query that hangs is given up, also inside the solver's preprocessing, and the next one is answered."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator

import pytest

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.solve.answers import Sat, Unknown
from untaken.solve.backends.registry import make_backend
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.stack import SolverStack, default_solver
from untaken.solve.values.truth import TruthTables
from untaken.solve.worker.remote import GRACE, RemoteSolver


def division_chain(make: FakeExpressions, length: int) -> Query:
    """Bit-blasting this takes seconds for a hundred links, in which bitwuzla looks at no limit."""
    a, b = make.word(0, 8), make.word(8, 8)
    value = a
    for link in range(length):
        product, total = make.binary(Op.MUL, value, (a, b)[link % 2]), make.binary(Op.ADD, value, (b, a)[link % 2])
        value = make.binary((Op.SREM, Op.UDIV)[link % 2], product, total)
    return Query.of([2 * make.equals(value, 12345) + 1], bytes(16))


def easy(make: FakeExpressions) -> Query:
    return Query.of([2 * make.equals(make.binary(Op.ADD, make.word(0, 2), make.word(2, 2)), 999) + 1], bytes(4))


@pytest.fixture
def solver(make: FakeExpressions) -> Iterator[SolverStack]:
    made = default_solver(make, limits=QueryLimits(steps=300, seconds=1.0, light=30_000))
    yield made
    made.close()


def test_bit_blasting_is_cut_off_by_killing_the_process(make: FakeExpressions) -> None:
    limits = QueryLimits(seconds=0.5)
    solver = RemoteSolver("bitwuzla", Graph(make), limits)
    assert isinstance(solver.solve(easy(make)), Sat)  # the process is up
    started = time.monotonic()
    answer = solver.solve(division_chain(make, 250))
    assert isinstance(answer, Unknown) and "did not answer" in answer.reason
    assert time.monotonic() - started < limits.seconds + GRACE + 2
    assert isinstance(solver.solve(easy(make)), Sat)
    solver.close()


def test_a_process_that_dies_is_an_unknown(make: FakeExpressions) -> None:
    solver = RemoteSolver("bitwuzla", Graph(make), QueryLimits())
    assert isinstance(solver.solve(easy(make)), Sat)
    assert solver._worker is not None
    solver._worker._process.send_signal(signal.SIGKILL)
    assert isinstance(solver.solve(easy(make)), Unknown)
    assert isinstance(solver.solve(easy(make)), Sat)
    solver.close()


def test_search_is_cut_off_after_counted_steps(make: FakeExpressions) -> None:
    factors = [make.word(0, 8), make.word(8, 8)]
    large = [2 * make.binary(Op.ULT, make.constant(64, 1 << 20), factor) + 1 for factor in factors]
    small = [2 * make.binary(Op.ULT, factor, make.constant(64, 1 << 40)) + 1 for factor in factors]
    product = 2 * make.equals(make.binary(Op.MUL, *factors), 0xDEADBEEFCAFEBABD) + 1
    graph = Graph(make)
    solver = make_backend("bitwuzla", graph, TruthTables(graph), QueryLimits(steps=300))
    assert solver.solve(Query.of([*large, *small, product])) == Unknown("more than 300 steps")
    assert isinstance(solver.solve(easy(make)), Sat)


def test_heavy_queries_go_to_the_worker_and_huge_ones_to_nobody(make: FakeExpressions, solver: SolverStack) -> None:
    assert isinstance(solver.solve(division_chain(make, 5)), Unknown)
    by_worker = solver.statistics.by_worker
    assert by_worker > 0
    answer = solver.solve(division_chain(make, 1000))
    assert isinstance(answer, Unknown) and "too large" in answer.reason
    assert solver.statistics.by_worker == by_worker
    assert isinstance(solver.solve(easy(make)), Sat)
    assert solver.statistics.unknown == 2


def test_interrupt_reaches_the_caller(make: FakeExpressions) -> None:
    solver = default_solver(make, limits=QueryLimits(steps=10**9, seconds=20, light=10**9))
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.solve(division_chain(make, 3))
    timer.join()
