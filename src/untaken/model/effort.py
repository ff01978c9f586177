"""Work of the solver, counted: what questions have cost so far, and what the one under way may cost.

A step is about a tenth of a millisecond. Steps are counted, never timed, so that the same seed gives the same tests.
The solver's layers count here, and the search reads it.
"""

from __future__ import annotations

from dataclasses import dataclass

UNLIMITED = 1 << 62


@dataclass(slots=True)
class Effort:
    """Steps spent by all questions, and how far the one under way may go."""

    spent: int = 0
    limit: int = UNLIMITED  # of `spent`

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
