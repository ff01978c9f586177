"""Streaks: how often a condition that the input does not decide went the same way in a row."""

from __future__ import annotations

import numpy as np

from tests.search.trees import ENTRY, Tree, comb
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.search.knowledge.streaks import LENGTHS, Streaks

RETURN = ENTRY + 1
LOOP, OUT = ENTRY + 2, ENTRY + 3  # the sides of a condition
OTHER = ENTRY + 4
PROGRAM = Tree(comb(3)).program


def streaks(events: list[int], decided: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    """Which events of a run repeat an outcome, and how often it was so before."""
    constraints = np.array([(1, events[place], place, 0, 1, 0) for place in decided], CONSTRAINT_DTYPE)
    path = Path(b"", np.array(events, np.uint32), constraints, Exit(ExitKind.CODE))
    places, lengths = Streaks(PROGRAM).concrete(path)
    return list(zip(places.tolist(), lengths.tolist(), strict=True))


def test_rounds_are_counted_until_the_condition_goes_the_other_way() -> None:
    assert streaks([LOOP, OTHER, LOOP, LOOP, OUT, LOOP]) == [(2, 1), (3, 2)]


def test_what_the_input_decides_is_no_state() -> None:
    assert streaks([LOOP, LOOP, LOOP], decided=(1, 2)) == []


def test_each_call_of_the_function_begins_anew() -> None:
    assert streaks([ENTRY, LOOP, LOOP, RETURN, ENTRY, LOOP]) == [(2, 1)]


def test_calls_inside_each_other_are_a_streak_too() -> None:
    assert streaks([ENTRY, ENTRY, ENTRY, RETURN, RETURN, RETURN, ENTRY]) == [(1, 1), (2, 2), (4, 1), (5, 2)]


def test_long_streaks_are_not_told_apart_and_ids_that_the_map_lacks_do_no_harm() -> None:
    assert len(streaks([LOOP] * 100)) == LENGTHS - 1
    assert streaks([PROGRAM.id_count + 5, LOOP]) == []


def test_what_comes_before_the_first_decision_of_a_long_run_is_passed_over() -> None:
    start = [OTHER] * 10_000
    assert streaks([*start, OTHER, LOOP, LOOP, LOOP], decided=(10_000,)) == [(10_002, 1), (10_003, 2)]
