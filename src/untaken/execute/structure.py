"""Whether a node table is well formed, as runtime/abi.h says: what solvers rely on without looking."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import UNARY_FLOAT, WIDE, Op
from untaken.model.operators import ARITHMETIC as ON_INTEGERS
from untaken.model.operators import COMPARISONS as OF_INTEGERS
from untaken.model.operators import FLOAT_ARITHMETIC, FLOAT_COMPARISONS

ARITHMETIC = [*ON_INTEGERS, *FLOAT_ARITHMETIC]
COMPARISONS = [*OF_INTEGERS, *FLOAT_COMPARISONS]
COUNTS = [Op.CTPOP, Op.CTLZ, Op.CTTZ]
ONE_OPERAND = [Op.EXTRACT, Op.ZEXT, Op.SEXT, Op.READ, *COUNTS, *UNARY_FLOAT]
TWO_OPERANDS = [*ARITHMETIC, *COMPARISONS, Op.CONCAT]
USERS = {"a": [*ONE_OPERAND, *TWO_OPERANDS, Op.ITE], "b": [*TWO_OPERANDS, Op.ITE], "c": [Op.ITE]}
WORD, WIDEST = 64, 128  # bits
NUMBERS = (32, 64, 80)

Mask = NDArray[np.bool_]


def malformed(columns: NDArray[np.void]) -> list[tuple[int, str]]:
    """Nodes that break a rule, and the rule."""
    columns = columns.copy()
    flagged = columns["op"] & WIDE != 0
    columns["op"] &= WIDE - 1
    known: Mask = np.isin(columns["op"], list(Op)) & (columns["width"] >= 1) & (columns["width"] <= WIDEST)
    known[:1] = True
    if not known.all():
        return [(int(i), "operator and width are known") for i in np.flatnonzero(~known)]
    broken = [(int(i), "operands come before") for i in np.flatnonzero(forward_operands(columns))]
    if broken:
        return broken
    rules = [*broken_rules(columns), ("wide nodes say so", flagged != is_wide(columns))]
    return [(int(i), rule) for rule, wrong in rules for i in np.flatnonzero(wrong)]


def is_wide(columns: NDArray[np.void]) -> Mask:
    """Nodes of more than 64 bits, and those with such an operand."""
    wide: Mask = columns["width"] > WORD
    found = wide.copy()
    for name, ops in USERS.items():
        found |= np.isin(columns["op"], ops) & wide[np.minimum(columns[name], len(columns) - 1)]
    return found


def forward_operands(columns: NDArray[np.void]) -> Mask:
    """Nodes with an operand that is not a smaller, real node."""
    index = np.arange(len(columns))
    wrong: Mask = np.zeros(len(columns), np.bool_)
    for name, ops in USERS.items():
        wrong |= np.isin(columns["op"], ops) & ((columns[name] >= index) | (columns[name] == 0))
    return wrong


def broken_rules(columns: NDArray[np.void]) -> Iterator[tuple[str, Mask]]:
    """For each rule on widths, which nodes break it."""
    op, width = columns["op"], columns["width"].astype(np.int64)

    def of(name: str) -> NDArray[np.int64]:
        widths: NDArray[np.int64] = width[np.minimum(columns[name], len(columns) - 1)]
        return widths

    a, b, c = of("a"), of("b"), of("c")
    yield "arithmetic keeps the width", np.isin(op, ARITHMETIC) & ((a != width) | (b != width))
    yield "comparisons have width 1", np.isin(op, COMPARISONS) & (width != 1)
    yield "comparisons compare equal widths", np.isin(op, COMPARISONS) & (a != b)
    yield "a concatenation is as wide as its parts", (op == Op.CONCAT) & (a + b != width)
    yield "an extract lies inside its operand", (op == Op.EXTRACT) & (columns["b"].astype(np.int64) + width > a)
    yield "an extension is wider than its operand", np.isin(op, [Op.ZEXT, Op.SEXT]) & (width <= a)
    yield "a condition has width 1", (op == Op.ITE) & (a != 1)
    yield "both sides of a choice have its width", (op == Op.ITE) & ((b != width) | (c != width))
    yield "a table's index has 64 bits", (op == Op.READ) & (a != 64)
    yield "a bit count keeps the width", np.isin(op, COUNTS) & (a != width)
    from_number = [*FLOAT_COMPARISONS, Op.FSQRT, Op.FROUND, Op.FCONVERT, Op.TO_SIGNED]
    yield "operands are floats, doubles or long doubles", np.isin(op, from_number) & ~np.isin(a, NUMBERS)
    to_number = [*FLOAT_ARITHMETIC, *UNARY_FLOAT]
    whole = (op == Op.TO_SIGNED) & (np.isin(width, (32, 64)) | (width > WORD))
    yield "results are such numbers, or convert to them", np.isin(op, to_number) & ~np.isin(width, NUMBERS) & ~whole
    yield "rounding keeps the width", np.isin(op, [Op.FSQRT, Op.FROUND]) & (a != width)
    yield "an input is a byte", (op == Op.INPUT) & (width != 8)
    # A constant may not have bits above its width: caches compare constants as integers.
    constant = columns["b"].astype(np.uint64) | columns["c"].astype(np.uint64) << np.uint64(32)
    above = np.where(width < 64, constant >> np.minimum(width, 63).astype(np.uint64), np.uint64(0))
    yield "a constant fits its width", (op == Op.CONST) & (above != 0)
