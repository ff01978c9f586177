"""What is told of each decision and each of its conditions: the two tests of its pair, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from untaken.model.program import Location

KIND = "masking"


@dataclass(frozen=True, slots=True)
class ShownBy:
    """A test, and how it evaluates the decision: T, F or - (not evaluated) for each condition."""

    test: str
    values: str


@dataclass(frozen=True, slots=True)
class ShownEvaluation:
    """One way in which tests evaluate a decision, the first of them, and what it comes to."""

    by: ShownBy
    outcome: bool


@dataclass(frozen=True, slots=True)
class IndependencePair:
    """The condition holds in one test and not in the other, decides both, and their outcomes differ."""

    when_true: ShownBy
    when_false: ShownBy
    outcome_when_true: bool
    unique_cause: bool  # no other condition that both tests evaluate differs


@dataclass(frozen=True, slots=True)
class ConditionReport:
    """One condition: its pair, or why there is none."""

    location: Location
    pair: IndependencePair | None
    why: str = ""
    text: str = ""  # as the source writes it; empty if it does not say the conditions one by one


@dataclass(frozen=True, slots=True)
class DecisionReport:
    """One decision with its conditions in the order of evaluation."""

    function: str
    location: Location
    conditions: tuple[ConditionReport, ...]
    evaluations: tuple[ShownEvaluation, ...]

    @property
    def shown(self) -> int:
        return sum(each.pair is not None for each in self.conditions)


def as_json(reports: tuple[DecisionReport, ...]) -> dict[str, Any]:
    """What summary.json has of it."""
    return {
        "kind": KIND,
        "conditions": sum(len(each.conditions) for each in reports),
        "shown": sum(each.shown for each in reports),
        "decisions": [
            {
                "function": each.function,
                "at": str(each.location),
                "conditions": [_condition_json(condition) for condition in each.conditions],
                "evaluations": [
                    {"test": made.by.test, "values": made.by.values, "outcome": made.outcome}
                    for made in each.evaluations
                ],
            }
            for each in reports
        ],
    }


def _condition_json(condition: ConditionReport) -> dict[str, Any]:
    pair = condition.pair
    shown = None
    if pair is not None:
        shown = {
            "true": {"test": pair.when_true.test, "values": pair.when_true.values},
            "false": {"test": pair.when_false.test, "values": pair.when_false.values},
            "outcome_when_true": pair.outcome_when_true,
            "unique_cause": pair.unique_cause,
        }
    return {"at": str(condition.location), "text": condition.text, "pair": shown, "why": condition.why}
