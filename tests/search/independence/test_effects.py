"""Which conditions decide an evaluation: as masking MC/DC says of the tree of the expression."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.expressions import Expressions, Logical
from untaken.model.decision import Decision, DecisionCondition
from untaken.model.program import BranchId
from untaken.search.independence.effects import Effect, effects_of, is_unique_cause, outcome_of
from untaken.search.independence.evaluations import Evaluation


def graph(expression: Logical, conditions: int) -> Decision:
    """As a compiler makes it."""
    ways: dict[int, tuple[int, int]] = {}

    def first(part: Logical) -> int:
        while part.operator:
            part = part.operands[0]
        return part.number + 2

    def emit(part: Logical, on_true: int, on_false: int) -> None:
        match part.operator:
            case "":
                ways[part.number] = (on_true, on_false)
            case "!":
                emit(part.operands[0], on_false, on_true)
            case "&&":
                emit(part.operands[0], first(part.operands[1]), on_false)
                emit(part.operands[1], on_true, on_false)
            case "||":
                emit(part.operands[0], on_true, first(part.operands[1]))
                emit(part.operands[1], on_true, on_false)

    emit(expression, 1, 0)
    return Decision(0, tuple(DecisionCondition(BranchId(2 * n), *ways[n]) for n in range(conditions)))


def evaluation_of(seen: dict[int, bool]) -> Evaluation:
    return Evaluation(0, sum(1 << place for place in seen), sum(value << place for place, value in seen.items()))


@pytest.mark.parametrize("seed", range(40))
def test_conditions_decide_that_nothing_masks(seed: int) -> None:
    rng = Random(seed)
    count = rng.randrange(2, 7)
    expression = Expressions(rng, ("c%d",)).make(count)
    decision = graph(expression, count)
    for values in product((False, True), repeat=count):
        seen: dict[int, bool] = {}
        outcome = expression.evaluate(dict(enumerate(values)), seen)
        evaluation = evaluation_of(seen)
        assert outcome_of(decision, evaluation) is outcome
        effects = list(effects_of(decision, evaluation))
        assert {effect.condition for effect in effects} == expression.deciding(seen), expression.as_c()
        assert all(effect.holds is seen[effect.condition] and effect.outcome is outcome for effect in effects)


def test_a_pair_by_unique_cause_differs_in_nothing_else() -> None:
    one, other, third = Evaluation(0, 0b11, 0b11), Evaluation(0, 0b01, 0b00), Evaluation(0, 0b11, 0b00)
    assert is_unique_cause(one, other, 0)
    assert not is_unique_cause(one, third, 0)


def test_the_counterpart_of_an_effect_is_the_other_value_with_the_other_outcome() -> None:
    assert Effect(1, True, False).counterpart == Effect(1, False, True)
