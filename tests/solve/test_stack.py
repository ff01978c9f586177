"""The whole stack: made from paths, over cleared tables, on deep expressions, the same every time."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.model.path import CONSTRAINT_DTYPE, ConstraintKind, Exit, ExitKind, Path
from untaken.solve.answers import Sat, Unsat
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.stack import default_solver


def path(data: bytes, decided: list[tuple[int, ConstraintKind, bool]]) -> Path:
    constraints = np.zeros(len(decided), CONSTRAINT_DTYPE)
    for row, (node, kind, taken) in zip(constraints, decided, strict=True):
        row["node"], row["kind"], row["taken"] = node, kind, taken
    return Path(data, np.zeros(0, np.uint32), constraints, Exit(ExitKind.CODE))


def test_flip_of_a_path() -> None:
    make = FakeExpressions()
    first, second = make.equals(make.input(0), ord("a")), make.equals(make.input(1), ord("b"))
    taken = path(b"zz", [(first, ConstraintKind.BRANCH, False), (second, ConstraintKind.BRANCH, False)])
    solver = default_solver(make)
    assert solver.solve(Query.flip(taken, 1)) == Sat({1: ord("b")})
    assert solver.solve(Query.flip(taken, 0)) == Sat({0: ord("a")})
    assert solver.statistics.queries == solver.statistics.sat == 2


def test_a_pin_is_given_up_optimistically() -> None:
    make = FakeExpressions()
    pin, goal = make.equals(make.input(0), 7), make.binary(Op.ULT, make.input(0), make.constant(8, 5))
    taken = path(b"\7", [(pin, ConstraintKind.PIN, True), (goal, ConstraintKind.BRANCH, False)])
    solver = default_solver(make)
    answer = solver.solve(Query.flip(taken, 1))
    assert isinstance(answer, Sat) and answer.optimistic and answer.model[0] < 5
    assert solver.statistics.optimistic == 1


def test_a_cleared_table_forgets_everything() -> None:
    make = FakeExpressions()
    solver = default_solver(make)
    assert solver.solve(Query.of([2 * make.equals(make.word(0, 2), 0x4141) + 1])) == Sat({0: 0x41, 1: 0x41})
    make.clear()
    assert solver.solve(Query.of([2 * make.equals(make.word(0, 2), 0x4242) + 1])) == Sat({0: 0x42, 1: 0x42})
    assert solver.statistics.queries == 2


def test_a_goal_that_was_found_impossible_is_ruled_out() -> None:
    make = FakeExpressions()
    text = make.concat(make.constant(8, 0), make.input(0))
    longer, letter = make.equals(text, 0x6261), make.equals(text, 0x61)
    taken = path(b"z", [(longer, ConstraintKind.BRANCH, False), (letter, ConstraintKind.BRANCH, False)])
    first, second = (Query.flip(taken, index).goal for index in (0, 1))
    solver = default_solver(make)
    assert not solver.rules_out(first), "nobody has asked yet"
    assert isinstance(solver.solve(Query.flip(taken, 0)), Unsat)
    assert solver.rules_out(first) and not solver.rules_out(second)
    assert solver.statistics.queries == solver.statistics.unsat == 2
    make.clear()
    assert not solver.rules_out(first), "numbers mean something else now"


def test_deep_expressions_need_no_recursion() -> None:
    make = FakeExpressions()
    total = make.constant(32, 0)
    for link in range(20_000):
        total = make.binary(Op.ADD, total, make.extend(Op.ZEXT, make.input(link % 3), 32))
    solver = default_solver(make, limits=QueryLimits(largest=2_000_000))
    answer = solver.solve(Query.of([2 * make.equals(total, 13_333) + 1], bytes(3)))
    assert isinstance(answer, Sat)
    assert sum(answer.model.get(link % 3, 0) for link in range(20_000)) == 13_333


def test_thousands_of_constraints() -> None:
    make = FakeExpressions()
    chain = [2 * make.binary(Op.ULE, make.input(index), make.input(index + 1)) + 1 for index in range(3000)]
    goal = 2 * make.equals(make.input(0), 9) + 1
    answer = default_solver(make).solve(Query.of([*chain, goal], bytes(3001)))
    assert isinstance(answer, Sat)
    values = [answer.model.get(index, 0) for index in range(3001)]
    assert values[0] == 9 and values == sorted(values)
    ceiling = 2 * make.equals(make.input(3000), 8) + 1
    assert isinstance(default_solver(make).solve(Query.of([*chain, ceiling, goal], bytes(3000) + b"\x08")), Unsat)


SCRIPT = """
import random
from tests.solve.fakes import FakeExpressions, RandomConditions
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.stack import default_solver
make, rng = FakeExpressions(), random.Random(3)
conditions, solver = RandomConditions(make, rng, (0, 1, 2)), default_solver(make)
pool = [conditions.boolean(3) for _ in range(10)]
for _ in range(25):
    answer = solver.solve(Query.of([2 * node + rng.randrange(2) for node in rng.sample(pool, 3)], b"xyz"))
    print(type(answer).__name__, sorted(getattr(answer, "model", {}).items()))
"""


def test_answers_do_not_depend_on_the_hash_seed() -> None:
    outputs = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        run = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, check=True)
        outputs.add(run.stdout)
    assert len(outputs) == 1 and b"Sat" in outputs.pop()
