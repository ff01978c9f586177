"""Why tests have no independence pair for a condition: it cannot be, it was not found, or it was not looked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from untaken.model.decision import Decision
from untaken.model.program import BranchId
from untaken.search.independence.effects import effects_of
from untaken.search.independence.evaluations import MOST_CONDITIONS, Evaluation, is_readable

PROVEN = "no input can: every path was tried"
WhyNotTaken = Callable[[BranchId], str]  # what is known of a branch that no test takes, in brackets; empty: nothing


def reason(decision: Decision, seen: Collection[Evaluation], place: int, why_not: WhyNotTaken, exhausted: bool) -> str:
    """Why a condition has no pair, with what is known of how it could get one."""
    if not decision.is_single and not is_readable(decision):
        return _not_analysed(decision)
    if exhausted:
        return PROVEN
    if not seen:
        return "not found: the decision was never evaluated"
    values = {each.holds(place) for each in seen} - {None}
    if not values:
        return "not found: it was never evaluated"
    if len(values) == 1:
        missing = not values.pop()
        branch = BranchId(decision.conditions[place].branch + (not missing))
        return f"not found: it was never {'true' if missing else 'false'}{why_not(branch)}"
    return "not found: " + " and ".join(_masked(decision, seen, place))


def _not_analysed(decision: Decision) -> str:
    if len(decision.conditions) > MOST_CONDITIONS:
        return f"not analysed: the decision has more than {MOST_CONDITIONS} conditions"
    return "not analysed: the control flow of the decision was not understood"


def _masked(decision: Decision, seen: Collection[Evaluation], place: int) -> Iterator[str]:
    """For the values with which the condition never decided."""
    decided = {effect.holds for each in seen for effect in effects_of(decision, each) if effect.condition == place}
    for holds in (True, False):
        if holds not in decided:
            yield f"where it was {'true' if holds else 'false'}, other conditions decided"
    if len(decided) == 2:
        yield "the outcome was the same in all tests in which it decided"
