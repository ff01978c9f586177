"""The figures of a comparison, against values worked out by hand and by brute force."""

from __future__ import annotations

import itertools
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untaken.compare.curves import curve, height
from untaken.compare.statistics import Pair, a12, chance, compare, holm
from untaken.compare.tables import NEVER, markdown, tables
from untaken.trials.trial import Growth, Trial

COUNTS = st.lists(st.integers(0, 20), min_size=1, max_size=8)


def trial(
    strategy: str,
    number: int,
    covered: tuple[int, ...],
    growth: tuple[tuple[int, float, int], ...],
    functions: dict[str, int] | None = None,
) -> Trial:
    return Trial(
        strategy=strategy,
        number=number,
        seed=number,
        iterations=100,
        seconds=2.0,
        ended_by="iterations",
        total=40,
        covered=covered,
        functions=functions or {"f": 20},
        growth=tuple(Growth(*step) for step in growth),
        queries=1,
        solver_seconds=0.5,
        divergences=0,
        findings=0,
    )


TRIALS = [
    trial("slow", 1, (2, 4), ((1, 0.1, 1), (50, 1.0, 2), (100, 2.0, 2))),
    trial("slow", 2, (2, 4, 6, 8), ((1, 0.1, 1), (90, 1.5, 4), (100, 2.0, 4)), {"f": 20, "g": 10}),
    trial("quick", 1, tuple(range(2, 22, 2)), ((1, 0.1, 5), (10, 0.2, 10), (100, 2.0, 10))),
    trial("quick", 2, tuple(range(4, 18, 2)), ((1, 0.1, 5), (20, 0.2, 7), (100, 2.0, 7))),
]


def test_figures_of_a_strategy() -> None:
    found = compare(TRIALS)
    quick, slow = found.rows
    assert (quick.strategy, slow.strategy) == ("quick", "slow")
    assert (quick.mean, quick.least, quick.most, quick.trials) == (8.5, 7, 10, 2)
    assert quick.deviation == pytest.approx(4.5**0.5)
    assert slow.mean == 3.0
    assert slow.deviation == pytest.approx(2**0.5)
    assert (found.total, found.best, found.together) == (40, 10, 10)


def test_relative_coverage_is_of_functions_that_any_trial_reached() -> None:
    found = compare(TRIALS)
    assert found.reachable == 30
    assert found.rows[0].relative == pytest.approx(8.5 / 30)
    assert found.rows[0].absolute == pytest.approx(8.5 / 40)


def test_exclusive_branches_are_in_no_trial_of_another_strategy() -> None:
    quick, slow = compare(TRIALS).rows
    assert quick.exclusive == (10, 12, 14, 16, 18, 20)
    assert slow.exclusive == ()


def test_iterations_to_deciles_are_medians_and_none_where_most_never_got_there() -> None:
    quick, slow = compare(TRIALS).rows
    assert quick.iterations_to == (1, 1, 1, 1, 1, 15, 15, None, None, None)
    assert slow.iterations_to == (1, 70, None, None, None, None, None, None, None, None)


def test_tables_say_what_is_missing() -> None:
    text = markdown(tables(compare(TRIALS)))
    assert "| quick | 2 | 8.5 | 2.1 | 7 | 10 | 21.2% | 28.3% | 6 | 100 | 2.0 |" in text
    assert f"| slow | 1 | 70 | {NEVER} |" in text
    assert "| quick / slow | 0.333 | 0.333 | 1.00 | large, may be chance |" in text


@given(COUNTS, COUNTS)
def test_a12_of_both_ways_is_one(first: list[int], second: list[int]) -> None:
    assert a12(first, second) + a12(second, first) == pytest.approx(1)
    assert a12(first, first) == 0.5


def test_a12_by_hand() -> None:
    assert a12([2, 3], [1, 2]) == (0.5 + 1 + 1 + 1) / 4
    assert a12([1], [2]) == 0
    sizes = [Pair("a", "b", 1, 1, value).size for value in (0.5, 0.57, 0.35, 0.05)]
    assert sizes == ["negligible", "small", "medium", "large"]


@pytest.mark.parametrize("first", [(1, 2, 3, 4), (1, 6, 7, 8), (5, 6, 7, 8)])
def test_chance_is_that_of_all_ways_to_deal_the_values(first: tuple[int, ...]) -> None:
    """Without ties, the two-sided p-value counts the deals that are at least as far from the middle."""
    values = range(1, 9)
    second = [value for value in values if value not in first]
    middle = abs(a12(first, second) - 0.5)
    deals = itertools.combinations(values, 4)
    as_far = sum(abs(a12(deal, [v for v in values if v not in deal]) - 0.5) >= middle - 1e-9 for deal in deals)
    assert chance(first, second) == pytest.approx(as_far / comb(8, 4))


def test_nothing_that_varies_is_chance() -> None:
    assert chance([5, 5], [5, 5, 5]) == 1.0


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_curves_are_staircases() -> None:
    places = curve("quick", TRIALS[2:], "iterations").places
    heights = height(TRIALS[2], "iterations", places)
    at = {0: 0, 1: 0, 2: 5, 19: 5, 20: 10, 200: 10}  # 201 points from 0 to 100
    assert {index: heights[index] for index in at} == at
    both = curve("quick", TRIALS[2:], "seconds")
    assert (both.mean[-1], both.places[-1]) == (8.5, 2.0)
    assert both.deviation[-1] == pytest.approx(4.5**0.5)
