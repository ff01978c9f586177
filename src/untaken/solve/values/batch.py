"""Evaluates expressions for many inputs at once, with numpy, as bit-vectors of up to 64 bits; wide.py has wider ones.

The meaning of each operator is that of SMT-LIB, which the solvers share: division by zero gives all ones,
remainder by zero the dividend, too large a shift only zeros or sign bits. A READ past the end of its table is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from untaken.model import floats, libm
from untaken.model.expression import FUNCTION_CALLS, UNARY_FLOAT, Node, Op, operands
from untaken.model.floats import Words
from untaken.solve.graph import Graph, nodes_of
from untaken.solve.query import kept
from untaken.solve.values import wide

# Members by themselves: to look one up in its class takes ten times as long as to compare it.
INPUT, CONST, CONCAT, EXTRACT, ITE, READ = Op.INPUT, Op.CONST, Op.CONCAT, Op.EXTRACT, Op.ITE, Op.READ

SIXTY_FOUR = np.uint64(64)
ZERO = np.zeros(1, np.uint64)


def evaluate(graph: Graph, roots: Sequence[int], inputs: Mapping[int, Words], size: int) -> dict[int, Words]:
    """The values of the roots for `size` inputs. A byte that is the same in all is given once; else it is 0."""
    values = evaluate_all(graph, graph.below(roots), inputs)
    return {root: values[root] if len(values[root]) == size else np.repeat(values[root], size) for root in roots}


def evaluate_all(graph: Graph, below: Sequence[int], inputs: Mapping[int, Words]) -> dict[int, Words]:
    """The values of all these nodes, operands first; one that is the same for all inputs is there once."""
    values: dict[int, Words] = {}
    for index in below:
        node = graph.node(index)
        if node.op is INPUT:
            values[index] = inputs.get(node.a, ZERO)
        elif node.op is CONST:
            values[index] = same(node.constant, node.width)
        else:
            values[index] = apply(graph, node, values)
    return values


def same(value: int, width: int = 64) -> Words:
    """One value for all inputs: numpy repeats it."""
    return floats.words_of((value,), width)


def apply(graph: Graph, node: Node, values: Mapping[int, Words]) -> Words:
    """The value of a node that has operands, from theirs."""
    a = values[node.a]
    width = graph.node(node.a).width
    if width > 64 or node.width > 64:
        return wide.apply(graph, node, values)
    if node.op in BINARY:
        return BINARY[node.op](a, values[node.b], width)
    if node.op in UNARY:
        return UNARY[node.op](a, width) & _mask(node.width)
    op = node.op
    if op is CONCAT:
        return (a << np.uint64(graph.node(node.b).width)) | values[node.b]
    if op is EXTRACT:
        return (a >> np.uint64(node.b)) & _mask(node.width)
    if op is ITE:
        return np.where(a != 0, values[node.b], values[node.c])
    if op is READ:
        return _read(graph, node, values)
    if op in floats.BINARY:
        return floats.apply_binary(op, width, a, values[node.b])
    if op in UNARY_FLOAT:
        return floats.apply_unary(op, (width, node.width), node.b, a)
    if op in FUNCTION_CALLS:
        return libm.apply(node.c, *(values[operand] for operand in operands(node)))
    raise ValueError(f"operator {op!r} is not an expression")


def _read(graph: Graph, node: Node, values: Mapping[int, Words]) -> Words:
    column = graph.column(node.b)
    index = values[node.a]
    result = column[np.minimum(index, np.uint64(len(column) - 1)).astype(np.intp)]
    for place, label in graph.labelled(node.b):
        result = np.where(index == np.uint64(place), values[label], result)
    return result


def _mask(width: int) -> np.uint64:
    return np.uint64((1 << width) - 1)


def _signed(a: Words, width: int) -> NDArray[np.int64]:
    """The value as a two's complement number."""
    shift = np.int64(64 - width)
    return (a.view(np.int64) << shift) >> shift


def _divide(a: Words, b: Words, width: int) -> Words:
    return np.where(b == 0, _mask(width), a // np.where(b == 0, np.uint64(1), b))


def _remainder(a: Words, b: Words, width: int) -> Words:
    return np.where(b == 0, a, a % np.where(b == 0, np.uint64(1), b))


def _negative(a: Words, width: int) -> NDArray[np.bool_]:
    negative: NDArray[np.bool_] = (a >> np.uint64(width - 1)) != 0
    return negative


def _negate_if(condition: NDArray[np.bool_], a: Words, width: int) -> Words:
    return np.where(condition, (~a + np.uint64(1)) & _mask(width), a)


def _signed_divide(a: Words, b: Words, width: int) -> Words:
    minus_a, minus_b = _negative(a, width), _negative(b, width)
    quotient = _divide(_negate_if(minus_a, a, width), _negate_if(minus_b, b, width), width)
    return _negate_if(minus_a != minus_b, quotient, width)


def _signed_remainder(a: Words, b: Words, width: int) -> Words:
    minus_a = _negative(a, width)
    magnitude = _negate_if(_negative(b, width), b, width)
    return _negate_if(minus_a, _remainder(_negate_if(minus_a, a, width), magnitude, width), width)


def _shift_left(a: Words, b: Words, width: int) -> Words:
    return np.where(b < np.uint64(width), (a << (b % SIXTY_FOUR)) & _mask(width), np.uint64(0))


def _shift_right(a: Words, b: Words, width: int) -> Words:
    return np.where(b < np.uint64(width), a >> (b % SIXTY_FOUR), np.uint64(0))


def _shift_right_signed(a: Words, b: Words, width: int) -> Words:
    distance = np.minimum(b, np.uint64(width - 1)).astype(np.int64)
    return (_signed(a, width) >> distance).view(np.uint64) & _mask(width)


def _population(a: Words, width: int) -> Words:
    """The number of set bits: sums of neighbouring fields of 1, 2, 4, ... bits."""
    for size in (1, 2, 4, 8, 16, 32):
        fields = np.uint64((1 << 64) // ((1 << size) + 1))  # every other field of this size: 0x5555..., 0x3333...
        a = (a & fields) + ((a >> np.uint64(size)) & fields)
    return a


def _leading_zeros(a: Words, width: int) -> Words:
    for shift in (1, 2, 4, 8, 16, 32):
        a = a | (a >> np.uint64(shift))
    return np.subtract(np.uint64(width), _population(a, width))


def _trailing_zeros(a: Words, width: int) -> Words:
    below_lowest = ~a & (a - np.uint64(1))
    return _population(below_lowest & _mask(width), width)


def _truth(a: NDArray[np.bool_]) -> Words:
    return a.astype(np.uint64)


BINARY: dict[Op, Callable[[Words, Words, int], Words]] = {
    Op.ADD: lambda a, b, width: (a + b) & _mask(width),
    Op.SUB: lambda a, b, width: (a - b) & _mask(width),
    Op.MUL: lambda a, b, width: (a * b) & _mask(width),
    Op.UDIV: _divide,
    Op.SDIV: _signed_divide,
    Op.UREM: _remainder,
    Op.SREM: _signed_remainder,
    Op.SHL: _shift_left,
    Op.LSHR: _shift_right,
    Op.ASHR: _shift_right_signed,
    Op.AND: lambda a, b, width: a & b,
    Op.OR: lambda a, b, width: a | b,
    Op.XOR: lambda a, b, width: a ^ b,
    Op.EQ: lambda a, b, width: _truth(a == b),
    Op.ULT: lambda a, b, width: _truth(a < b),
    Op.ULE: lambda a, b, width: _truth(a <= b),
    Op.SLT: lambda a, b, width: _truth(_signed(a, width) < _signed(b, width)),
    Op.SLE: lambda a, b, width: _truth(_signed(a, width) <= _signed(b, width)),
}

UNARY: dict[Op, Callable[[Words, int], Words]] = {
    Op.ZEXT: lambda a, width: a,
    Op.SEXT: lambda a, width: _signed(a, width).view(np.uint64),
    Op.CTPOP: _population,
    Op.CTLZ: _leading_zeros,
    Op.CTTZ: _trailing_zeros,
}


def first_satisfying(
    graph: Graph, codes: Sequence[int], models: Sequence[Mapping[int, int]], hint: bytes
) -> Mapping[int, int] | None:
    """The first model that, put into the old input, makes all assertions true."""
    inputs = {}
    for index in graph.inputs_of(codes):
        old = hint[index] if index < len(hint) else 0
        inputs[index] = np.array([model.get(index, old) for model in models], np.uint64)
    results = evaluate(graph, nodes_of(codes), inputs, len(models))
    holds = np.ones(len(models), np.bool_)
    for code in codes:
        holds &= results[code >> 1] == code & 1 if code >= 0 else inputs[kept(code)[0]] == kept(code)[1]
    return models[int(holds.argmax())] if holds.any() else None
