"""A program under its fork server: `run` takes an input and gives back the path that came of it."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path as FilePath
from types import TracebackType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from untaken.errors import ExecutionError
from untaken.execute.arguments import merged_arguments, numbered
from untaken.execute.burst import BurstWriter
from untaken.execute.layout import (
    COMMAND_RUN,
    EXTERNAL_DTYPE,
    RUN_AWAKE,
    RUN_BURST,
    RUN_CONCRETE,
    RUN_ENDS,
    RUN_REACH,
    RUN_WINDOWS,
    WATCHED,
)
from untaken.execute.libraries import uninstrumented_libraries
from untaken.execute.memory import BURST_OFFSET, BURST_REQUEST, MESSAGE_OFFSET, REQUEST, REQUEST_OFFSET, SharedMemory
from untaken.execute.nodes import NodeTable
from untaken.execute.sandbox import program_environment
from untaken.execute.server import PRINTED_BYTES, Command, Server, ServerGone, StartFailed, check_instrumented
from untaken.execute.session_settings import DEFAULTS, SessionSettings
from untaken.execute.structure import malformed
from untaken.execute.trace_reader import Glance, TraceReader
from untaken.model.burst import ChangedInputs
from untaken.model.input import SourceKind
from untaken.model.path import DamagedTrace, Exit, ExitKind, Path

GRACE_SECONDS = 10.0  # beyond a run's own time before the server itself counts as hung
MOST_FRUITLESS_RESTARTS = 5

_OfRun = TypeVar("_OfRun")


class Session:
    """Runs one program on many inputs. A context manager: leaving it ends all processes."""

    def __init__(self, program: FilePath | str, settings: SessionSettings = DEFAULTS) -> None:
        path = FilePath(program).absolute()
        check_instrumented(path)
        self.settings = settings
        self.notes: tuple[str, ...] = ()  # protections that the system refused
        self.input_limit = 0  # input statements after which a run ends; 0: never
        self.event_limit = 0  # events after which it does; 0: never
        self.windows = False  # whether paths are to come with those of their constraints
        self.reach = False  # whether the bytes are to be known that expressions depend on
        sources = numbered(settings.sources, settings.arguments)
        given = settings.environment
        environment = program_environment(settings.sandbox) if given is None else given
        argv = (path.name, *merged_arguments(settings.arguments, sources))
        self._command = Command(path, argv, environment, settings.sandbox)
        self.memory = SharedMemory(
            settings.limits,
            sources,
            settings.run_limits,
            settings.biases,
            settings.most_runs,
            settings.changes_process,
            settings.sets_locale,
            settings.uses_files,
            settings.takes_addresses,
        )
        self._output = output_file() if settings.capture else None
        self._fruitless = 0
        self._is_asking = False  # the server, for a run that has not ended yet
        self.expressions = NodeTable(self.memory)
        self._reader = TraceReader(self.memory, self.expressions)
        self.counters = self._reader.counters
        self._bursts = BurstWriter(self.memory.burst, len(self.memory.input))
        self._laid_out: ChangedInputs | None = None
        try:
            self._server = self.start_server()
        except BaseException:
            self._close_memory()
            raise
        self._id_count = self._reader.bounds.ids = self.memory.get("id_count")
        self.coverage: NDArray[np.uint8] = self.memory.coverage[: self.id_count]
        self.uninstrumented = uninstrumented_libraries(self._server.pid)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, input: bytes, *, concrete: bool = False, seconds: float | None = None) -> Path:
        """Runs the program on an input; `concrete` records branches but no expressions. It may take so many seconds, or
        as long as the settings say."""
        flags = RUN_CONCRETE | self.wanted_flags if concrete else self.wanted_flags
        if self.settings.most_runs > 1 and self._server.waits_awake:
            flags |= RUN_AWAKE
        seconds = self.settings.timeout if seconds is None else seconds
        self._request(input, flags, max(1, round(seconds * 1000)), (self.input_limit, self.event_limit))
        return self._run(input, seconds, self.read_path)

    def burst(self, changes: ChangedInputs, runs: range, passes: NDArray[np.uint8], seconds: float) -> Glance:
        """Runs the program without expressions on these of the changed inputs, until one shows something or some time
        is over. `passes` has bits for each id that say how often runs have passed it."""
        memory = self.memory
        self._request(
            b"", RUN_CONCRETE | RUN_BURST, max(1, round(seconds * 1000)), (self.input_limit, self.event_limit)
        )
        if changes is not self._laid_out:
            self._bursts.write(changes)
            self._laid_out = changes
        end = runs.stop if self._watches_files() else runs.start + 1  # after each run somebody has to clean up
        memory.header["random_seed"] = changes.seed
        BURST_REQUEST.pack_into(memory.map, BURST_OFFSET, end, runs.start, 0, 0)
        memory.passes[: len(passes)] = passes
        found = self._run(b"", seconds, lambda _: self._reader.glance(runs.start))
        passes[:] = memory.passes[: len(passes)]
        if isinstance(found, Glance):
            return found
        done = min(max(1, memory.get("burst_done") - runs.start), len(runs))
        return Glance(done, self._reader.input())

    def _watches_files(self) -> bool:
        """Whether the program itself can see to it that runs leave no files behind."""
        watched = self._server.watched() if self.settings.uses_files else []
        paths = b"".join(os.fsencode(path) + b"\0" for path in watched or ())
        fits = len(paths) < WATCHED
        self.memory.header["watched"] = paths if fits else b""
        return watched is not None and fits

    @property
    def wanted_flags(self) -> int:
        """What runs are to tell beside their paths."""
        return (RUN_WINDOWS if self.windows else 0) | (RUN_REACH if self.reach else 0)

    def replay(self, input: bytes, *, more_seconds: float = 0.0) -> Path:
        """Runs the program without expressions until it asks for more input than there is."""
        seconds = self.settings.timeout + more_seconds
        self._request(input, RUN_CONCRETE | RUN_ENDS, round(seconds * 1000), (0, 0))
        return self._run(input, seconds, self.read_path)

    def _request(self, input: bytes, flags: int, timeout_ms: int, limits: tuple[int, int]) -> None:
        """`limits` of inputs and of events."""
        if self._is_asking:  # the run before was torn off, and may still be under way
            self._renew_server()
        memory = self.memory
        try:
            memory.input[: len(input)] = input
        except ValueError:
            raise ExecutionError(
                f"an input of {len(input)} bytes is longer than the limit of {len(memory.input)}"
            ) from None
        REQUEST.pack_into(memory.map, REQUEST_OFFSET, len(input), timeout_ms, flags, limits[0], 0, 0, limits[1])
        self.forget_output()

    def forget_output(self) -> None:
        """Clears what the run before has printed, and its last message."""
        self.memory.map[MESSAGE_OFFSET] = 0
        if self._output is not None:
            os.ftruncate(self._output, 0)

    def _run(self, input: bytes, seconds: float, read: Callable[[bytes], _OfRun]) -> _OfRun | Path:
        """What `read` makes of the run; where that cannot be, a path that says how it ended."""
        self._is_asking = True
        try:
            self._server.ask(COMMAND_RUN, seconds + GRACE_SECONDS, soon=self.settings.most_runs > 1)
        except ServerGone as gone:
            self._is_asking = False
            return self._recover(input, gone)
        self._is_asking = False
        try:
            told = read(input)
        except DamagedTrace:
            return self._damaged_path(input)
        if self.settings.uses_files and not self._server.clean_scratch():  # files that were there before have changed
            self._renew_server()
        return told

    @property
    def id_count(self) -> int:
        """Branches, entries and returns of the program, and the numbers between: the size of `coverage`."""
        return self._id_count

    @property
    def output(self) -> bytes:
        """What the last run printed on stdout and stderr, if the settings say `capture`."""
        if self._output is None:
            raise ExecutionError("the output of this session is not captured")
        return os.pread(self._output, os.fstat(self._output).st_size, 0)

    @property
    def externals(self) -> dict[str, int]:
        """Functions without a model that were called with symbolic arguments, and how often."""
        view = self.memory.view("externals")[: self.memory.get("external_count")]
        assert view.dtype == EXTERNAL_DTYPE
        return {name.decode(errors="replace"): calls for name, calls in view.tolist()}

    @property
    def lost_labels(self) -> bool:
        """Whether symbolic arguments have gone into a function without a model."""
        return bool(self.memory.get("external_count"))

    def clear_expressions(self) -> None:
        """Starts a new node table: constraints of earlier paths mean nothing any more."""
        self.expressions.clear()
        self._reader.bounds.nodes = 1

    def close(self) -> None:
        """Ends the fork server and everything that it started."""
        self._server.close()
        self._close_memory()

    def _close_memory(self) -> None:
        self.memory.close()
        if self._output is not None:
            os.close(self._output)
            self._output = None

    def read_path(self, input: bytes) -> Path:
        """What the run that has just ended left in shared memory."""
        self._fruitless = 0
        return self._reader.path(input, windows=self.windows)

    def _damaged_path(self, input: bytes) -> Path:
        """Of a run that has written over what it recorded: how it ended is told, and the next one begins afresh."""
        exit = self._reader.damaged_exit()
        self.begin_afresh()
        return self.empty_path(input, exit)

    def begin_afresh(self) -> None:
        """Shared memory is damaged: nothing in it counts any more, and the processes that have it are replaced."""
        self.counters.damaged += 1
        self._server.close()
        self._reader.forget()
        self.memory.clear_all()
        self._laid_out = None
        self.expressions.clear()
        self._server = self.start_server()
        self._is_asking = False

    def is_sound(self) -> bool:
        """Whether the expressions are such as the runtime writes: looked at where something went wrong with them."""
        return len(self.expressions) <= len(self.memory.nodes) and not malformed(self.expressions.columns())

    def read_exit(self) -> Exit:
        """How the last run ended, as the runtime noted it."""
        return self._reader.exit()

    def empty_path(self, input: bytes, exit: Exit) -> Path:
        """Of a run of which nothing but its end is known."""
        return self._reader.empty_path(input, exit)

    def do_prologue_once(self, *, wanted: bool) -> bool:
        """Whether what the program does before it looks at its input is from now on done once, and not in each run.

        That takes a program of which nothing but memory is left then: it may have no files open, say. Nor may it have
        left any. What runs have covered is forgotten, so that the next one tells all.
        """
        self.memory.set_prologue_once(wanted=wanted and self._can_do_prologue_once())
        self._renew_server()
        if self.memory.get("prologue_once") and self._server.has_files():
            self.memory.set_prologue_once(wanted=False)
            self._renew_server()
        self.coverage[:] = 0
        return bool(self.memory.get("prologue_once"))

    def _can_do_prologue_once(self) -> bool:
        """Arguments are looked at right away; and what is printed before the first run would be missing in all."""
        settings = self.settings
        has_arguments = any(source.kind is SourceKind.ARGUMENT for source in settings.sources)
        return settings.most_runs > 1 and not settings.capture and not has_arguments

    # ---- the server comes and goes

    def _renew_server(self) -> None:
        self._server.close()
        self._server = self.start_server()
        self._is_asking = False

    def start_server(self) -> Server:
        """A fork server of the program, on the shared memory."""
        if self.memory.restore_settings():
            self.clear_expressions()  # they may be overwritten, too
        try:
            server = Server(self._command, self.memory.descriptor, self._output)
        except StartFailed as failure:
            if self.memory.get("prologue_once"):
                self.memory.set_prologue_once(wanted=False)
                return self.start_server()
            raise self._start_error(failure) from failure
        self.notes = tuple(server.notes)
        return server

    def _start_error(self, failure: StartFailed) -> ExecutionError:
        """Started once more with its output kept, for the program or its loader usually says why."""
        output = output_file()
        with suppress(StartFailed, ExecutionError):
            Server(self._command, self.memory.descriptor, output).close()
        printed = os.pread(output, PRINTED_BYTES, 0).decode(errors="replace").strip()
        os.close(output)
        said = f"; it printed:\n{printed}" if printed else " and printed nothing"
        return ExecutionError(
            f"the fork server of {self._command.program} did not start: {failure}{said}\n"
            "Run the program by hand; if that works, build it again with this version of untaken."
        )

    def _recover(self, input: bytes, gone: ServerGone) -> Path:
        """A run took the server with it. That is a result of the run; the next one gets a new server."""
        self.counters.runs += 1
        self.counters.restarts += 1
        self._fruitless += 1
        self._server.close()
        if self._fruitless > MOST_FRUITLESS_RESTARTS:
            raise ExecutionError(
                f"the fork server of {self._command.program} fails on every run ({gone}): {SEE_OUTPUT}"
            )
        self._server = self.start_server()
        return self.empty_path(input, exit_of_server(gone))


SEE_OUTPUT = "run the program by hand to see why, or allow it more time and memory"


def output_file() -> int:
    """A file in memory that is always appended to, so that it can be emptied between runs."""
    descriptor = os.memfd_create("output", os.MFD_CLOEXEC)
    fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)
    return descriptor


def exit_of_server(gone: ServerGone) -> Exit:
    """How a run ended that ended its fork server."""
    message = f"the run ended its fork server: {gone}"
    if gone.status is None:  # runs that are late are ended by the server: this one has damaged it
        return Exit(ExitKind.CODE, 0, message)
    if os.WIFSIGNALED(gone.status):
        return Exit(ExitKind.SIGNAL, os.WTERMSIG(gone.status), message)
    return Exit(ExitKind.SIGNAL, int(signal.SIGKILL), message)
