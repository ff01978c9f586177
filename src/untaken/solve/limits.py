"""How much one query may cost before it is given up as unknown.

The same seed and iteration budget must give the same tests, so the limits that normally decide are counted, not
timed: the size of the query before it is bit-blasted, and how often the solver asks whether to go on while it
searches (about 10,000 times a second). The clock is only the safety net, with a wide margin: where it has to act,
what follows may differ from run to run.
"""

from __future__ import annotations

from dataclasses import dataclass

from untaken.model.effort import UNLIMITED, Effort
from untaken.solve.answers import Unknown
from untaken.solve.query import Query

HANDLED_IN_A_STEP = 4  # assertions
CALLS_IN_A_STEP = 4  # times that a solver asks whether to go on: 4 to 100 microseconds lie between, by what is asked


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """Sizes are those of `Graph.size`: about one unit a bit, w * w for a product of width w."""

    steps: int = 20_000  # of the search inside the solver, a tenth of a second to two and a half
    seconds: float = 10.0  # the safety net; kills a worker process that does not answer
    light: int = 100_000  # above this size a query goes to the worker process: bit-blasting cannot be interrupted
    # Above this size nobody is asked. At 1,500,000 a campaign of cfg on GNU sed took ten times as long: nearly all of
    # its larger queries, about states of a regular expression after many characters, have no answer.
    largest: int = 200_000
    memory: int = 4 << 30  # bytes of address space of the worker process

    def allowed(self, effort: Effort) -> int:
        """Steps of its search that a solver may take now."""
        return min(self.steps, effort.left * CALLS_IN_A_STEP)

    def more_than(self, allowed: int) -> int:
        """Work that a query must be allowed for another answer; none will do if it had as many as there are."""
        return allowed // CALLS_IN_A_STEP if allowed < self.steps else UNLIMITED


def too_long_for_now(query: Query, effort: Effort) -> Unknown | None:
    """Counts what it costs to hand a question through all layers, whoever answers; says so if it may not cost as much.

    Loops make thousands of assertions about a few bytes, or link all bytes of an input.
    """
    steps = len(query.assertions) // HANDLED_IN_A_STEP
    if steps > effort.left:
        return Unknown(f"too long for now: {len(query.assertions)} assertions", effort.left)
    effort.spend(steps)
    return None
