"""The methods: what each asks, when it ends, and that it learns; made up, and on a compiled program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.learn.objectives import MadeUp, in_session, zeros
from untaken.execute.target import find_target
from untaken.learn.ledger import CHECK_TRIALS, Ledger, best_first
from untaken.learn.methods.fast import MOST_TRIALS, OPTIMISM, PARENTS, SHARE, fast, fast_from, promising
from untaken.learn.methods.paper import MOST_TIES, TOP, TRIALS_OF_A_ROUND, paper
from untaken.learn.methods.random_samples import FIND_TRIAL, random_samples
from untaken.learn.objective import Measurement, Question, Weights
from untaken.learn.surrogate import Surrogate
from untaken.learn.tuning import METHODS
from untaken.learn.weight_space import WeightSpace
from untaken.search.heuristics.features.table import NAMES
from untaken.search.heuristics.heuristic_files import general_heuristic

PROGRAM = Path(__file__).parent / "program.c"


# ---- the space


def test_the_space_is_refined_as_the_paper_says() -> None:
    first = (3.0, -2.0, 4.0, 0.0, *zeros()[4:])
    second = (5.0, -6.0, -1.0, 8.0, *zeros()[4:])
    refined = WeightSpace().refined(first, second).intervals
    assert refined[:4] == ((3.0, 10.0), (-10.0, -2.0), (-10.0, 10.0), (-10.0, 10.0))
    assert all(
        low <= weight <= high
        for weight, (low, high) in zip(WeightSpace(refined).sample(Random(1)), refined, strict=True)
    )


def test_where_the_best_disagree_the_space_stays_as_it_is() -> None:
    """The paper: otherwise R_i remains the same."""
    narrow = WeightSpace().refined((9.0, *zeros()[1:]), (9.5, *zeros()[1:]))
    assert narrow.intervals[0] == (9.0, 10.0)
    assert narrow.refined((9.0, *zeros()[1:]), (-1.0, *zeros()[1:])).intervals[0] == (9.0, 10.0)


# ---- the ledger


def test_nothing_is_asked_twice_and_everything_is_counted() -> None:
    objective = MadeUp()
    ledger = Ledger(objective)
    twice = [Question(zeros(), 1), Question(zeros(), 1), Question(zeros(), 2, 1 / 3)]
    assert ledger.ask("first", twice)[:2] == ledger.ask("again", twice[:2])
    assert (len(objective.asked), ledger.executions) == (2, 900 + 300)


def test_the_earlier_of_equals_comes_first() -> None:
    one, two, three = ((float(value), *zeros()[1:]) for value in (1, 2, 3))
    assert best_first([one, two, three], [5, 7, 7]) == [two, three, one]


# ---- what is asked


def test_paper_finds_checks_and_refines() -> None:
    objective = MadeUp()
    ledger = Ledger(objective)
    best = paper(ledger, Random(2), 30)
    rounds = len(ledger.rounds)
    assert rounds >= 2
    asked = Counter(question.trial for question in objective.asked)
    for find in range(TRIALS_OF_A_ROUND, (rounds + 1) * TRIALS_OF_A_ROUND, TRIALS_OF_A_ROUND):
        assert asked.pop(find) == 30, "no seed of another round, and none of checking"
        assert all(asked.pop(find + trial) == TOP for trial in range(1, CHECK_TRIALS + 1))
    assert not asked
    averages = [ended.average for ended in ledger.rounds]
    assert averages[:-1] == sorted(averages[:-1]) and best.average == max(averages)
    assert best == ledger.rounds[-2]
    assert all(question.share == 1 for question in objective.asked)


def test_paper_samples_from_the_refined_space() -> None:
    objective = MadeUp()
    paper(Ledger(objective), Random(2), 30)
    found = [question.weights for question in objective.asked if question.trial % TRIALS_OF_A_ROUND == 0]
    first, second = found[:30], found[30:60]
    low = min(weights[0] for weights in first), max(weights[1] for weights in first)
    refined = min(weights[0] for weights in second), max(weights[1] for weights in second)
    assert refined[0] > low[0] and refined[1] < low[1]


@dataclass(slots=True)
class Staged:
    """All campaigns of a round cover the same."""

    scores: list[float]
    executions: int = 100

    def measure(self, questions: Sequence[Question]) -> list[Measurement]:
        return [Measurement(self.scores[each.trial // TRIALS_OF_A_ROUND - 1], 100) for each in questions]


def test_paper_goes_on_after_a_tie() -> None:
    """The paper ends when the average is less than the one before, not when it is the same."""
    ledger = Ledger(Staged([5.0, 5.0, 7.0, 7.0, 6.0]))
    assert paper(ledger, Random(1), 12).average == 7.0
    assert [ended.average for ended in ledger.rounds] == [5.0, 5.0, 7.0, 7.0, 7.0]


def test_paper_ends_where_nothing_is_left_to_cover() -> None:
    ledger = Ledger(Staged([5.0] * 100))
    assert paper(ledger, Random(1), 12).average == 5.0
    assert len(ledger.rounds) == 1 + MOST_TIES


def test_random_checks_only_its_best() -> None:
    objective = MadeUp()
    random_samples(Ledger(objective), Random(2), 30)
    asked = Counter(question.trial for question in objective.asked)
    assert asked == {FIND_TRIAL: 30, **dict.fromkeys(range(1, CHECK_TRIALS + 1), 1)}


@pytest.mark.parametrize("samples", [2, 10, 100])
def test_fast_spends_a_fifth_of_four_rounds(samples: int) -> None:
    objective = MadeUp()
    ledger = Ledger(objective)
    best = fast(ledger, Random(2), samples)
    of_paper = (samples + TOP * CHECK_TRIALS) * objective.executions
    assert 5 * ledger.executions <= 4 * of_paper
    assert CHECK_TRIALS <= best.trials <= MOST_TRIALS
    assert ledger.rounds[-1] == best and best.executions == ledger.executions
    assert len(objective.asked) == len(set(objective.asked))


def test_campaigns_that_end_early_are_no_reason_for_more_of_them() -> None:
    """They do where everything is covered."""
    asked = []
    for early in (1.0, 0.01):
        objective = MadeUp(early=early)
        fast(Ledger(objective), Random(2), 10)
        asked.append(objective.asked)
    assert asked[0] == asked[1]


def test_fast_tries_in_short_and_checks_with_other_seeds() -> None:
    objective = MadeUp()
    best = fast(Ledger(objective), Random(2), 30)
    short = [question for question in objective.asked if question.share < 1]
    whole = [question for question in objective.asked if question.share == 1]
    assert {question.share for question in short} == {SHARE} and len(short) > len(whole)
    assert all(question.trial > MOST_TRIALS for question in short)
    assert {question.trial for question in whole if question.weights == best.weights} == set(range(1, best.trials + 1))
    assert best.weights in {question.weights for question in short}


@pytest.mark.parametrize("known", [[], [(1.0,) * len(NAMES)]])
def test_fast_begins_with_what_is_known(known: list[Weights]) -> None:
    objective = MadeUp()
    fast_from(known, Ledger(objective), Random(2), 10)
    assert [question.weights for question in objective.asked[: len(known)]] == known
    assert (general_heuristic().vector in {question.weights for question in objective.asked}) is False


def test_what_is_tried_next_is_thought_to_be_better_than_all_before_and_not_all_the_same() -> None:
    rng = Random(3)
    tried = [WeightSpace().sample(rng) for _ in range(40)]
    surrogate = Surrogate()
    surrogate.learn(tried, Ledger(MadeUp()).scores("tried", tried, 1), 1.0)
    parents = best_first(tried, surrogate.guesses(tried))[:PARENTS]
    next_ones = promising(surrogate, parents, 5, Random(1))
    assert len(set(next_ones)) == 5 and next_ones == promising(surrogate, parents, 5, Random(1))
    assert min(surrogate.guesses(next_ones, OPTIMISM)) > max(surrogate.guesses(tried, OPTIMISM))


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_learns_the_same(method: str) -> None:
    learned = [METHODS[method](Ledger(MadeUp()), Random(4), 20) for _ in range(2)]
    assert learned[0] == learned[1]


# ---- that it learns


def test_fast_learns_as_much_as_paper_for_a_fifth() -> None:
    """From 200 to 260 can be learned, and a single trial is off by 5 as often as not; the judge is never off."""
    spent = dict.fromkeys(METHODS, 0)
    for seed in range(3):
        learned = {}
        for name, method in METHODS.items():
            ledger = Ledger(MadeUp(noise=5.0))
            best = method(ledger, Random(seed), 100)
            learned[name] = Ledger(MadeUp(noise=0.0)).averages("judged", [best.weights])[0]
            spent[name] += ledger.executions
        assert learned["random"] + 10 < learned["fast"]
        assert learned["paper"] - 2 < learned["fast"]
    assert 5 * spent["fast"] <= spent["paper"]


def test_all_methods_learn_on_a_compiled_program() -> None:
    """Without weights the search turns the last decision over and over; all methods find weights that do better."""
    target = find_target([str(PROGRAM)])
    with in_session(target, executions=12) as objective:
        without = Ledger(objective).averages("without", [zeros()])[0]
        for name, method in METHODS.items():
            best = method(Ledger(objective), Random(1), 4)
            assert best.average > without, name
    assert objective.asked > 50
