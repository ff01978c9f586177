"""The different values of a column. For all stages; numpy's own function asks for masked arrays first, which takes as
long as hundreds of runs when it is called for the first time, and a few microseconds each time."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Number = TypeVar("_Number", bound=np.integer)


def distinct(values: NDArray[_Number]) -> NDArray[_Number]:
    """Each value once, in ascending order."""
    return first_of_each(np.sort(values, axis=None))


def first_of_each(ordered: NDArray[_Number]) -> NDArray[_Number]:
    """Each value once, of values in ascending order."""
    return ordered[_differs_from_last(ordered)]


def first_places(values: NDArray[_Number]) -> tuple[NDArray[_Number], NDArray[np.intp]]:
    """Each value once, in ascending order, and where it comes first."""
    order = values.argsort(kind="stable")
    ordered = values[order]
    is_first = _differs_from_last(ordered)
    return ordered[is_first], order[is_first]


def _differs_from_last(ordered: NDArray[_Number]) -> NDArray[np.bool_]:
    differs = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=differs[1:])
    return differs
