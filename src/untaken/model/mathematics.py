"""The functions of libm that have no expression: a node names the function, and its value is what libm computes.

Instrumented code calls the real function and names it in a node (build/instrument/mathematics.py); whoever evaluates
the node asks libm again, here. Solvers know nothing about such a node but that equal ones are equal.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

_OF_ONE = """acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 j0 j1 lgamma log log10 log1p
    log2 logb sin sinh tan tanh tgamma y0 y1"""
_OF_TWO = "pow atan2 drem fdim fmod hypot nextafter remainder"
_OF_NUMBER_AND_INTEGER = "ldexp scalbn"
_TO_INTEGER = "ilogb"
_WIDTHS = {"d": 64, "f": 32, "i": 32}


@dataclass(frozen=True, slots=True)
class Function:
    """Types are letters: d is a double, f a float, i an int."""

    name: str
    parameters: str
    result: str

    @property
    def widths(self) -> tuple[int, ...]:
        """Of the parameters, in bits."""
        return tuple(_WIDTHS[letter] for letter in self.parameters)

    @property
    def result_width(self) -> int:
        """In bits."""
        return _WIDTHS[self.result]


def _in_both_widths(names: str, parameters: str, result: str) -> list[Function]:
    """The function of doubles, and the one of floats, whose name has an f at its end."""
    return [
        Function(name + suffix, parameters.replace("d", letter), result.replace("d", letter))
        for name in names.split()
        for suffix, letter in (("", "d"), ("f", "f"))
    ]


# The place of a function in here is its number in nodes. The runtime knows pow and powf, which come first.
FUNCTIONS: tuple[Function, ...] = (
    *_in_both_widths(_OF_TWO, "dd", "d"),
    *_in_both_widths(_OF_ONE, "d", "d"),
    *_in_both_widths(_OF_NUMBER_AND_INTEGER, "di", "d"),
    *_in_both_widths(_TO_INTEGER, "d", "i"),
)
POWERS = 2
NUMBERS: dict[str, int] = {function.name: number for number, function in enumerate(FUNCTIONS)}

_C_TYPES = {"d": ctypes.c_double, "f": ctypes.c_float, "i": ctypes.c_int}
_DTYPES: dict[str, type[np.generic]] = {"d": np.float64, "f": np.float32, "i": np.int32}


def apply(number: int, *arguments: Words) -> Words:
    """What the function of this number gives for many arguments: bits in, bits out."""
    function, call = FUNCTIONS[number], _real(number)
    columns = [_decoded(words, letter) for words, letter in zip(arguments, function.parameters, strict=True)]
    size = max(map(len, columns))
    rows = zip(*(column if len(column) == size else column * size for column in columns), strict=True)
    return _encoded([call(*row) for row in rows], function.result)


def value(number: int, *arguments: int) -> int:
    """The same for one."""
    return int(apply(number, *(np.array((argument,), np.uint64) for argument in arguments))[0])


@cache
def _real(number: int) -> Callable[..., float]:
    function = FUNCTIONS[number]
    found = getattr(_library(), function.name)
    found.argtypes = [_C_TYPES[letter] for letter in function.parameters]
    found.restype = _C_TYPES[function.result]
    real: Callable[..., float] = found
    return real


@cache
def _library() -> ctypes.CDLL:
    """Programs are linked with the same one: what numpy computes differs from it in the last bit."""
    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:  # where it is a part of libc
        return ctypes.CDLL(None)


def _decoded(words: Words, letter: str) -> list[float]:
    if letter == "d":
        column: list[float] = words.view(np.float64).tolist()
    else:
        column = words.astype(np.uint32).view(_DTYPES[letter]).tolist()
    return column


def _encoded(results: list[float], letter: str) -> Words:
    numbers = np.array(results, _DTYPES[letter])
    return numbers.view(np.uint64) if letter == "d" else numbers.view(np.uint32).astype(np.uint64)
