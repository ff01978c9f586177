"""Numbers that give another the value it is compared with: its operations, undone.

What is found is rounded more often than the program rounds, so an answer is near it, or it. It is a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from untaken.model import floats
from untaken.model.expression import Node, Op
from untaken.model.operators import FLOAT_COMPARISONS
from untaken.solve.graph import Graph

Undo = Callable[[np.longdouble, np.longdouble], np.longdouble]
DEEPEST = 64  # operations that are undone

# The unknown operand, from the result and the other one: if the unknown one is the first, and if it is the second.
UNDO: dict[Op, tuple[Undo, Undo]] = {
    Op.FADD: (lambda result, known: result - known,) * 2,
    Op.FSUB: (lambda result, known: result + known, lambda result, known: known - result),
    Op.FMUL: (lambda result, known: result / known,) * 2,
    Op.FDIV: (lambda result, known: result * known, lambda result, known: known / result),
}


def undone_numbers(graph: Graph, below: Iterable[int]) -> Iterator[np.longdouble]:
    """What the numbers that are compared with a constant, among these nodes, would have to be made from."""
    with np.errstate(all="ignore"):
        for node in map(graph.node, below):
            if node.op in FLOAT_COMPARISONS:
                for known, unknown in ((node.a, node.b), (node.b, node.a)):
                    value = _constant(graph.node(known))
                    if value is not None:
                        yield _source(graph, unknown, value)


def _source(graph: Graph, index: int, value: np.longdouble) -> np.longdouble:
    """What the number that others are computed from has to be; of the last one that can be told."""
    for _ in range(DEEPEST):
        node = graph.node(index)
        if node.op is Op.FSQRT:
            index, value = node.a, value * value
        elif node.op in (Op.FCONVERT, Op.FROUND):
            index = node.a
        elif node.op is Op.XOR:
            index, value = node.a, -value
        else:
            operand = _unknown_operand(graph, node)
            if operand is None:
                break
            place, known = operand
            index, value = (node.a, node.b)[place], UNDO[node.op][place](value, known)
    return value


def _unknown_operand(graph: Graph, node: Node) -> tuple[int, np.longdouble] | None:
    """Which operand it is, if the other one is a constant; and that."""
    if node.op in UNDO:
        first, second = _constant(graph.node(node.a)), _constant(graph.node(node.b))
        if second is not None:
            return 0, second
        if first is not None:
            return 1, first
    return None


def _constant(node: Node) -> np.longdouble | None:
    return floats.number(node.constant, node.width) if node.op is Op.CONST else None
