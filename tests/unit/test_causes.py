"""What went wrong in the campaigns of a project, by cause: what was no finding of the function is none."""

from __future__ import annotations

from untaken.unit.project.causes import Appearance, Reachability, causes
from untaken.unit.project.results import ShownFault


def appearance(kind: str, *frames: str, what: str = "SIGSEGV", cause: str = "") -> Appearance:
    fault = ShownFault("0001", kind, what, cause, None, frames)
    return Appearance("thing_use", "thing", exported=True, made_up=False, fault=fault, call=None)


def test_what_goes_wrong_while_only_the_driver_runs_is_no_finding() -> None:
    assert not causes([appearance("signal")])


def test_what_a_sanitizer_says_of_a_call_that_prepares_is_no_finding() -> None:
    assert not causes([appearance("sanitizer", "thing_open (thing.c:7)", "test_thing_use (test_thing.c:30)")])


def test_what_a_sanitizer_says_without_a_stack_is_one() -> None:
    (found,) = causes([appearance("sanitizer")])
    assert found.reached is Reachability.EXPORTED


def test_what_goes_wrong_in_the_function_is_one() -> None:
    assert causes([appearance("signal", "thing_free (thing.c:7)", "thing_use (thing.c:9)")])


def test_a_function_that_aborts_refuses_its_arguments() -> None:
    assert not causes([appearance("signal", "thing_use (thing.c:9)", what="SIGABRT")])


def test_so_does_one_that_calls_a_function_which_says_why() -> None:
    assert not causes([appearance("signal", "die (die.c:3)", "thing_use (thing.c:9)", what="SIGABRT")])


def test_what_the_c_library_aborts_for_is_a_finding() -> None:
    assert causes([appearance("signal", "thing_use (thing.c:9)", what="SIGABRT", cause="free(): invalid pointer")])


def test_so_does_one_behind_functions_that_decide_nothing() -> None:
    frames = ("style_of (style.c:3)", "quote_n (style.c:8)", "thing_use (thing.c:9)")
    fault = ShownFault("0001", "signal", "SIGABRT", "", None, frames)
    handed_on = Appearance("thing_use", "thing", True, False, fault, None, True, frozenset({"quote_n", "thing_use"}))
    assert not causes([handed_on])
    assert causes([Appearance("thing_use", "thing", True, False, fault, None, True, frozenset({"thing_use"}))])
