"""Requests to end are heard at once, later, or not at all, as the code around them wants; and never lost."""

from __future__ import annotations

import signal
from contextlib import suppress

import pytest

from untaken.interrupts import deaf, interruptible, undisturbed

BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)


@BOTH
def test_a_request_raises_and_stops(number: signal.Signals) -> None:
    stopped: list[bool] = []
    with pytest.raises(KeyboardInterrupt), interruptible(lambda: stopped.append(True)):
        signal.raise_signal(number)
    assert stopped


def test_a_request_stops_even_where_the_exception_is_dropped() -> None:
    stopped: list[bool] = []
    with interruptible(lambda: stopped.append(True)), suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert stopped


@BOTH
def test_a_request_waits_for_what_must_not_be_disturbed(number: signal.Signals) -> None:
    done = False
    with pytest.raises(KeyboardInterrupt), interruptible(), undisturbed() as asked:
        signal.raise_signal(number)
        done = asked == [number]
    assert done


@BOTH
def test_the_deaf_hear_nothing(number: signal.Signals) -> None:
    with interruptible(), deaf():
        signal.raise_signal(number)


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible(), undisturbed() as asked:
            signal.raise_signal(signal.SIGINT)
        assert not asked
    finally:
        signal.signal(signal.SIGINT, before)


def test_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with interruptible(), undisturbed(), deaf():
        pass
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
