"""What the operators on bit-vectors mean: written once. Every evaluator is made from these lines.

The meaning is SMT-LIB's, which all solvers share: division by zero gives all ones, remainder by zero the dividend, too
large a shift only zeros or sign bits. Where LLVM says what comes out, it says the same. Solvers have these operators
themselves, under the names that stand here. Floats are in model/floats.py, functions of libm in model/libm.py.

Each meaning is an expression of Python about whole numbers from 0. Its letters:

    a, b, c   the operands
    w, m, h   of the width of a: the width, all ones, and the sign bit alone
    r         all ones of the result's width
    d         a detail: of CONCAT the width of b, of EXTRACT how many low bits are left out

`on_integers` makes a function of it, `text` something to be put into a larger function (solve/values/scalar.py), and
solve/values/arrays.py reads it as an expression about arrays of numpy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from untaken.model.expression import Node, Op

# Members by themselves: to look one up in its class takes ten times as long as to compare it.
CONCAT, EXTRACT = Op.CONCAT, Op.EXTRACT


class Operator(NamedTuple):
    """The name in SMT-LIB (of the bit counts and of READ there is none), and the meaning."""

    smt: str
    meaning: str


_QUOTIENT, _REMAINDER = "a // b if b else m", "a % b if b else a"
# What meanings may call, besides `ones` and `length`: parameters, and again an expression.
PARTS = {
    "negated_if": ("c, a, m", "-a & m if c else a"),
    "quotient": ("a, b, m", _QUOTIENT),
    "remainder": ("a, b", _REMAINDER),
}
_MAGNITUDES = "negated_if(a & h, a, m), negated_if(b & h, b, m)"

OPERATORS = {
    Op.ADD: Operator("bvadd", "a + b & m"),
    Op.SUB: Operator("bvsub", "a - b & m"),
    Op.MUL: Operator("bvmul", "a * b & m"),
    Op.UDIV: Operator("bvudiv", _QUOTIENT),
    Op.SDIV: Operator("bvsdiv", f"negated_if((a ^ b) & h, quotient({_MAGNITUDES}, m), m)"),
    Op.UREM: Operator("bvurem", _REMAINDER),
    Op.SREM: Operator("bvsrem", f"negated_if(a & h, remainder({_MAGNITUDES}), m)"),
    Op.SHL: Operator("bvshl", "a << b & m if b < w else 0"),
    Op.LSHR: Operator("bvlshr", "a >> b"),
    Op.ASHR: Operator("bvashr", "(a ^ m) >> b ^ m if a & h else a >> b"),
    Op.AND: Operator("bvand", "a & b"),
    Op.OR: Operator("bvor", "a | b"),
    Op.XOR: Operator("bvxor", "a ^ b"),
    Op.EQ: Operator("=", "a == b"),
    Op.ULT: Operator("bvult", "a < b"),
    Op.ULE: Operator("bvule", "a <= b"),
    Op.SLT: Operator("bvslt", "a ^ h < b ^ h"),  # with both signs turned over, the order is that of unsigned numbers
    Op.SLE: Operator("bvsle", "a ^ h <= b ^ h"),
    Op.CONCAT: Operator("concat", "a << d | b"),
    Op.EXTRACT: Operator("extract", "a >> d & r"),
    Op.ZEXT: Operator("zero_extend", "a"),
    Op.SEXT: Operator("sign_extend", "(a ^ h) - h & r"),
    Op.ITE: Operator("ite", "b if a else c"),
    Op.CTPOP: Operator("", "ones(a)"),
    Op.CTLZ: Operator("", "w - length(a)"),
    Op.CTTZ: Operator("", "ones(~a & a - 1 & m)"),
}
ARITHMETIC = frozenset(op for op in Op if Op.ADD <= op <= Op.XOR)
COMPARISONS = frozenset({Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE})
FLOAT_ARITHMETIC = frozenset({Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV})
FLOAT_COMPARISONS = frozenset({Op.FEQ, Op.FLT, Op.FLE})

_LETTER = re.compile(r"\b[a-z]\b")


def constants(width: int, result: int, detail: int) -> dict[str, int]:
    """What the letters that are no operands stand for."""
    return {"w": width, "m": (1 << width) - 1, "h": 1 << (width - 1), "r": (1 << result) - 1, "d": detail}


def detail_of(node: Node, node_at: Callable[[int], Node]) -> int:
    """The letter d of a node: what its meaning depends on besides the widths."""
    if node.op is EXTRACT:
        return node.b
    return node_at(node.b).width if node.op is CONCAT else 0


@cache
def text(op: Op, width: int, result: int, detail: int = 0) -> str:
    """The meaning for these widths, with {a}, {b} and {c} where the operands go; to be run among FUNCTIONS."""
    known = constants(width, result, detail)
    return _LETTER.sub(lambda letter: str(known.get(letter[0], f"{{{letter[0]}}}")), OPERATORS[op].meaning)


@cache
def on_integers(op: Op, width: int, result: int, detail: int = 0) -> Callable[..., int]:
    """The meaning for these widths as a function of the operands; of truth values it gives True or False."""
    filled = text(op, width, result, detail)
    operands = [letter for letter in "abc" if f"{{{letter}}}" in filled]
    body = filled.format(a="a", b="b", c="c")
    function: Callable[..., int] = eval(f"lambda {', '.join(operands)}: {body}", dict(FUNCTIONS))
    return function


def _functions() -> dict[str, object]:
    parts = {name: eval(f"lambda {parameters}: {body}") for name, (parameters, body) in PARTS.items()}
    return {**parts, "ones": int.bit_count, "length": int.bit_length}


FUNCTIONS = _functions()
