"""How tests evaluate the decisions of a program, and which two of them make an independence pair."""

from __future__ import annotations

from itertools import product

from untaken.model.decision import Decision
from untaken.model.distinct import distinct
from untaken.model.path import ExitKind, Path
from untaken.model.program import ProgramMap
from untaken.search.coverage_goals import CoverageGoals
from untaken.search.independence.effects import Effect, effects_of, is_unique_cause, outcome_of
from untaken.search.independence.evaluations import Evaluation, EvaluationReader
from untaken.suite.condition_texts import condition_texts
from untaken.suite.independence.reasons import WhyNotTaken, reason
from untaken.suite.independence.report import (
    ConditionReport,
    DecisionReport,
    IndependencePair,
    ShownBy,
    ShownEvaluation,
)

FirstTests = dict[Evaluation, str]  # with the first test that makes each
SYMBOLS = {True: "T", False: "F", None: "-"}


class EvaluatedTests:
    """How each test evaluates the decisions; told of each test that is written, and again if that is rewritten."""

    def __init__(self, program: ProgramMap, goals: CoverageGoals) -> None:
        self._program = program
        self._decisions = goals.decisions
        self._reader = EvaluationReader(program, goals.decisions)
        self._singles = {
            int(decision.conditions[0].branch) + side: Evaluation(number, 1, 1 - side)
            for number, decision in enumerate(goals.decisions)
            if decision.is_single
            for side in (0, 1)
        }
        self._of_test: dict[str, list[Evaluation]] = {}

    def note(self, test: str, path: Path) -> None:
        """A run that breaks an assumption is no test of anything."""
        if path.exit.kind is ExitKind.ASSUME:
            return
        passed = distinct(path.passed).tolist()
        alone = [self._singles[each] for each in passed if each in self._singles]
        self._of_test[test] = [*alone, *self._reader.read(path.events)]

    def reports(self, why_not: WhyNotTaken, *, exhausted: bool) -> tuple[DecisionReport, ...]:
        """All decisions, in order of the program; `exhausted`: every path was tried."""
        first: dict[int, FirstTests] = {number: {} for number in range(len(self._decisions))}
        for test in sorted(self._of_test):
            for evaluation in self._of_test[test]:
                first[evaluation.decision].setdefault(evaluation, test)
        return tuple(
            self._report(decision, first[number], why_not, exhausted) for number, decision in enumerate(self._decisions)
        )

    def _report(self, decision: Decision, seen: FirstTests, why_not: WhyNotTaken, exhausted: bool) -> DecisionReport:
        conditions = []
        locations = [self._program.branches[each.branch].location for each in decision.conditions]
        texts = condition_texts(locations) or ("",) * len(locations)
        by_effect = _by_effect(decision, seen)
        for place in range(len(decision.conditions)):
            pair = best_pair(decision, by_effect, seen, place)
            why = "" if pair else reason(decision, seen, place, why_not, exhausted)
            conditions.append(ConditionReport(locations[place], pair, why, texts[place]))
        name = self._program.functions[decision.function].name
        return DecisionReport(name, conditions[0].location, tuple(conditions), _evaluations(decision, seen))


def _evaluations(decision: Decision, seen: FirstTests) -> tuple[ShownEvaluation, ...]:
    """In the order of the tests."""
    width = len(decision.conditions)
    ordered = sorted(seen, key=lambda each: (seen[each], each.evaluated, each.values))
    return tuple(
        ShownEvaluation(ShownBy(seen[each], values_of(each, width)), outcome_of(decision, each)) for each in ordered
    )


ByEffect = dict[Effect, list[Evaluation]]


def _by_effect(decision: Decision, seen: FirstTests) -> ByEffect:
    found: ByEffect = {}
    for evaluation in seen:
        for effect in effects_of(decision, evaluation):
            found.setdefault(effect, []).append(evaluation)
    return found


def best_pair(decision: Decision, by_effect: ByEffect, seen: FirstTests, place: int) -> IndependencePair | None:
    """A unique-cause pair if there is one, else one by masking; of two tests rather than of one; the earliest."""
    pairs: list[tuple[Evaluation, Evaluation]] = [
        pair
        for outcome in (True, False)
        for pair in product(
            by_effect.get(Effect(place, True, outcome), ()), by_effect.get(Effect(place, False, not outcome), ())
        )
    ]
    if not pairs:
        return None

    def rank(pair: tuple[Evaluation, Evaluation]) -> tuple[bool, bool, str, str]:
        one, other = pair
        return not is_unique_cause(one, other, place), seen[one] == seen[other], seen[one], seen[other]

    one, other = min(pairs, key=rank)
    width = len(decision.conditions)
    return IndependencePair(
        ShownBy(seen[one], values_of(one, width)),
        ShownBy(seen[other], values_of(other, width)),
        outcome_of(decision, one),
        is_unique_cause(one, other, place),
    )


def values_of(evaluation: Evaluation, width: int) -> str:
    """Its conditions as letters, one for each."""
    return "".join(SYMBOLS[evaluation.holds(place)] for place in range(width))
