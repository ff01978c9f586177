"""What no caller gives: values that only a driver makes."""

from __future__ import annotations

import pytest

from untaken.unit.export.free_objects import asks_for_much, fills_freely
from untaken.unit.export.values import Address, DrawnValue, Given, MadeBy, StubCall
from untaken.unit.shape import Scalar, Shape, UnitPlan, Variable

ROW = Scalar("uint", 4, (("RED", 0), ("GREEN", 1), ("BLUE", 2)))
FLAGS = Scalar("uint", 4, (("READ", 1), ("WRITE", 2), ("APPEND", 8)))


def plan(shape: Shape) -> UnitPlan:
    parameter = Variable("n", "int @", shape)
    return UnitPlan("a.c", "use", (parameter,), ("n",), (), (), (), None, frees=False)


def given(value: DrawnValue, **calls: list[StubCall]) -> Given:
    return Given({"n": value}, dict(calls))


@pytest.mark.parametrize(
    ("shape", "value", "free"),
    [(ROW, 2, False), (ROW, 3, True), (FLAGS, 11, False), (FLAGS, 4, True), (Scalar("int", 4), 7, False)],
)
def test_values_of_an_enum_have_names_or_are_sums_of_flags(shape: Scalar, value: int, free: bool) -> None:
    assert fills_freely(plan(shape), given(value)) is free


def test_what_a_made_up_function_answers_is_no_callers() -> None:
    shape = Scalar("int", 4)
    assert fills_freely(plan(shape), given(1, callback=[StubCall(5)]))
    assert not fills_freely(plan(shape), given(1, callback=[StubCall(None)]))


@pytest.mark.parametrize("value", [1 << 30, (1, -(1 << 40)), Address((1 << 21,)), MadeBy(0, (), ((1, (1 << 21,)),))])
def test_large_numbers_ask_for_much(value: DrawnValue) -> None:
    assert asks_for_much(given(value))


def test_others_do_not() -> None:
    assert not asks_for_much(given((1000, Address(b"text"), None)))
