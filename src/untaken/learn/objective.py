"""What learning asks: how many branches does a campaign with these weights cover?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

Weights = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One campaign with these weights. Those of the same trial have the same seed, whatever their weights."""

    weights: Weights
    trial: int
    share: float = 1.0  # of the iterations of a whole campaign


@dataclass(frozen=True, slots=True)
class Measurement:
    """What it covered, and how many executions of the program that took."""

    score: float
    executions: int


class Objective(Protocol):
    """Answers questions, in the order in which they were asked. The same question has the same answer."""

    @property
    def executions(self) -> int:
        """How many executions one whole campaign has."""
        ...

    def measure(self, questions: Sequence[Question]) -> list[Measurement]: ...
