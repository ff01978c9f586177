"""The values of functions that have no expression (model/mathematics.py): libm itself is asked."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from untaken.model.mathematics import FUNCTIONS

_C_TYPES = {"d": ctypes.c_double, "f": ctypes.c_float, "i": ctypes.c_int}
_DTYPES: dict[str, type[np.generic]] = {"d": np.float64, "f": np.float32, "i": np.int32}


def apply(number: int, *arguments: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What the function of this number gives for many arguments: bits in, bits out."""
    function, call = FUNCTIONS[number], _real(number)
    columns = [_decoded(words, letter) for words, letter in zip(arguments, function.parameters, strict=True)]
    size = next((len(column) for column in columns if len(column) != 1), 1)  # maybe none at all
    rows = zip(*(column if len(column) == size else column * size for column in columns), strict=True)
    return _encoded([call(*row) for row in rows], function.result)


def value(number: int, *arguments: int) -> int:
    """What the function of this number gives for one argument, or one pair."""
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


def _decoded(words: NDArray[np.uint64], letter: str) -> list[float]:
    if letter == "d":
        column: list[float] = words.view(np.float64).tolist()
    else:
        column = words.astype(np.uint32).view(_DTYPES[letter]).tolist()
    return column


def _encoded(results: list[float], letter: str) -> NDArray[np.uint64]:
    numbers = np.array(results, _DTYPES[letter])
    return numbers.view(np.uint64) if letter == "d" else numbers.view(np.uint32).astype(np.uint64)
