"""Expressions: bit-vector nodes in one table that is kept over a whole campaign.

A node is named by its index; 0 is no node. Operators and record layout are those of runtime/abi.h. Operands
always have smaller indices than the node itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Op(IntEnum):
    """Node operators; numbers as in `enum untaken_op`."""

    INPUT = 1
    CONST = 2
    ADD = 3
    SUB = 4
    MUL = 5
    UDIV = 6
    SDIV = 7
    UREM = 8
    SREM = 9
    SHL = 10
    LSHR = 11
    ASHR = 12
    AND = 13
    OR = 14
    XOR = 15
    EQ = 16
    ULT = 17
    ULE = 18
    SLT = 19
    SLE = 20
    CONCAT = 21
    EXTRACT = 22
    ZEXT = 23
    SEXT = 24
    ITE = 25
    READ = 26
    CTPOP = 27
    CTLZ = 28
    CTTZ = 29
    FADD = 30
    FSUB = 31
    FMUL = 32
    FDIV = 33
    FEQ = 34
    FLT = 35
    FLE = 36
    FSQRT = 37
    FROUND = 38
    FCONVERT = 39
    FROM_SIGNED = 40
    FROM_UNSIGNED = 41
    TO_SIGNED = 42
    FUNCTION = 43
    FUNCTION2 = 44


WIDE = 0x80  # in the node table: added to the operator of a node of more than 64 bits, or with an operand of more
NODE_DTYPE = np.dtype(
    [
        ("op", "u1"),
        ("width", "u1"),
        ("reserved", "<u2"),
        ("a", "<u4"),
        ("b", "<u4"),
        ("c", "<u4"),
        ("value", "<u8"),
    ]
)
# Between which input bytes those lie that a node depends on; without any, `first` is UNREACHED.
REACH_DTYPE = np.dtype([("first", "<u4"), ("end", "<u4")])
UNREACHED = 0xFFFFFFFF


class Rounding(IntEnum):
    """To which whole number an FROUND goes: its `b`."""

    TO_EVEN = 0
    AWAY = 1
    UP = 2
    DOWN = 3
    TO_ZERO = 4


@dataclass(frozen=True, slots=True)
class ReadTable:
    """What a READ selects from: entry i is node `entries[i]` if that is nonzero, else the constant `values[i]`."""

    width: int
    values: tuple[int, ...]
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """One expression node. For INPUT, `a` is the index of the input byte; for CONST, `c` has all bits from 32 on."""

    op: Op
    width: int
    a: int
    b: int
    c: int

    @property
    def constant(self) -> int:
        """The value of a CONST."""
        return self.b | self.c << 32


class Expressions(Protocol):
    """The node table as solvers and evaluators see it. `generation` changes when it was cleared."""

    @property
    def generation(self) -> int: ...

    def __len__(self) -> int: ...

    def node(self, node: int) -> Node: ...

    def table(self, offset: int) -> ReadTable:
        """The table that a READ names in `b`."""
        ...


class ReachTable(Protocol):
    """Which input bytes nodes depend on, as the runtime has found it at the end of each run."""

    @property
    def generation(self) -> int: ...

    def reach(self) -> NDArray[np.void]:
        """Of each node that runs have left, as REACH_DTYPE."""
        ...


class ExpressionTable(Expressions, Protocol):
    """The whole table, which can also be read by columns."""

    def columns(self) -> NDArray[np.void]:
        """All nodes, as NODE_DTYPE; row 0 is no node."""
        ...


# Functions of libm, of one and of two arguments: `c` is the number of the function (model/mathematics.py).
FUNCTION_CALLS = frozenset({Op.FUNCTION, Op.FUNCTION2})
# How many operands, by operator: all others have two. A table, since this is asked of every node.
ARITY = [2] * (max(Op) + 1)
ARITY[Op.INPUT] = ARITY[Op.CONST] = 0
ARITY[Op.ITE] = 3
UNARY_FLOAT = (Op.FSQRT, Op.FROUND, Op.FCONVERT, Op.FROM_SIGNED, Op.FROM_UNSIGNED, Op.TO_SIGNED)
for _unary in (Op.EXTRACT, Op.ZEXT, Op.SEXT, Op.READ, Op.CTPOP, Op.CTLZ, Op.CTTZ, *UNARY_FLOAT, Op.FUNCTION):
    ARITY[_unary] = 1


def operands(node: Node) -> tuple[int, ...]:
    """The nodes that a node is built from, tables aside."""
    return (node.a, node.b, node.c)[: ARITY[node.op]]
