"""Decisions of the source and their conditions, for modified condition/decision coverage.

C evaluates `a && b || c` only as far as needed, so a decision is a graph: each condition leads to another one or to an
outcome. An evaluation is a way through that graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

BranchId = NewType("BranchId", int)
OUTCOMES = 2  # where a condition leads: 0 and 1 are outcomes, and from here on the conditions of the decision


@dataclass(frozen=True, slots=True)
class DecisionCondition:
    """An operand of && and ||, or all of a decision; `branch` is the side on which it holds."""

    branch: BranchId
    on_true: int
    on_false: int

    def leads_to(self, holds: bool) -> int:
        return self.on_true if holds else self.on_false


@dataclass(frozen=True, slots=True)
class Decision:
    """In a function, by its index: conditions in the order of evaluation."""

    function: int
    conditions: tuple[DecisionCondition, ...]

    @property
    def repeats(self) -> bool:
        """True if it is a jump that only repeats what was decided before."""
        return all(each.on_true == each.on_false == 1 for each in self.conditions)

    @property
    def is_known(self) -> bool:
        """False if its control flow was not understood."""
        return any(each.on_true != each.on_false for each in self.conditions)

    @property
    def is_single(self) -> bool:
        """One condition is all of it: each of its branches is an evaluation."""
        return len(self.conditions) == 1 and self.is_known


def single(function: int, branch: BranchId) -> Decision:
    """The decision that is one condition."""
    return Decision(function, (DecisionCondition(branch, 1, 0),))
