"""What a solver says to a query: a result, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from untaken.errors import UntakenError
from untaken.model.effort import UNLIMITED


@dataclass(frozen=True, slots=True)
class Sat:
    """Values for the input bytes that the query is about; all others keep their old value.

    An optimistic model satisfies only a part of the query: it is believed only after the run. `gave_up`: because the
    whole was too hard.
    """

    model: Mapping[int, int]
    optimistic: bool = False
    gave_up: bool = False


@dataclass(frozen=True, slots=True)
class Unsat:
    """No input exists. `core`: assertions of the query that already contradict each other, if known.

    `relaxed`: what would satisfy the query without its pins, if that was found on the way.
    """

    core: frozenset[int] | None = None
    relaxed: Sat | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver gave up, and why."""

    reason: str
    allowed: int = UNLIMITED  # steps after which it gave up; it may answer if it has more of them


Answer = Sat | Unsat | Unknown


class DisagreementError(UntakenError):
    """Two solvers contradict each other, or a model does not satisfy its query: a bug of ours or of a solver."""


def apply(model: Mapping[int, int], hint: bytes) -> bytes:
    """The old input with the model's bytes put in; it grows, with zeros, where the model reaches past its end."""
    size = max(len(hint), max(model, default=-1) + 1)
    changed = bytearray(hint.ljust(size, b"\0"))
    for index, value in model.items():
        changed[index] = value
    return bytes(changed)
