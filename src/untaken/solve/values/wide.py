"""Evaluates operations on bit-vectors of more than 64 bits for many inputs at once: as arrays of Python's integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from untaken.model import floats
from untaken.model.expression import UNARY_FLOAT, Node, operands
from untaken.model.floats import Words
from untaken.model.operators import detail_of, on_integers
from untaken.solve.graph import Graph


def apply(graph: Graph, node: Node, values: Mapping[int, Words]) -> Words:
    """The value of a node that is wide, or has a wide operand, from those of its operands."""
    width, a = graph.node(node.a).width, values[node.a]
    if node.op in UNARY_FLOAT:
        return floats.apply_unary(node.op, (width, node.width), node.b, a)
    if node.op in floats.BINARY:
        return floats.apply_binary(node.op, width, a, values[node.b])
    function = on_integers(node.op, width, node.width, detail_of(node, graph.node))
    result = _each(function, *(values[operand] for operand in operands(node)))
    return result if node.width > 64 else result.astype(np.uint64)


def _each(function: Callable[..., int], *columns: Words) -> Words:
    """An array of what a function of integers gives for each place; those of one value are repeated."""
    result: Words = np.frompyfunc(function, len(columns), 1)(*(column.astype(object) for column in columns))
    return result
