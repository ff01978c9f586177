"""Whether a replay showed what the campaign recorded."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from untaken.campaign.findings import sanitizer_report, signal_name
from untaken.campaign.suite import SavedTest
from untaken.model.path import Exit, ExitKind


@dataclass(frozen=True, slots=True)
class Replay:
    """One test run again. `differences` is empty if it reproduced what was recorded."""

    test: SavedTest
    exit: Exit
    output: bytes
    differences: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        return not self.differences

    @property
    def shows_finding(self) -> bool:
        return self.same and self.test.place is not None


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
