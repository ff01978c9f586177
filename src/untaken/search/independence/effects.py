"""Which conditions decide an evaluation: masking MC/DC over the graph of a decision.

A condition decides an evaluation if the outcome would be the other one had only this condition been otherwise. Those
that were evaluated after it keep their values; one that was not evaluated may have any, since nothing depends on it.
That is masking MC/DC (CAST-6, which DO-178C accepts) for the operators of C, which evaluate no more than they need.
Unique-cause MC/DC asks in addition that no other condition differs between the two tests of a pair. That cannot be done
where conditions hang together (`x < 3 || x > 7`), so it is not asked for, but said of each pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from untaken.model.decision import OUTCOMES, Decision
from untaken.search.independence.evaluations import Evaluation


@dataclass(frozen=True, slots=True)
class Effect:
    """A condition had this value in an evaluation with this outcome, and decided it."""

    condition: int
    holds: bool
    outcome: bool

    @property
    def counterpart(self) -> Effect:
        """What makes up an independence pair with it."""
        return Effect(self.condition, not self.holds, not self.outcome)


def outcome_of(decision: Decision, evaluation: Evaluation) -> bool:
    """What the decision came to."""
    following = OUTCOMES
    while following >= OUTCOMES:
        place = following - OUTCOMES
        following = decision.conditions[place].leads_to(bool(evaluation.holds(place)))
    return bool(following)


def effects_of(decision: Decision, evaluation: Evaluation) -> Iterator[Effect]:
    """The conditions that decide it."""
    outcome = outcome_of(decision, evaluation)
    for place, condition in enumerate(decision.conditions):
        holds = evaluation.holds(place)
        if holds is not None and _may_come_to(decision, evaluation, condition.leads_to(not holds), not outcome):
            yield Effect(place, holds, outcome)


def _may_come_to(decision: Decision, evaluation: Evaluation, start: int, outcome: bool) -> bool:
    """Whether a way leads there from a condition, if those that were evaluated keep their values."""
    work, seen = [start], {start}
    while work:
        following = work.pop()
        if following < OUTCOMES:
            if bool(following) == outcome:
                return True
            continue
        place = following - OUTCOMES
        known = evaluation.holds(place)
        condition = decision.conditions[place]
        for way in [condition.leads_to(holds) for holds in (True, False) if known in (None, holds)]:
            if way not in seen:
                seen.add(way)
                work.append(way)
    return False


def is_unique_cause(one: Evaluation, other: Evaluation, condition: int) -> bool:
    """Whether no other condition that both evaluated differs."""
    both = one.evaluated & other.evaluated & ~(1 << condition)
    return not (one.values ^ other.values) & both
