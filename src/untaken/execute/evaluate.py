"""The values of expression nodes from the input bytes alone, to be compared with what the program computed.

LLVM's semantics where it has one. Where LLVM leaves a result undefined the runtime records no node, but solvers may
ask about such inputs: division by zero, shifts by the width or more and INT_MIN / -1 have SMT-LIB's results here, as
they have in solvers, and a read past the end of its table gives 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.execute.nodes import NodeTable
from untaken.model import floats, libm
from untaken.model.expression import FUNCTION_CALLS, UNARY_FLOAT, WIDE, Node, Op, ReadTable, operands
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
    for i, (op, width, a, b, c) in enumerate(rows):
        if i == 0:
            continue
        if op in BINARY:
            values[i] = BINARY[op](values[a], values[b], widths[a], widths[b]) & ((1 << width) - 1)
        else:
            values[i] = other(Node(Op(op), width, a, b, c), values, widths, table, data)
    return values


def other(node: Node, values: Sequence[int], widths: Sequence[int], table: Tables, data: bytes) -> int:
    """Operators that are not functions of two operands alone."""
    match node.op:
        case Op.INPUT:
            return data[node.a] if node.a < len(data) else 0
        case Op.CONST:
            return node.constant
        case Op.EXTRACT:
            return values[node.a] >> node.b & ((1 << node.width) - 1)
        case Op.ZEXT:
            return values[node.a]
        case Op.SEXT:
            return signed(values[node.a], widths[node.a]) & ((1 << node.width) - 1)
        case Op.ITE:
            return values[node.b] if values[node.a] else values[node.c]
        case Op.READ:
            return read(table(node.b), values[node.a], values)
        case Op.CTPOP:
            return values[node.a].bit_count()
        case Op.CTLZ:
            return node.width - values[node.a].bit_length()
        case Op.CTTZ:
            return trailing_zeros(values[node.a], node.width)
        case op if op in UNARY_FLOAT:
            return floats.unary(op, (widths[node.a], node.width), node.b, values[node.a])
        case op if op in FUNCTION_CALLS:
            return libm.value(node.c, *(values[operand] for operand in operands(node)))
        case _:
            raise AssertionError(f"{node.op.name} is a binary operator")


def read(table: ReadTable, index: int, values: Sequence[int]) -> int:
    """An entry of a table: a constant, or a node."""
    if index >= len(table.values):
        return 0
    entry = table.entries[index]
    return values[entry] if entry else table.values[index]


def trailing_zeros(value: int, width: int) -> int:
    """Of zero: the width."""
    return (value & -value).bit_length() - 1 if value else width


def signed(value: int, width: int) -> int:
    """Two's complement."""
    return value - (1 << width) if value >> (width - 1) else value


# ---- binary operators: (a, b, width of a, width of b), the result is cut to the node's width ----------------------

BinaryFunction = Callable[[int, int, int, int], int]


def of_floats(op: Op) -> BinaryFunction:
    """An operator of floats or doubles."""

    def apply(a: int, b: int, wa: int, wb: int) -> int:
        return floats.binary(op, wa, a, b)

    return apply


def unsigned_divide(a: int, b: int, wa: int, wb: int) -> int:
    return a // b if b else -1


def unsigned_remainder(a: int, b: int, wa: int, wb: int) -> int:
    return a % b if b else a


def signed_divide(a: int, b: int, wa: int, wb: int) -> int:
    """Rounds towards zero, as C does."""
    x, y = signed(a, wa), signed(b, wb)
    if y == 0:
        return 1 if x < 0 else -1
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def signed_remainder(a: int, b: int, wa: int, wb: int) -> int:
    """Has the sign of the dividend, as in C."""
    x, y = signed(a, wa), signed(b, wb)
    if y == 0:
        return x
    return abs(x) % abs(y) * (1 if x >= 0 else -1)


def shift_left(a: int, b: int, wa: int, wb: int) -> int:
    return a << b if b < wa else 0


def shift_right(a: int, b: int, wa: int, wb: int) -> int:
    return a >> b  # nothing is left of it if b reaches the width


def shift_right_signed(a: int, b: int, wa: int, wb: int) -> int:
    return signed(a, wa) >> b


BINARY: dict[int, BinaryFunction] = {
    Op.ADD: lambda a, b, wa, wb: a + b,
    Op.SUB: lambda a, b, wa, wb: a - b,
    Op.MUL: lambda a, b, wa, wb: a * b,
    Op.UDIV: unsigned_divide,
    Op.SDIV: signed_divide,
    Op.UREM: unsigned_remainder,
    Op.SREM: signed_remainder,
    Op.SHL: shift_left,
    Op.LSHR: shift_right,
    Op.ASHR: shift_right_signed,
    Op.AND: lambda a, b, wa, wb: a & b,
    Op.OR: lambda a, b, wa, wb: a | b,
    Op.XOR: lambda a, b, wa, wb: a ^ b,
    Op.EQ: lambda a, b, wa, wb: a == b,
    Op.ULT: lambda a, b, wa, wb: a < b,
    Op.ULE: lambda a, b, wa, wb: a <= b,
    Op.SLT: lambda a, b, wa, wb: signed(a, wa) < signed(b, wb),
    Op.SLE: lambda a, b, wa, wb: signed(a, wa) <= signed(b, wb),
    Op.CONCAT: lambda a, b, wa, wb: a << wb | b,
    **{op: of_floats(op) for op in (Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FEQ, Op.FLT, Op.FLE)},
}
FLOAT_RESULTS = frozenset({Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FSQRT, Op.FROUND, Op.FCONVERT, *FUNCTION_CALLS})
