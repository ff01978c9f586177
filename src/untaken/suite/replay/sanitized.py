"""Tests under sanitizers: what goes wrong in a run although nothing shows it.

An overrun that hits nothing, a shift that is too far: the plain program ends as if nothing were wrong, and a campaign
has no reason to look twice. So the tests that it kept are run on a plain program with AddressSanitizer and UBSan.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.build.plain import CHECKED
from untaken.errors import UsageError
from untaken.suite.findings import NUMBERS, SANITIZER_HEADLINE, sanitizer_report
from untaken.suite.replay.alone import NATIVE_SANITIZER_SETTINGS
from untaken.suite.replay.native import build_native
from untaken.suite.replay.runners import NativeRunner, ReplayManner, obstacle_to_native
from untaken.suite.tests import SavedTest, Suite

_FRAME = re.compile(r"^ +#\d+ 0x[0-9a-f]+ in (\S+) ([^\s()]+?:\d+)(?::\d+)?$", re.MULTILINE)
_FIRST_STACK = re.compile(r"(?:^ +#\d+ .*\n?)+", re.MULTILINE)
# Other than in campaigns: what is undefined is told, and the run goes on to what comes after it.
_GOES_ON = {"UBSAN_OPTIONS": NATIVE_SANITIZER_SETTINGS["UBSAN_OPTIONS"].replace("halt_on_error=1", "halt_on_error=0")}


@dataclass(frozen=True, slots=True)
class SanitizerError:
    """One thing that a sanitizer said."""

    what: str
    place: str  # FILE:LINE, or nothing
    frames: tuple[str, ...]  # "FUNCTION (FILE:LINE)" of the program's own, innermost first, where these are known

    @property
    def in_words(self) -> str:
        return f"{self.what} at {self.place}" if self.place else self.what

    @property
    def key(self) -> tuple[str, str]:
        """The same for the same error in another run: values differ."""
        return NUMBERS.sub("#", self.what), self.place


@dataclass(frozen=True, slots=True)
class SanitizedRun:
    """One test, and what sanitizers said of it."""

    test: SavedTest
    output: bytes
    errors: tuple[SanitizerError, ...]


@contextmanager
def sanitized_runner(suite: Suite, manner: ReplayManner) -> Iterator[SanitizedRunner]:
    """PlainBuildError if there is no such program; UsageError if the tests cannot be run on any plain one."""
    if (obstacle := obstacle_to_native(suite)) is not None:
        raise UsageError(f"{obstacle}, so its tests cannot be run under sanitizers")
    program = build_native(suite, CHECKED)
    with TemporaryDirectory(prefix=".replay-", dir=suite.folder, ignore_cleanup_errors=True) as folder:
        yield SanitizedRunner(NativeRunner(suite, replace(manner, variables=_GOES_ON), program, Path(folder)))


class SanitizedRunner:
    """Runs tests; `notes` are things to tell the user once."""

    def __init__(self, runner: NativeRunner) -> None:
        self._runner = runner

    @property
    def notes(self) -> tuple[str, ...]:
        return self._runner.notes

    def run(self, test: SavedTest) -> SanitizedRun:
        output = self._runner.end_of(test).output
        return SanitizedRun(test, output, errors_in(output))


def errors_in(output: bytes) -> tuple[SanitizerError, ...]:
    """All reports in what a run printed, each with the stack that follows it."""
    found: dict[tuple[str, str], SanitizerError] = {}
    starts = [match.start() for match in SANITIZER_HEADLINE.finditer(output)]
    for start, end in pairwise([*starts, len(output)]):
        if (said := sanitizer_report(output[start:end])) is not None:
            frames = _frames(output[start:end].decode(errors="replace"))
            inmost = frames[0].partition("(")[2].removesuffix(")") if frames else ""
            error = SanitizerError(said.what, said.place or inmost, frames)
            found.setdefault(error.key, error)
    return tuple(found.values())


def _frames(report: str) -> tuple[str, ...]:
    """Those of the first stack whose files are here: the sanitizers' and the library's own are not."""
    stack = _FIRST_STACK.search(report)
    calls = _FRAME.findall(stack[0]) if stack else []
    return tuple(f"{name} ({place})" for name, place in calls if os.path.isfile(place.rpartition(":")[0]))
