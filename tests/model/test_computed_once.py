"""Attributes that are computed when they are first asked for."""

from __future__ import annotations

from untaken.model.computed_once import computed_once


class Counted:
    def __init__(self) -> None:
        self.times = 0

    @computed_once
    def answer(self) -> int:
        """The answer."""
        self.times += 1
        return 42


def test_it_is_computed_once_for_each_object() -> None:
    first, second = Counted(), Counted()
    assert (first.answer, first.answer, second.answer) == (42, 42, 42)
    assert (first.times, second.times) == (1, 1)


def test_what_was_put_there_before_is_not_computed() -> None:
    known = Counted()
    vars(known)["answer"] = 7
    assert (known.answer, known.times) == (7, 0)


def test_the_class_tells_what_it_is() -> None:
    assert Counted.answer.__doc__ == "The answer."
