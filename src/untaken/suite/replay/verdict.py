"""Whether a replay showed what the campaign recorded."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from untaken.model.path import Exit, ExitKind
from untaken.suite.findings import error_said, sanitizer_report, signal_name
from untaken.suite.tests import SavedTest


@dataclass(frozen=True, slots=True)
class Replay:
    """One test run again. `differences` is empty if it reproduced what was recorded."""

    test: SavedTest
    exit: Exit
    output: bytes
    differences: tuple[str, ...] = ()
    shown_by: str = ""  # another program than the one that replays are of, and what it shows: in words

    @property
    def same(self) -> bool:
        return not self.differences

    @property
    def shows_finding(self) -> bool:
        return self.same and self.test.place is not None

    @property
    def expected(self) -> bool:
        """What was seen only while exploring need not come again."""
        return self.same or self.test.unconfirmed


def native_exit(recorded: Exit) -> Exit:
    """How the plain program ends where the instrumented one ended so."""
    match recorded.kind:
        case ExitKind.ERROR if "assertion `" in recorded.message and recorded.code != signal.SIGABRT:
            return Exit(ExitKind.CODE, recorded.code)  # it caught the signal and left in its own way
        case ExitKind.ERROR:
            return Exit(ExitKind.SIGNAL, int(signal.SIGABRT))
        case ExitKind.ASSUME | ExitKind.INPUTS:
            return Exit(ExitKind.CODE, 0)
        case ExitKind.MEMORY:
            return Exit(ExitKind.SIGNAL, int(signal.SIGKILL))
        case _:
            return recorded


def differences_of_end(test: SavedTest, expected: Exit, exit: Exit, output: bytes) -> tuple[str, ...]:
    """Compares the ends; of a sanitizer's finding also the report."""
    found = []
    if (expected.kind, expected.code) != (exit.kind, exit.code) and not (
        expected.kind is exit.kind is ExitKind.TIMEOUT
    ):
        found.append(f"was {described(expected)}, is {described(exit)}")
    if test.place is not None and test.place.kind == "sanitizer":
        report = sanitizer_report(output)
        if report is None:
            found.append(f"the sanitizer does not report {test.place.what}")
    return tuple(found)


def trouble_shown(test: SavedTest, exit: Exit, output: bytes, abort_is_an_end: bool) -> str | None:
    """What goes wrong in a run of its own of something that went wrong in a campaign; None if nothing does.

    It need not be the same: what is undefined ends in many ways, and the program is wrong in each.
    """
    if (report := sanitizer_report(output)) is not None:
        return report.what
    if test.exit.kind is ExitKind.TIMEOUT and (error := error_said(output)) is not None:
        return error  # it came to where the campaign had no time to get
    said = is_said(test.exit, output)
    match exit.kind:
        case ExitKind.SIGNAL if exit.code == signal.SIGABRT and abort_is_an_end and not said:
            return None  # an assumption failed, for all that is known
        case ExitKind.SIGNAL | ExitKind.TIMEOUT:
            return described(exit)
        case ExitKind.CODE if said and exit.code == native_exit(test.exit).code:
            return described(exit)  # it caught the signal and left in its own way
        case _:
            return None


def is_said(recorded: Exit, output: bytes) -> bool:
    """Whether the output says the error that the campaign saw."""
    if recorded.kind is not ExitKind.ERROR:
        return False
    named = recorded.message[recorded.message.find("ssertion `") :] if "assertion `" in recorded.message else ""
    return (named or recorded.message).encode(errors="replace") in output


def described(exit: Exit) -> str:
    """An end in a few words."""
    match exit.kind:
        case ExitKind.CODE:
            return f"exit code {exit.code}"
        case ExitKind.SIGNAL:
            return signal_name(exit.code)
        case ExitKind.TIMEOUT:
            return "a timeout"
        case ExitKind.MEMORY:
            return "killed, as when memory runs out"
        case ExitKind.ASSUME:
            return "an assumption that does not hold"
        case ExitKind.INPUTS:
            return "the end of its inputs"
        case ExitKind.LENGTH:
            return "the end of its length"
        case ExitKind.ERROR:
            return exit.message or "an error"
