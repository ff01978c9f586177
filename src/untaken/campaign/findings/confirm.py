"""Confirms findings: the input is run once more, in a fresh process of its own, before anybody is told.

The plain program decides. It is built when the first finding wants it, and it is asked in up to three variants: as the
user builds it; without optimisation, for an optimiser may leave out what is undefined; and with AddressSanitizer, for
an overrun need not hit anything in the plain program's memory. Whatever goes wrong there, the finding is true, and what
went wrong is said. Where there is no plain program, the instrumented one is run by hand. Where its input can only be
delivered in a campaign (a socket, a file outside its folder), or what goes wrong is a process that the program forked,
it has a fork server of its own for this one run.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory

from untaken.build.plain import ADDRESS_CHECKED, AS_GIVEN, UNOPTIMISED, Stopped, Variant, read_images
from untaken.campaign.findings.causes import CAUSES, library_message
from untaken.errors import ExecutionError, PlainBuildError
from untaken.execute.memory import RunLimits
from untaken.execute.own_processor import go_anywhere
from untaken.execute.removal import remove_folder
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import FUZZ_ENTRY, Target, is_sanitized
from untaken.model.input import SourceKind
from untaken.model.path import ExitKind, Path
from untaken.suite.fields import canonical_input
from untaken.suite.findings import Confirmation, Finding, Triage
from untaken.suite.replay.alone import Means, run_alone
from untaken.suite.replay.confined import Ended
from untaken.suite.replay.native import plain_name
from untaken.suite.replay.plain_programs import plain_program
from untaken.suite.replay.runners import PATIENCE, obstacle_to_native
from untaken.suite.replay.verdict import described, trouble_shown
from untaken.suite.tests import CrashPlace, SavedTest, Suite

BY_HAND = "the instrumented program, run by hand"
IN_A_SESSION = "the instrumented program, in a process of its own"
NO_TIME = Confirmation(None, "", "no time was left to run it in a process of its own")
FOLDER = ".confirm-"  # what a run of its own is in, begins so
BUILD_SECONDS = 3.0  # that a campaign with little time waits for the plain program before it goes on meanwhile
SHADOW = 36 << 40  # bytes of address space that the runtime reserves
ROOM = 64 << 20  # bytes for the program itself and its libraries: the limit is on what it adds
PLUG_INS = frozenset(("dlopen", "dlmopen"))


@dataclass(frozen=True, slots=True)
class Suspect:
    """One run that went wrong, as replays take it."""

    test: SavedTest
    finding: Finding


class Confirmer:
    """Runs inputs of findings again. A context manager: leaving it ends a build under way."""

    def __init__(
        self,
        suite: Suite,
        target: Target,
        settings: SessionSettings,
        note: Callable[[str], None],
        *,
        hurried: bool = False,
    ) -> None:
        """`hurried`: the campaign has a time limit, and a long build goes on beside it."""
        self._suite = suite
        self._target = target
        self._settings = settings  # as the campaign's runs have them
        self._note = note
        self._builds: dict[Variant, _Build] = {}
        self._told = False
        self._hurried = hurried

    def __enter__(self) -> Confirmer:
        return self

    def __exit__(self, *error: object) -> None:
        for build in self._builds.values():
            build.stop()

    def confirm(self, finding: Finding, path: Path, deadline: float | None = None) -> Confirmation | None:
        """Whether a run of its own shows it; None if that cannot be told yet. With a deadline it is told now."""
        case = Suspect(saved(finding, path), finding)
        try:
            return self._decided(case, deadline)
        except ExecutionError as error:
            return Confirmation(None, "", str(error))

    def _decided(self, case: Suspect, deadline: float | None) -> Confirmation | None:
        if case.test.is_of_child or obstacle_to_native(self._suite, self._target.map.library_calls) is not None:
            return self._in_a_session(case, deadline)
        if case.finding.kind == "error" and case.test.exit.kind is not ExitKind.ERROR:
            return self._in_a_session(case, deadline)  # an error function was entered, which only a trace tells
        if not self._suite.sources and self._target.map.library_calls & PLUG_INS:
            return self._by_hand(case, deadline)  # plug-ins are instrumented, and the plain program cannot load them
        try:
            return self._natively(case, deadline)
        except PlainBuildError as error:
            self._tell_once(f"{error}: findings are confirmed on the instrumented program")
            return self._by_hand(case, deadline)

    def _tell_once(self, text: str) -> None:
        if not self._told:
            self._told = True
            self._note(text)

    # ---- on the plain program

    def _natively(self, case: Suspect, deadline: float | None) -> Confirmation | None:
        first: Confirmation | None = None
        for variant in self._variants(case.finding):
            try:
                program = self._built(variant, deadline)
            except PlainBuildError:
                if variant is AS_GIVEN:
                    raise
                continue  # no sanitizer here, say
            if program is None:
                return self._without_it(case, first, deadline)
            limits = self._limits(is_sanitized(program))
            found = self._run(case, program, limits, variant.title, deadline)
            if found.holds is not False:
                return found
            first = first or found
        return first

    def _variants(self, finding: Finding) -> list[Variant]:
        variants = [AS_GIVEN, *([UNOPTIMISED] if self._optimised else [])]
        return [*variants, ADDRESS_CHECKED] if finding.kind == "signal" and not self._target.sanitized else variants

    @cached_property
    def _optimised(self) -> bool:
        return any(image.optimised for image in read_images(self._target.program))

    def _built(self, variant: Variant, deadline: float | None) -> FilePath | None:
        build = self._builds.get(variant)
        if build is None:
            build = self._builds[variant] = _Build(
                partial(plain_program, self._target.program, variant, plain_name(self._suite), self._suite.trust)
            )
        if deadline is not None:
            return build.result(max(0.0, deadline - time.monotonic() - 0.3))
        return build.result(build.patience() if self._hurried else None)

    def _without_it(self, case: Suspect, tried: Confirmation | None, deadline: float | None) -> Confirmation | None:
        """The plain program is not there yet: later, or at the end without it."""
        if deadline is None:
            return None
        return self._by_hand(case, deadline) if tried is None else NO_TIME

    # ---- on the instrumented one

    def _by_hand(self, case: Suspect, deadline: float | None) -> Confirmation:
        streams = any(source.kind is SourceKind.STDIN for source in self._suite.declared)
        if streams and any(function.name == FUZZ_ENTRY for function in self._target.map.functions):
            return self._in_a_session(case, deadline)  # by hand, its main does not look at stdin
        limits = self._limits(self._target.sanitized)
        with_shadow = replace(limits, memory=limits.memory + SHADOW) if limits.memory else limits
        return self._run(case, self._target.program, with_shadow, BY_HAND, deadline)

    def _in_a_session(self, case: Suspect, deadline: float | None) -> Confirmation:
        left = self._settings.timeout if deadline is None else max(0.05, deadline - time.monotonic() - 0.2)
        timeout = min(self._settings.timeout, left)
        with Session(
            self._target.program, replace(self._settings, most_runs=1, capture=True, timeout=timeout)
        ) as session:
            path = session.run(case.test.input, concrete=True)
            output = session.output
        if path.exit.kind is ExitKind.TIMEOUT and timeout < self._settings.timeout:
            return NO_TIME
        triage = Triage(self._target.map, self._target.abort_is_an_end)
        trouble = triage.trouble(path.exit, output) or triage.reached_error(path)
        return Confirmation(trouble is not None, IN_A_SESSION, trouble.what if trouble else described(path.exit))

    # ---- one run

    def _limits(self, sanitized: bool) -> RunLimits:
        """A sanitizer reserves far more than a program may use."""
        limits = self._settings.run_limits
        return replace(limits, memory=0 if sanitized or not limits.memory else limits.memory + ROOM)

    def _run(
        self, case: Suspect, program: FilePath, limits: RunLimits, title: str, deadline: float | None
    ) -> Confirmation:
        # What hung in the campaign gets the campaign's own time; else a slow machine is no difference.
        patience = 1 if case.finding.kind == "timeout" else PATIENCE
        means = Means(self._settings.sandbox, self._settings.timeout * patience, limits, deadline)
        ended = self._alone(case, program, means)
        if ended.cut:
            return NO_TIME
        shows = trouble_shown(case.test, ended.exit, ended.output, self._target.abort_is_an_end)
        cause = self._cause(case, program, means, ended) if shows is not None else ""
        return Confirmation(shows is not None, title, shows or described(ended.exit), cause)

    def _alone(self, case: Suspect, program: FilePath, means: Means) -> Ended:
        with TemporaryDirectory(prefix=FOLDER, dir=self._suite.folder, ignore_cleanup_errors=True) as folder:
            return run_alone(self._suite, case.test, program, FilePath(folder), means)

    def _cause(self, case: Suspect, program: FilePath, means: Means, ended: Ended) -> str:
        """Why it crashes. One more run tells: a program that is traced may notice, so it decides nothing else."""
        if ended.exit.kind is not ExitKind.SIGNAL:
            return ""
        if ended.exit.code == signal.SIGABRT:
            return library_message(ended.output)
        if ended.exit.code not in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE):
            return ""
        return CAUSES.get(self._alone(case, program, replace(means, explain=True)).cause, "")


def remove_leftovers(out: FilePath) -> None:
    """What a campaign that was killed has left of such runs; only while the folder is locked."""
    for left in out.glob(f"{FOLDER}*"):
        remove_folder(left)


def saved(finding: Finding, path: Path) -> SavedTest:
    """A run as a test that replays take."""
    place = CrashPlace(finding.kind, finding.what, ())
    return SavedTest(finding.name, FilePath(finding.name), canonical_input(path), path.fields, path.exit, place=place)


class _Build:
    """The plain program, built beside the campaign."""

    def __init__(self, build: Callable[[Callable[[], bool]], FilePath]) -> None:
        """`build` is given a question: is it stopped?"""
        self._build = build
        self._stopped = threading.Event()
        self._done = threading.Event()
        self._asked = False
        self._result: FilePath | PlainBuildError | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def patience(self) -> float:
        """How long to wait for it in a hurry: only the first time."""
        asked, self._asked = self._asked, True
        return 0.0 if asked else BUILD_SECONDS

    def result(self, seconds: float | None) -> FilePath | None:
        """The program if it is there within so many seconds; None: however long it takes."""
        self._done.wait(seconds)
        if isinstance(self._result, PlainBuildError):
            raise self._result
        return self._result

    def stop(self) -> None:
        """Ends it, and returns when it has ended."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        go_anywhere()
        with suppress(Stopped):
            try:
                self._result = self._build(self._stopped.is_set)
            except PlainBuildError as error:
                self._result = error
            except Exception as error:  # whatever it is, it must not leave somebody waiting
                self._result = PlainBuildError(f"the plain program cannot be built ({error})")
            self._done.set()
