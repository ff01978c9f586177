"""The two ways to run a test again: the plain native program, or the instrumented one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from untaken.build.objects.program_map import read_program_map
from untaken.build.plain import AS_GIVEN
from untaken.errors import PlainBuildError, ProgramMapError
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox, program_environment
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import SANITIZER_SETTINGS, is_sanitized
from untaken.model.input import SourceKind
from untaken.model.path import ExitKind
from untaken.suite.replay.alone import Means, run_alone
from untaken.suite.replay.confined import Ended
from untaken.suite.replay.layout import outside
from untaken.suite.replay.native import build_native, confirming_variant, instrumented_program
from untaken.suite.replay.verdict import Replay, differences_of_end, native_exit, trouble_shown
from untaken.suite.tests import CrashPlace, SavedTest, Suite

PATIENCE = 10  # a slow machine is no difference: only what hung in the campaign gets the campaign's own time
# In a campaign these read what stands for stdin; outside it there would have to be a client
# (runtime/libc/files/sockets.c).
THROUGH_SOCKETS = frozenset(("accept", "accept4", "recv", "recvfrom", "__recv_chk", "__recvfrom_chk"))
CHANGED = "the program is not the one of the campaign any more: its sources or untaken itself have changed"


class Runner(Protocol):
    """Runs tests again. `notes` are things to tell the user once."""

    notes: tuple[str, ...]

    def run(self, test: SavedTest) -> Replay: ...


@dataclass(frozen=True, slots=True)
class ReplayManner:
    """How replays run: in which sandbox, for how long, and with which variables of the environment besides."""

    sandbox: Sandbox = Sandbox()
    timeout: float | None = None  # the campaign's if None
    variables: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def native_runner(suite: Suite, manner: ReplayManner) -> Iterator[Runner]:
    """On the plain build, inside the sandbox."""
    program = build_native(suite)
    with TemporaryDirectory(prefix=".replay-", dir=suite.folder, ignore_cleanup_errors=True) as folder:
        yield NativeRunner(suite, manner, program, Path(folder))


class NativeRunner:
    """Runs the plain program; each run has a folder of its own below `folder`."""

    def __init__(self, suite: Suite, manner: ReplayManner, program: Path, folder: Path) -> None:
        self.notes: tuple[str, ...] = ()
        self._suite = suite
        self._manner = manner
        self._program = program
        self._folder = folder
        self._places = {crash.name: crash.place for crash in suite.tests if crash.place is not None}

    def run(self, test: SavedTest) -> Replay:
        ended = self.end_of(test)
        differences = differences_of_end(test, native_exit(test.exit), ended.exit, ended.output)
        place = test.place or self._places.get(test.finding or "")
        if differences and place is not None and (replay := self._as_confirmed(test, place, ended)):
            return replay
        return Replay(test, ended.exit, ended.output, differences)

    def end_of(self, test: SavedTest) -> Ended:
        """How the program ends, whatever it did in the campaign."""
        return self._run(test, self._program)

    def _as_confirmed(self, test: SavedTest, place: CrashPlace, ended: Ended) -> Replay | None:
        """What is undefined may show itself on one program only, and otherwise than in the campaign."""
        variant = confirming_variant(place)
        if variant is not AS_GIVEN:
            with suppress(PlainBuildError):
                ended = self._run(test, build_native(self._suite, variant))
        shown = trouble_shown(test, ended.exit, ended.output, abort_is_an_end=False)
        if shown is None or shown != place.shows:
            return None
        return Replay(test, ended.exit, ended.output, shown_by=f"{shown}, on {variant.title}")

    def _run(self, test: SavedTest, program: Path) -> Ended:
        ended = run_alone(self._suite, test, program, self._folder, self._means(test, program))
        self.notes = tuple(map(incomplete, ended.notes))
        return ended

    def _means(self, test: SavedTest, program: Path) -> Means:
        timeout = self._manner.timeout or self._suite.recipe.timeout
        seconds = timeout if test.exit.kind is ExitKind.TIMEOUT else timeout * PATIENCE
        # A sanitizer reserves far more than a program may use.
        limits = RunLimits(memory=0) if is_sanitized(program) else RunLimits()
        return Means(self._manner.sandbox, seconds, limits, variables=self._manner.variables)


@contextmanager
def instrumented_runner(suite: Suite, manner: ReplayManner) -> Iterator[Runner]:
    """On the instrumented build, with its branches checked too."""
    with chdir(suite.directory):  # sessions start programs where we are
        program = instrumented_program(suite)
        with Session(program, session_settings(suite, manner)) as session:
            changed = bool(suite.sources) and program.name != Path(suite.recipe.program).name
            yield InstrumentedRunner(session, (*map(incomplete, session.notes), *([CHANGED] if changed else [])))


class InstrumentedRunner:
    """Runs the instrumented program: also the branches that a test was first to cover must come again."""

    def __init__(self, session: Session, notes: tuple[str, ...]) -> None:
        self.notes = notes
        self._session = session

    def run(self, test: SavedTest) -> Replay:
        if test.exit.kind is ExitKind.INPUTS:
            path = self._session.replay(test.input)
        else:
            path = self._session.run(test.input, concrete=True)
        output = self._session.output
        found = differences_of_end(test, test.exit, path.exit, output)
        missing = sorted(set(test.covers) - set(path.passed.tolist()))
        if missing:
            found += (f"does not cover {len(missing)} of {len(test.covers)} branches: {_listed(missing)}",)
        return Replay(test, path.exit, output, found)


def _listed(branches: list[int]) -> str:
    return ", ".join(map(str, branches[:5])) + (", ..." if len(branches) > 5 else "")


def session_settings(suite: Suite, manner: ReplayManner) -> SessionSettings:
    """As in the campaign, with the output kept."""
    return SessionSettings(
        arguments=suite.recipe.arguments,
        sources=suite.recipe.declared,
        timeout=manner.timeout or suite.recipe.timeout,
        sandbox=manner.sandbox,
        environment={**program_environment(manner.sandbox), **SANITIZER_SETTINGS},
        capture=True,
    )


def obstacle_to_native(suite: Suite, callees: Set[str] | None = None) -> str | None:
    """Why the tests cannot be run natively, if they cannot; `callees` are the library functions that it calls."""
    if names := outside(suite):
        return f"{names[0]} lies outside the folder in which the program runs"
    if any(test.is_of_child for test in suite.tests):
        return "the tests follow children of the program, and only the instrumented one tells how these end"
    if listens(suite, callees):
        return "the program has its input from a socket, and there is no client"
    return None


def listens(suite: Suite, callees: Set[str] | None) -> bool:
    """Whether what was given as stdin is asked for through a socket."""
    if not any(source.kind is SourceKind.STDIN for source in suite.declared):
        return False
    return not THROUGH_SOCKETS.isdisjoint(_library_calls(suite) if callees is None else callees)


def _library_calls(suite: Suite) -> Set[str]:
    """Of the campaign's program, which is made anew if it was damaged."""
    if not suite.program.exists():
        return frozenset()
    try:
        return read_program_map(suite.program).library_calls
    except ProgramMapError:
        if not suite.sources:
            raise
    with chdir(suite.directory):
        return read_program_map(instrumented_program(suite)).library_calls


def incomplete(note: str) -> str:
    """What to say of a protection that the system refuses."""
    return f"the sandbox is not whole: {note}"
