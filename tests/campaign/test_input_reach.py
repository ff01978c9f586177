"""How far runs had looked into their input at each decision: found one by one, or in one pass over the node table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.solve.fakes import FakeExpressions
from untaken.campaign.machinery.input_reach import MANY, InputReach
from untaken.model.expression import Node, Op
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.solve.graph import Graph


class Counted(FakeExpressions):
    """Counts the nodes that are read one by one."""

    asked = 0

    def node(self, node: int) -> Node:
        self.asked += 1
        return super().node(node)


def run_of(make: FakeExpressions, nodes: list[int]) -> Path:
    constraints = np.zeros(len(nodes), CONSTRAINT_DTYPE)
    constraints["node"] = nodes
    return Path(b"", np.zeros(0, np.uint32), constraints, Exit(ExitKind.CODE, 0), generation=make.generation)


def subtractions(make: FakeExpressions, count: int) -> list[int]:
    """As of gcd: each comparison is built on the one before; now and then a choice, or an entry of a table."""
    number, found = make.word(0, 4), []
    for turn in range(count):
        number = make.binary(Op.SUB, number, make.extend(Op.ZEXT, make.input(turn // 3), 32))
        found.append(make.equals(number, turn))
        if turn % 50 == 0:
            number = make.ite(found[-1], number, make.word(turn, 4))
        if turn % 70 == 0:
            number = make.read(make.input(0), 32, [1, 2, 3], [0, number, make.word(turn, 4)])
    return found


def expected(make: FakeExpressions, nodes: list[int]) -> NDArray[np.intp]:
    graph = Graph(make)
    return np.maximum.accumulate([graph.inputs(node).bit_length() for node in nodes])


def test_all_decisions_are_measured_alike_few_or_many() -> None:
    make = FakeExpressions()
    nodes = subtractions(make, 4 * MANY)
    for asked in (nodes, nodes[:5], nodes[::40], nodes[::-1]):
        assert InputReach(make)(run_of(make, asked)).tolist() == expected(make, asked).tolist()


def test_runs_after_each_other_are_measured_as_by_themselves() -> None:
    make = FakeExpressions()
    nodes = subtractions(make, 4 * MANY)
    reach = InputReach(make)
    for asked in (nodes[3:5], nodes[2 * MANY :], nodes):
        assert reach(run_of(make, asked)).tolist() == expected(make, asked).tolist()


def test_long_runs_are_measured_in_one_pass() -> None:
    make = Counted()
    nodes = [make.binary(Op.ULT, make.word(offset, 4), make.constant(32, 7)) for offset in range(0, 8 * MANY, 4)]
    reach, before = InputReach(make), make.asked
    assert reach(run_of(make, nodes))[-1] == 8 * MANY
    assert make.asked - before < 20


def test_of_a_run_from_before_the_table_was_cleared_nothing_is_told() -> None:
    make = FakeExpressions()
    old = run_of(make, subtractions(make, 10))
    reach = InputReach(make)
    reach(old)
    make.clear()
    assert min(reach(old)) > 1 << 32
    assert reach(run_of(make, [make.equals(make.word(8, 4), 7)])).tolist() == [12]
