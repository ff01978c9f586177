"""A query that hangs is given up, also inside the solver's preprocessing, and the next one is answered."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator

import pytest

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.solve.answers import Answer, Sat, Unknown
from untaken.solve.backends.registry import make_backend
from untaken.solve.graph import Graph
from untaken.solve.layers.triage import TriagingSolver
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.stack import SolverStack, default_solver
from untaken.solve.statistics import Statistics
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


def subtraction_chain(make: FakeExpressions, length: int) -> Query:
    """What the greatest common divisor of 100,000 and 7 asks, by subtraction: each link has an assertion."""
    a, b = make.word(0, 4), make.word(4, 4)
    codes = []
    for _ in range(length):
        codes.append(2 * make.binary(Op.ULT, b, a) + 1)
        a = make.binary(Op.SUB, a, b)
    return Query.of([*codes, 2 * make.binary(Op.ULT, a, b) + 1], (100_000).to_bytes(4, "little") + b"\7\0\0\0")


def is_certain(answer: Answer) -> bool:
    return isinstance(answer, Sat) and not answer.optimistic


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


class Asked:
    """A solver that only counts."""

    def __init__(self) -> None:
        self.times = 0

    def solve(self, query: Query) -> Answer:
        self.times += 1
        return Unknown("asked")

    def close(self) -> None:
        pass


def test_a_long_chain_waits_until_it_may_cost_more(make: FakeExpressions) -> None:
    inner, statistics = Asked(), Statistics()
    solver = TriagingSolver(inner, inner, Graph(make), QueryLimits(), statistics)
    query = subtraction_chain(make, 400)
    for allowed, times in ((50, 0), (1_000, 0), (20_000, 1)):
        statistics.effort.allow(allowed)
        before = statistics.effort.spent
        answer = solver.solve(query)
        assert inner.times == times
        assert isinstance(answer, Unknown) and statistics.effort.spent - before <= allowed
    assert statistics.effort.spent > 2_000, "it is known to be expensive, whatever the solver makes of it"


def test_thousands_of_assertions_about_a_few_bytes_are_not_handled_for_little(make: FakeExpressions) -> None:
    solver = default_solver(make)
    effort, query = solver.statistics.effort, subtraction_chain(make, 5_000)
    effort.allow(500)
    assert not is_certain(solver.solve(query))
    assert effort.spent <= 500 and solver.statistics.by_solver <= 1, "but for the last link alone"
    solver.close()


def test_interrupt_reaches_the_caller(make: FakeExpressions) -> None:
    solver = default_solver(make, limits=QueryLimits(steps=10**9, seconds=20, light=10**9))
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.solve(division_chain(make, 3))
    timer.join()
