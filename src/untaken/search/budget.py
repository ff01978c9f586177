"""How long a campaign may go on, and what ended it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum

from untaken.search.tally import Tally


class Ending(Enum):
    """Why a campaign ended; the value is what summary.json says."""

    ITERATIONS = "iterations"
    SECONDS = "time"
    STALE = "no new branch"
    FULL_COVERAGE = "full coverage"
    ENOUGH = "enough coverage"  # as much is covered as was asked for
    FINDING = "first finding"
    SEEN = "seen enough"  # who watched it had what it waited for
    EXHAUSTED = "path space exhausted"
    ALL_OF_INPUT = "paths of the input exhausted"  # but the program decides on more than its input
    PRUNED = "path space exhausted under pruning"  # but for flips that could not have covered anything
    STUCK = "nothing left to try"  # the strategy ends again and again without running anything
    STOPPED = "stopped"
    FAULT = "fault of untaken"  # something went wrong in it; what was found until then is kept
    RUNNING = "running"  # nothing has, so far: a campaign that was killed leaves a summary that says so


@dataclass(frozen=True, slots=True)
class Budget:
    """Whichever runs out first; None: no such limit."""

    iterations: int | None = None
    seconds: float | None = None
    stale: int | None = None  # iterations that covered nothing new
    is_counted_elsewhere: bool = False  # whoever watches the search ends it after so many iterations

    @property
    def counts_iterations(self) -> bool:
        """Whether an execution is worth the same however short it is: there is a number of them that it may have."""
        return self.iterations is not None or self.is_counted_elsewhere

    def spent(self, tally: Tally, seconds: float) -> Ending | None:
        """Which of the limits is reached, if one is."""
        if self.iterations is not None and tally.iterations >= self.iterations:
            return Ending.ITERATIONS
        if self.stale is not None and tally.iterations - tally.last_new >= self.stale:
            return Ending.STALE
        if self.seconds is not None and seconds >= self.seconds:
            return Ending.SECONDS
        return None

    def executions_left(self, tally: Tally) -> int:
        """How many executions there may be, at least, before a limit is reached that counts them."""
        left = [
            *([] if self.iterations is None else [self.iterations - tally.iterations]),
            *([] if self.stale is None else [tally.last_new + self.stale - tally.iterations]),
        ]
        return max(1, min(left, default=sys.maxsize))
