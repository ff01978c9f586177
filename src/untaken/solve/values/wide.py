"""Evaluates operations on bit-vectors of more than 64 bits for many inputs at once: as arrays of Python's integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from untaken.execute.evaluate import BINARY, signed, trailing_zeros
from untaken.model import floats
from untaken.model.expression import UNARY_FLOAT, Node, Op
from untaken.model.floats import Words
from untaken.solve.graph import Graph


def apply(graph: Graph, node: Node, values: Mapping[int, Words]) -> Words:
    """The value of a node that is wide, or has a wide operand, from those of its operands."""
    width, a = graph.node(node.a).width, values[node.a]
    if node.op in UNARY_FLOAT:
        return floats.apply_unary(node.op, (width, node.width), node.b, a)
    if node.op in floats.BINARY:
        return floats.apply_binary(node.op, width, a, values[node.b])
    if node.op is Op.ITE:
        return np.where(a != 0, values[node.b].astype(object), values[node.c].astype(object))
    mask = (1 << node.width) - 1
    if node.op in BINARY:
        binary, other = BINARY[node.op], graph.node(node.b).width
        result = _each(lambda x, y: int(binary(x, y, width, other)) & mask, a, values[node.b])
    else:
        unary = _unary(node, width)
        result = _each(lambda x: unary(x) & mask, a)
    return result if node.width > 64 else result.astype(np.uint64)


def _each(function: Callable[..., int], *operands: Words) -> Words:
    """An array of what a function of integers gives for each place; those of one value are repeated."""
    result: Words = np.frompyfunc(function, len(operands), 1)(*(operand.astype(object) for operand in operands))
    return result


def _unary(node: Node, width: int) -> Callable[[int], int]:
    match node.op:
        case Op.EXTRACT:
            return lambda x: x >> node.b
        case Op.ZEXT:
            return lambda x: x
        case Op.SEXT:
            return lambda x: signed(x, width)
        case Op.CTPOP:
            return lambda x: x.bit_count()
        case Op.CTLZ:
            return lambda x: width - x.bit_length()
        case Op.CTTZ:
            return lambda x: trailing_zeros(x, width)
    raise ValueError(f"operator {node.op!r} has no wide operands")
