"""The input bytes that nodes depend on: found one by one, or in one pass over the table, which has to agree."""

from __future__ import annotations

import numpy as np

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Node, Op
from untaken.solve.graph import Graph
from untaken.solve.values.input_sets import FAR, MANY


def comparisons(make: FakeExpressions) -> list[int]:
    """Of integers near the beginning of an input and far from it, of their sums, and of choices between them."""
    total, found = make.word(0, 4), []
    for offset in range(0, 3 * FAR, FAR // 128):
        number = make.word(offset, 4)
        total = make.binary(Op.ADD, total, number)
        found += [make.binary(Op.ULT, number, make.constant(32, offset)), make.equals(total, offset)]
        found.append(make.binary(Op.EQ, make.add(Op.ITE, 32, found[-1], number, total), number))
    return found


def test_a_pass_over_the_table_finds_the_same_sets(make: FakeExpressions) -> None:
    nodes = comparisons(make)
    assert len(nodes) > MANY
    prepared, alone = Graph(make), Graph(make)
    prepared.input_sets.prepare(np.array(nodes), make)
    assert [prepared.inputs(node) for node in nodes] == [alone.inputs(node) for node in nodes]
    assert [prepared.input_sets.window(node) for node in nodes] == [alone.input_sets.window(node) for node in nodes]
    assert prepared.input_sets.bytes > 0


class Counted(FakeExpressions):
    """Counts the nodes that are read one by one."""

    asked = 0

    def node(self, node: int) -> Node:
        self.asked += 1
        return super().node(node)


def test_a_pass_over_the_table_reads_hardly_any_node_by_itself() -> None:
    make = Counted()
    nodes = [make.binary(Op.ULT, make.word(offset, 4), make.constant(32, 7)) for offset in range(0, 40 * FAR, 64)]
    graph, before = Graph(make), make.asked
    graph.input_sets.prepare(np.array(nodes), make)
    assert all(graph.inputs(node).bit_count() == 4 for node in nodes)
    assert make.asked - before < 10


def test_what_was_read_long_before_it_is_compared_is_passed_too() -> None:
    """A loop reads an array, and another one compares what is in it."""
    make = Counted()
    words = [make.word(offset, 4) for offset in range(0, 40 * FAR, 64)]
    nodes = [make.binary(Op.ULT, word, make.constant(32, 7)) for word in words]
    graph, before = Graph(make), make.asked
    graph.input_sets.prepare(np.array(nodes), make)
    assert all(graph.inputs(node).bit_count() == 4 for node in nodes)
    assert make.asked - before < 10
