"""Evaluates expressions for many inputs at once, with numpy, as bit-vectors of up to 64 bits; wide.py has wider ones.

What the operators mean is said in model/operators.py. A READ past the end of its table is zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from untaken.model import floats, libm
from untaken.model.expression import ARITY, FUNCTION_CALLS, UNARY_FLOAT, Node, Op, operands
from untaken.model.floats import Words
from untaken.model.operators import OPERATORS, detail_of
from untaken.solve.graph import Graph, nodes_of
from untaken.solve.query import kept
from untaken.solve.values import wide
from untaken.solve.values.arrays import on_arrays

# Members by themselves: to look one up in its class takes ten times as long as to compare it.
INPUT, CONST, READ = Op.INPUT, Op.CONST, Op.READ

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
    graph.effort.operate(len(below), max(map(len, inputs.values()), default=1))
    return values


def same(value: int, width: int = 64) -> Words:
    """One value for all inputs: numpy repeats it."""
    return floats.words_of((value,), width)


def apply(graph: Graph, node: Node, values: Mapping[int, Words]) -> Words:
    """The value of a node that has operands, from theirs."""
    op, a, width = node.op, values[node.a], graph.node(node.a).width
    if width > 64 or node.width > 64:
        return wide.apply(graph, node, values)
    if op in OPERATORS:
        function = on_arrays(op, width, node.width, detail_of(node, graph.node))
        match ARITY[op]:
            case 1:
                return function(a)
            case 2:
                return function(a, values[node.b])
        return function(a, values[node.b], values[node.c])
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
