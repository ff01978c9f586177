"""What the floating-point operators mean, for many values at once: IEEE 754, rounded to nearest, ties to even.

Values are the bits of floats, doubles and long doubles, in words of 64 bits as most values of nodes are; long doubles
have more, and are integers of Python. Of the many that are not a number any may be the result: programs and solvers get
different ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import Op, Rounding

Words = NDArray[Any]  # np.uint64, or integers of Python
Floats = NDArray[Any]  # np.float32, np.float64 or np.longdouble

LONG_DOUBLE = 80  # bits, as the x87 has them
KINDS: dict[int, Any] = {32: np.float32, 64: np.float64, LONG_DOUBLE: np.longdouble}
_STORED, _USED = np.dtype(np.longdouble).itemsize, LONG_DOUBLE // 8  # bytes of a long double


def words_of(values: Iterable[int], width: int) -> Words:
    """Values of this width, as they are computed with."""
    return np.array([*values], np.uint64 if width <= 64 else object)


def floats_of(bits: Words, width: int) -> Floats:
    """The numbers that these bits are."""
    if width == LONG_DOUBLE:
        return np.frombuffer(b"".join(int(word).to_bytes(_STORED, "little") for word in bits), np.longdouble)
    return bits.view(np.float64) if width == 64 else bits.astype(np.uint32).view(np.float32)


def bits_of(numbers: Floats) -> Words:
    """The bits of these numbers."""
    if numbers.dtype == np.longdouble:
        raw = numbers.tobytes()
        starts = range(0, len(raw), _STORED)
        return words_of((int.from_bytes(raw[at : at + _USED], "little") for at in starts), LONG_DOUBLE)
    return numbers.view(np.uint64) if numbers.dtype == np.float64 else numbers.view(np.uint32).astype(np.uint64)


def number(bits: int, width: int) -> np.longdouble:
    """The number that some bits are."""
    return np.longdouble(floats_of(words_of((bits,), width), width)[0])


def is_nan(bits: Words, width: int) -> NDArray[np.bool_]:
    """Whether these bits are no number."""
    found: NDArray[np.bool_] = np.isnan(floats_of(bits, width))
    return found


def binary(op: Op, width: int, a: int, b: int) -> int:
    """Arithmetic and comparisons of two numbers of this width."""
    return int(apply_binary(op, width, words_of((a,), width), words_of((b,), width))[0])


def unary(op: Op, widths: tuple[int, int], rounding: int, a: int) -> int:
    """An operation on one number, see `apply_unary`."""
    return int(apply_unary(op, widths, rounding, words_of((a,), widths[0]))[0])


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
    kind = KINDS[widths[1]]
    if op in (Op.FROM_SIGNED, Op.FROM_UNSIGNED):
        return _from_integers(a, widths[0], kind, is_signed=op is Op.FROM_SIGNED)
    number = floats_of(a, widths[0])
    if op is Op.FROUND:
        return ROUNDED[rounding](number)
    return np.sqrt(number) if op is Op.FSQRT else number.astype(kind)


def _from_integers(a: Words, width: int, kind: Any, *, is_signed: bool) -> Floats:
    if width > 64:
        sign = (1 << (width - 1)) if is_signed else 0
        return np.array([_from_integer((int(each) ^ sign) - sign, kind) for each in a], kind)
    if not is_signed:
        return a.astype(kind)
    shift = np.int64(64 - width)
    return ((a.view(np.int64) << shift) >> shift).astype(kind)


def _from_integer(number: int, kind: Any) -> Any:
    """The nearest number of a kind to an integer of any size."""
    magnitude, precision = abs(number), int(np.finfo(kind).nmant) + 1
    surplus = max(0, magnitude.bit_length() - precision)
    kept, rest = magnitude >> surplus, magnitude & ((1 << surplus) - 1)
    half = 1 << surplus >> 1
    if surplus and (rest > half or (rest == half and kept & 1)):
        kept += 1
    if kept >> precision:
        kept, surplus = kept >> 1, surplus + 1
    exact = np.ldexp(np.uint64(kept).astype(kind), surplus)
    return -exact if number < 0 else exact


def _away(numbers: Floats) -> Floats:
    whole = np.trunc(numbers)
    further = (np.abs(numbers - whole) >= 0.5).astype(numbers.dtype)
    rounded: Floats = np.copysign(whole + np.copysign(further, numbers), numbers)
    return rounded


def _whole(numbers: Floats, width: int) -> Words:
    """As the processor converts: what does not fit becomes the smallest number."""
    exact = numbers if numbers.dtype == np.longdouble else numbers.astype(np.float64)
    limit = np.ldexp(exact.dtype.type(1), width - 1)
    fits = (exact < limit) & ((exact > -limit - 1) if width == 32 else (exact >= -limit))
    smallest, mask = 1 << (width - 1), (1 << width) - 1
    if width > 64:
        return words_of((int(each) & mask if fit else smallest for each, fit in zip(exact, fits, strict=True)), width)
    whole = np.where(fits, exact, exact.dtype.type(0)).astype(np.int64).view(np.uint64)
    return np.where(fits, whole & np.uint64(mask), np.uint64(smallest))


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
