"""The values of expression nodes from the input bytes alone, to be compared with what the program computed.

So what the operators mean (model/operators.py) is held against the runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.execute.nodes import NodeTable
from untaken.model import floats, libm
from untaken.model.expression import FUNCTION_CALLS, UNARY_FLOAT, WIDE, Node, Op, ReadTable, operands
from untaken.model.operators import OPERATORS, detail_of, on_integers
from untaken.model.path import Path

WORD = (1 << 64) - 1
Tables = Callable[[int], ReadTable]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A node whose recorded value is not what its expression says, or a constraint whose side is not."""

    node: int
    op: Op
    expected: int  # by the expression
    got: int  # by the program


def check(expressions: NodeTable, path: Path) -> list[Disagreement]:
    """Compares all nodes and constraints of a run. The table must hold this run alone: clear it before."""
    columns = expressions.columns()
    computed = _compute(columns, expressions.table, path.input)
    values = _words(computed)
    wrong = [
        Disagreement(int(i), _operator(columns[i]), computed[i], int(columns["value"][i]))
        for i in np.flatnonzero(values != columns["value"])
        if not _are_nan(columns, computed, int(i))
    ]
    sides = values[path.constraints["node"]]
    for i in np.flatnonzero(sides != path.constraints["taken"]):
        node = int(path.constraints["node"][i])
        wrong.append(Disagreement(node, _operator(columns[node]), int(sides[i]), int(path.constraints["taken"][i])))
    return wrong


def _operator(record: np.void) -> Op:
    return Op(int(record["op"]) & ~WIDE)


def _are_nan(columns: NDArray[np.void], computed: Sequence[int], index: int) -> bool:
    """Whether a result of floating point is no number, by both accounts: there are many of these.

    Of a long double that is computed, the upper bits are a node of their own; they are looked at as it is.
    """
    record = columns[index]
    if _operator(record) is Op.EXTRACT and columns["width"][record["a"]] == floats.LONG_DOUBLE:
        index = int(record["a"])
        record = columns[index]
    width, found = int(record["width"]), computed[index]
    if _operator(record) not in FLOAT_RESULTS:
        return False
    recorded = int(record["value"]) | found & ~WORD
    return bool(floats.is_nan(floats.words_of((found, recorded), width), width).all())


def evaluate(columns: NDArray[np.void], table: Tables, data: bytes) -> NDArray[np.uint64]:
    """The value of every node, in the order of the table, or its lowest 64 bits; index 0 is no node and has 0."""
    return _words(_compute(columns, table, data))


def _words(values: Sequence[int]) -> NDArray[np.uint64]:
    return np.array([value & WORD for value in values], np.uint64)


def _compute(columns: NDArray[np.void], table: Tables, data: bytes) -> list[int]:
    widths: list[int] = columns["width"].tolist()
    values = [0] * len(columns)
    rows = zip((columns["op"] & (WIDE - 1)).tolist(), widths, *(columns[name].tolist() for name in "abc"), strict=True)
    nodes = [Node(Op(op or Op.INPUT), *row) for op, *row in rows]
    for i, node in enumerate(nodes[1:], 1):
        if node.op in OPERATORS:
            function = on_integers(node.op, widths[node.a], node.width, detail_of(node, nodes.__getitem__))
            values[i] = int(function(*(values[operand] for operand in operands(node))))
        else:
            values[i] = other(node, values, widths, table, data)
    return values


def other(node: Node, values: Sequence[int], widths: Sequence[int], table: Tables, data: bytes) -> int:
    """Operators that are not functions of bit-vectors alone."""
    match node.op:
        case Op.INPUT:
            return data[node.a] if node.a < len(data) else 0
        case Op.CONST:
            return node.constant
        case Op.READ:
            return read(table(node.b), values[node.a], values)
        case op if op in floats.BINARY:
            return floats.binary(op, widths[node.a], values[node.a], values[node.b])
        case op if op in UNARY_FLOAT:
            return floats.unary(op, (widths[node.a], node.width), node.b, values[node.a])
        case op if op in FUNCTION_CALLS:
            return libm.value(node.c, *(values[operand] for operand in operands(node)))
        case _:
            raise AssertionError(f"{node.op.name} has no meaning")


def read(table: ReadTable, index: int, values: Sequence[int]) -> int:
    """An entry of a table: a constant, or a node."""
    if index >= len(table.values):
        return 0
    entry = table.entries[index]
    return values[entry] if entry else table.values[index]


FLOAT_RESULTS = frozenset({Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FSQRT, Op.FROUND, Op.FCONVERT, *FUNCTION_CALLS})
