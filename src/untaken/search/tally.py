"""The books of a campaign: what was tried, what it cost. Kept by the driver, read by strategies and reports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from untaken.search.attempts import Verdict
from untaken.search.doubts import BESIDE_THE_INPUT, Doubt

# Weights of the repeatable cost, in executions: a solver query costs about half a short run, and so do 10,000
# events or 5,000 constraints to record and read. They need only be right within a factor of a few.
_QUERY = 0.5
_STEP = 0.1  # of the solver, see model/effort.py; less than its time, for some things only a solver finds
_KNOWN = 0.1
_EVENT = 0.5 / 10_000
_CONSTRAINT = 0.5 / 5_000
GLANCE_COST = 0.05  # of an execution whose path is not read; where executions are counted, it is one as any other
_BURST = 0.3  # to ask for some of these; a program that has a process for each run has only one of them


@dataclass(slots=True)
class Tally:
    """Counts since the start of the campaign."""

    iterations: int = 0  # executions of the program
    known: int = 0  # inputs that were not run again: what they do was remembered
    fresh: float = 0  # executions whose path no other had taken; of glances nobody knows
    last_new: int = 0  # the iteration that last covered something new
    glances: int = 0  # of these: executions whose path was not read
    bursts: int = 0  # requests that these took; not counted where each execution is
    glance_cost: float = GLANCE_COST
    asked: int = 0  # flips and guesses; what the solver stack makes of one is counted in solve/statistics.py
    solver_steps: int = 0  # that these took
    events: int = 0
    constraints: int = 0
    restarts: int = 0
    given: int = 0  # goals that news from outside covered
    given_cost: float = 0.0  # what it took to run that news
    # Since the strategy's start:
    doubts: set[Doubt] = field(default_factory=set)  # why it cannot claim to have seen all paths
    pruned: bool = False  # something was skipped
    # Since the start of the campaign again:
    all_doubts: set[Doubt] = field(default_factory=set)
    tried_all: bool = False  # a strategy had no flip left, but for its doubts all paths would be known
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    run_seconds: float = 0.0
    solve_seconds: float = 0.0

    def begin_life(self) -> None:
        """The strategy starts anew: doubts of before no longer count against this life."""
        self.all_doubts |= self.doubts
        self.doubts.clear()
        self.pruned = False

    @property
    def counts_glances(self) -> bool:
        """Whether an execution whose path is not read is one as any other, because executions are what is limited."""
        return self.glance_cost == 1.0

    @property
    def incomplete(self) -> bool:
        """Whether something was cut off, pinned, unknown, divergent, or skipped without good reason."""
        return not self.doubts <= BESIDE_THE_INPUT

    @property
    def divergences(self) -> int:
        return self.verdicts[Verdict.DIVERGED]

    @property
    def cost(self) -> float:
        """Work done so far, in units of an execution; depends on counts only, so that it repeats exactly."""
        return self.run_cost + _QUERY * self.asked + _STEP * self.solver_steps + _KNOWN * self.known

    @property
    def own_cost(self) -> float:
        """Without what was spent on news from outside."""
        return self.cost - self.given_cost

    @property
    def run_cost(self) -> float:
        """The part of the cost that executions have, with what it takes to record and read their traces."""
        runs = self.iterations - (1.0 - self.glance_cost) * self.glances
        return runs + _BURST * self.bursts + _EVENT * self.events + _CONSTRAINT * self.constraints
