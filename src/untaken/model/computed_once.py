"""Attributes that are computed when they are first asked for. For all stages, on objects that one thread has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_T = TypeVar("_T")


class computed_once(Generic[_T]):  # noqa: N801 - reads as property does
    """As functools.cached_property, whose lock (up to Python 3.11) takes longer than most of what is computed."""

    def __init__(self, compute: Callable[[Any], _T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> computed_once[_T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> _T: ...

    def __get__(self, instance: object, owner: type) -> _T | computed_once[_T]:
        if instance is None:
            return self
        value = self._compute(instance)
        vars(instance)[self._name] = value
        return value
