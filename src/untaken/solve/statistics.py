"""Counts what was asked of the solver stack, and which of its layers answered. Each layer books its own answers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from untaken.model.effort import Effort
from untaken.solve.answers import Answer, Sat, Unsat


@dataclass(slots=True)
class Statistics:
    """Over a campaign. An optimistic second question counts under `by_...` again, not under `queries`."""

    effort: Effort = field(default_factory=Effort)  # steps, and how many the query under way may take
    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    optimistic: int = 0  # of the sat ones
    seconds: float = 0.0
    by_contradiction: int = 0
    by_memory: int = 0  # the same was asked about the bytes of the goal, of another input
    by_bytes: int = 0  # the goal is about each of its bytes alone
    by_one_byte: int = 0  # another value of one byte of the goal was enough
    by_neighbours: int = 0  # the bytes of the goal, or few more, were enough
    by_enumeration: int = 0
    by_equal: int = 0  # cache: the same query
    by_unsat_subset: int = 0  # cache: it contains a known contradiction
    by_sat_superset: int = 0  # cache: a larger one had a model
    by_model: int = 0  # cache: a known model of the goal fits
    by_bounds: int = 0  # what the goal compares is too small or too large
    by_guess: int = 0  # combinations of values were tried
    by_solver: int = 0
    by_worker: int = 0  # of those by the solver
    aside: int = 0  # that gave up, and were asked again in a process beside the search
    answered_aside: int = 0  # of those

    @property
    def by_cache(self) -> int:
        return self.by_equal + self.by_unsat_subset + self.by_sat_superset + self.by_model

    def count(self, answer: Answer, started: float) -> None:
        """Books one answer; `started` is from time.perf_counter."""
        self.queries += 1
        self.seconds += time.perf_counter() - started
        if isinstance(answer, Sat):
            self.sat += 1
            self.optimistic += answer.optimistic
        elif isinstance(answer, Unsat):
            self.unsat += 1
        else:
            self.unknown += 1
