"""What the floating-point operators mean, for many values at once: IEEE 754, rounded to nearest, ties to even.

Values are the bits of floats and doubles, in words of 64 bits as all values of nodes are. Of the many that are not a
number any may be the result: programs and solvers get different ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import Op, Rounding

Words = NDArray[np.uint64]
Floats = NDArray[Any]  # np.float32 or np.float64


def floats_of(bits: Words, width: int) -> Floats:
    """The numbers that these bits are."""
    return bits.view(np.float64) if width == 64 else bits.astype(np.uint32).view(np.float32)


def bits_of(numbers: Floats) -> Words:
    """The bits of these numbers."""
    return numbers.view(np.uint64) if numbers.dtype == np.float64 else numbers.view(np.uint32).astype(np.uint64)


def is_nan(bits: Words, width: int) -> NDArray[np.bool_]:
    """Whether these bits are no number."""
    found: NDArray[np.bool_] = np.isnan(floats_of(bits, width))
    return found


def apply_binary(op: Op, width: int, a: Words, b: Words) -> Words:
    """Arithmetic and comparisons of numbers of this width."""
    with np.errstate(all="ignore"):
        result = BINARY[op](floats_of(a, width), floats_of(b, width))
    return bits_of(result) if result.dtype != np.bool_ else result.astype(np.uint64)


def apply_unary(op: Op, widths: tuple[int, int], rounding: int, a: Words) -> Words:
    """From the first width to the second; `rounding` counts for FROUND alone."""
    with np.errstate(all="ignore"):
        if op is Op.TO_SIGNED:
            return _whole(floats_of(a, widths[0]), widths[1])
        return bits_of(_number(op, widths, rounding, a))


def _number(op: Op, widths: tuple[int, int], rounding: int, a: Words) -> Floats:
    kind = np.float32 if widths[1] == 32 else np.float64
    if op is Op.FROM_UNSIGNED:
        return a.astype(kind)
    if op is Op.FROM_SIGNED:
        shift = np.int64(64 - widths[0])
        return ((a.view(np.int64) << shift) >> shift).astype(kind)
    number = floats_of(a, widths[0])
    if op is Op.FROUND:
        return ROUNDED[rounding](number)
    return np.sqrt(number) if op is Op.FSQRT else number.astype(kind)


def _away(numbers: Floats) -> Floats:
    whole = np.trunc(numbers)
    further = (np.abs(numbers - whole) >= 0.5).astype(numbers.dtype)
    rounded: Floats = np.copysign(whole + np.copysign(further, numbers), numbers)
    return rounded


def _whole(numbers: Floats, width: int) -> Words:
    """As the processor converts: what does not fit becomes the smallest number."""
    exact = numbers.astype(np.float64)
    limit = float(1 << (width - 1))
    fits = (exact < limit) & ((exact > -limit - 1) if width == 32 else (exact >= -limit))
    smallest, mask = np.uint64(1 << (width - 1)), np.uint64((1 << width) - 1)
    return np.where(fits, np.where(fits, exact, 0.0).astype(np.int64).view(np.uint64) & mask, smallest)


BINARY: dict[int, Callable[[Floats, Floats], Floats]] = {
    Op.FADD: np.add,
    Op.FSUB: np.subtract,
    Op.FMUL: np.multiply,
    Op.FDIV: np.divide,
    Op.FEQ: np.equal,
    Op.FLT: np.less,
    Op.FLE: np.less_equal,
}
ROUNDED: dict[int, Callable[[Floats], Floats]] = {
    Rounding.TO_EVEN: np.rint,
    Rounding.AWAY: _away,
    Rounding.UP: np.ceil,
    Rounding.DOWN: np.floor,
    Rounding.TO_ZERO: np.trunc,
}
