"""Work of the solver, counted: what questions have cost so far, and what the one under way may cost.

A step is about a tenth of a millisecond. Steps are counted, never timed, so that the same seed gives the same tests.
The solver's layers count here, and the search reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

UNLIMITED = 1 << 62
OPERATIONS_A_STEP = 20  # of numpy, on a short column each
SHORT = 1024  # values of a column; an operation on longer ones counts as several


@dataclass(slots=True)
class Effort:
    """Steps spent by all questions, and how far the one under way may go."""

    spent: int = 0
    limit: int = UNLIMITED  # of `spent`
    _operations: int = field(default=0, init=False)  # that make no whole step yet

    @property
    def left(self) -> int:
        """Steps that the question under way may still take."""
        return max(0, self.limit - self.spent)

    def allow(self, steps: int) -> None:
        """A new question may take so many steps."""
        self.limit = self.spent + steps

    def spend(self, steps: int) -> None:
        """So many steps were taken."""
        self.spent += steps

    def operate(self, operations: int, size: int) -> None:
        """So many operations were done on columns of this size: evaluating candidates is work as solving is."""
        steps, self._operations = divmod(self._operations + operations * (1 + size // SHORT), OPERATIONS_A_STEP)
        self.spent += steps

    def may_operate(self, operations: int, size: int) -> bool:
        """Whether the question under way may take so long."""
        return operations * (1 + size // SHORT) <= OPERATIONS_A_STEP * self.left
