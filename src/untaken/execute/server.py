"""One fork server process: started, asked for runs, ended together with everything below it."""

from __future__ import annotations

import mmap
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from untaken.errors import ExecutionError, SandboxError
from untaken.execute.copies import PrivateCopy, rights_of, state_of
from untaken.execute.layout import ENVIRONMENT_VARIABLE, LOST, REPORT
from untaken.execute.own_processor import is_together
from untaken.execute.removal import empty_directory, remove_folder
from untaken.execute.sandbox import (
    Launch,
    Sandbox,
    copied_directories,
    launch_environment,
    launcher_command,
    layer_of,
    scratch_directory,
)

READY = b"R"
REPORT_SIZE = len(REPORT) + 1
GARBAGE = 1 << 16  # as much as a pipe holds
START_SECONDS = 20.0
CLOSE_SECONDS = 5.0
AWAKE_SECONDS = 0.0003
MOST_IN_VAIN = 4  # answers in a row that were waited for awake, and did not come soon
SLEEPS = 32  # answers that are not, after so many
PRINTED_BYTES = 2000  # of a program that does not start: enough for a loader's or sanitizer's message


def discarded_output() -> int:
    """A descriptor that takes all that is written. It is not /dev/null: grep, cmp and tar look for that, and leave out
    what they would have printed with all that leads there."""
    try:
        return os.open("/dev/zero", os.O_WRONLY)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)


@dataclass(frozen=True, slots=True)
class Command:
    """What to start: the program, its whole argv, its environment, and how far it may reach."""

    program: Path
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    sandbox: Sandbox

    @property
    def words(self) -> list[str]:
        return [str(self.program), *self.argv]


class ServerGone(Exception):
    """The fork server ended or hangs; `status` as os.waitpid gives it, None if it hangs."""

    def __init__(self, status: int | None) -> None:
        super().__init__("the fork server hangs" if status is None else describe_status(status))
        self.status = status


class Server:
    """A running fork server. Its end of the pipes is inherited by the launcher only."""

    def __init__(self, command: Command, shared: int, output: int | None = None) -> None:
        self.notes: list[str] = []
        self.pid = 0
        self._status: int | None = None
        self._lines = b""
        self._in_vain = self._asleep = 0
        self._is_confined = len(os.sched_getaffinity(0)) < 2 and not is_together()  # by others, for good
        self._scratch = Path(tempfile.mkdtemp(prefix="untaken-"))
        self._open: list[int] = []
        self._copies: list[PrivateCopy] = []
        self._scratch_seen: Path | None = None
        try:
            self._launch(command, shared, output)
            self._await_ready(command)
            self._files = self._open_scratch(command)
            self._copies += self._open_copies(command)
        except BaseException:
            self.close()
            raise
        self._files_state = None if self._files is None else state_of(self._files)
        self._files_rights = None if self._files is None else rights_of(self._files)

    def ask(self, command: bytes, seconds: float, *, snapshot: bool = False, soon: bool = False) -> bytes:
        """Sends a command, to the run that waits as a snapshot if so, and returns the answer; `soon`: it won't be long.

        `seconds` is a safety net: the server itself ends runs that take too long.
        """
        if self._poll_status.poll(0):  # nobody was asked: a run has written there
            os.read(self._status_pipe, GARBAGE)
        self._send(command, snapshot)
        while (answer := self._answer(seconds, soon)) == LOST:
            if not snapshot:
                self._send(command, snapshot)
        return answer

    def _send(self, command: bytes, snapshot: bool) -> None:
        try:
            os.write(self._snapshots if snapshot else self._control, command)
        except BrokenPipeError:
            raise ServerGone(self._end_status()) from None

    def _answer(self, seconds: float, soon: bool) -> bytes:
        if not (soon and self._answers_soon()) and not self._poll_status.poll(seconds * 1000):
            raise ServerGone(None)
        report = os.read(self._status_pipe, REPORT_SIZE)
        if report[:-1] == REPORT:
            return report[-1:]
        return self._answer_among(report, time.monotonic() + seconds)

    def _answer_among(self, found: bytes, deadline: float) -> bytes:
        """The answer, among what a run has written to a descriptor that was not its own. Empty: the server is gone."""
        while REPORT not in found[:-1]:
            if not found:
                raise ServerGone(self._end_status())
            if not self._poll_status.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise ServerGone(None)
            more = os.read(self._status_pipe, GARBAGE)
            found = found[-REPORT_SIZE:] + more if more else b""
        place = found.index(REPORT) + len(REPORT)
        return found[place : place + 1]

    @property
    def waits_awake(self) -> bool:
        """Whether we wait for answers that come soon without going to sleep."""
        return not (self._asleep or self._is_confined or is_together())

    def _answers_soon(self) -> bool:
        """Waits for a moment without going to sleep: to be woken up would take as long as many a run.

        Only where the program has another processor: to it nothing is given away here, if it is of another session, as
        most kernels see to it that each session has its share.
        """
        if not self.waits_awake:
            self._asleep = max(0, self._asleep - 1)
            return False
        end = time.perf_counter() + AWAKE_SECONDS
        while not self._poll_status.poll(0):
            if time.perf_counter() > end:
                self._give_up()
                return False
            os.sched_yield()
        self._in_vain = 0
        return True

    def _give_up(self) -> None:
        """Runs that take longer are not waited for so: that would only take the processor from them."""
        self._in_vain += 1
        if self._in_vain == MOST_IN_VAIN:
            self._in_vain, self._asleep = 0, SLEEPS

    def clean_scratch(self) -> bool:
        """Removes what a run left in the scratch area, so that each run finds the same; false if it cannot."""
        is_clean = self._files is None or state_of(self._files) == self._files_state or self._empty(self._files)
        for copy in self._copies:
            is_clean = copy.clean() and is_clean
        return is_clean

    def has_files(self) -> bool:
        """Whether there is anything in the scratch area, or was anything written to copied directories."""
        return bool(self._files is not None and os.listdir(self._files)) or any(
            copy.is_written for copy in self._copies
        )

    def _empty(self, files: int) -> bool:
        rights = rights_of(files)
        empty_directory(files)
        self._files_state = state_of(files)
        return rights == self._files_rights

    def watched(self) -> list[str] | None:
        """Directories, as the program sees them, in which entries come or go where a run leaves files; None: that is
        not all there is to look at."""
        if self._files is None:
            return []  # nothing is removed
        if self._scratch_seen is None or any(copy.is_deep for copy in self._copies):
            return None
        return [str(self._scratch_seen), *(copy.layer for copy in self._copies)]

    def close(self) -> None:
        """Ends the server, its runs and the launcher; returns when they are gone."""
        for descriptor in self._open:
            os.close(descriptor)
        for copy in self._copies:
            copy.close()
        self._open, self._copies = [], []
        process = getattr(self, "_process", None)
        if process is not None:
            try:
                process.wait(CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()  # the program is bound to the launcher's life
                process.wait()
        remove_folder(self._scratch)

    def _launch(self, command: Command, shared: int, output: int | None) -> None:
        control, self._control = self._pipe()
        self._status_pipe, status = self._pipe()
        snapshot, self._snapshots = self._pipe()
        lifeline, _ = self._pipe()
        self._report, report = self._pipe()
        launch = Launch(
            command=command.words,
            directory=Path.cwd(),
            scratch=self._scratch,
            report=report,
            lifeline=lifeline,
            descriptors=(shared, control, status, snapshot),
            variable=ENVIRONMENT_VARIABLE,
        )
        printed = discarded_output() if output is None else output
        self._process = subprocess.Popen(
            launcher_command(command.sandbox, launch),
            env=launch_environment(command.sandbox, self._scratch, command.words, command.environment),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            pass_fds=(shared, control, status, snapshot, lifeline, report),
            start_new_session=True,
        )
        if output is None:
            os.close(printed)
        for descriptor in (control, status, snapshot, lifeline, report):
            self._open.remove(descriptor)
            os.close(descriptor)
        self._poll_status = select.poll()
        self._poll_status.register(self._status_pipe, select.POLLIN)

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        self._open.extend(ends)
        return ends

    def _await_ready(self, command: Command) -> None:
        """Until the program says that it is ready; the launcher says what went wrong instead."""
        deadline = time.monotonic() + START_SECONDS
        ready = False
        while not (ready and self.pid):
            waited = [self._report] if ready else [self._report, self._status_pipe]
            readable, _, _ = select.select(waited, [], [], max(0.0, deadline - time.monotonic()))
            if not readable:
                raise StartFailed(f"it did not get ready within {START_SECONDS:g} seconds")
            if self._report in readable:
                self._read_report(command)
            if self._status_pipe in readable:
                ready = os.read(self._status_pipe, REPORT_SIZE) == REPORT + READY
                if not ready:
                    status = self._end_status()
                    raise StartFailed(describe_status(status), status)

    def _read_report(self, command: Command) -> None:
        data = os.read(self._report, 4096)
        if not data:
            raise StartFailed("its launcher ended: is Python's own executable still there?")
        *lines, self._lines = (self._lines + data).split(b"\n")
        for line in lines:
            word, _, text = line.decode(errors="replace").partition(" ")
            if word == "note":
                self.notes.append(text)
            elif word == "started":
                self.pid = int(text)
            elif word == "ended":
                self._status = int(text)
            elif word == "refused":
                raise SandboxError(command.program, text)
            elif word == "failed":
                raise ExecutionError(f"cannot start {command.program}: {text}")

    def _end_status(self) -> int:
        """How the program ended, once the status pipe is closed; waits for the launcher to say so."""
        os.close(self._control)
        self._open.remove(self._control)
        while self._status is None:
            data = os.read(self._report, 4096)
            if not data:
                return int(signal.SIGKILL)  # the launcher itself was killed, and the program with it
            self._lines += data
            for line in self._lines.split(b"\n"):
                if line.startswith(b"ended "):
                    self._status = int(line[6:])
        return self._status

    def _open_scratch(self, command: Command) -> int | None:
        """The scratch area of the sandbox, seen from outside through the program's root; without namespaces its own."""
        if not command.sandbox.enabled:
            return None
        path = scratch_directory(command.sandbox, self._scratch, command.words)
        self._scratch_seen = None if self.notes else path
        inside = self._scratch / "tmp" if self.notes else f"/proc/{self.pid}/root{path}"
        handle = os.open(inside, os.O_RDONLY | os.O_DIRECTORY)
        self._open.append(handle)
        return handle

    def _open_copies(self, command: Command) -> list[PrivateCopy]:
        """Of the directories that there should be copies of, those that the system allowed."""
        root, copies = f"/proc/{self.pid}/root", []
        if not self.notes:
            for number, path in enumerate(copied_directories(command.sandbox, Path.cwd(), command.words)):
                layer = layer_of(number)
                if os.path.isdir(root + layer):
                    copies.append(PrivateCopy(root, path, layer))
        return copies


class StartFailed(Exception):
    """The program was started but its fork server did not come up; `status` if it ended, as os.waitpid gives it."""

    def __init__(self, why: str, status: int | None = None) -> None:
        super().__init__(why)
        self.status = status


def describe_status(status: int) -> str:
    """A wait status in words."""
    if os.WIFSIGNALED(status):
        return f"it was killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"it ended with exit code {os.WEXITSTATUS(status)}"


def check_instrumented(program: Path) -> None:
    """Says plainly, before anything is started, that a program is not one of ours."""
    try:
        with program.open("rb") as file:
            start = file.read(4)
            ours = start == b"\x7fELF" and contains(file.fileno(), ENVIRONMENT_VARIABLE.encode())
    except OSError as error:
        raise ExecutionError(f"cannot read {program}: {error.strerror}") from error
    if start[:2] == b"#!":
        raise ExecutionError(f"{program} is a script: name the program itself (libtool keeps it in .libs/)")
    if not ours:
        raise ExecutionError(f'{program} was not built with untaken: build it with CC="untaken cc", or name C files')
    if not os.access(program, os.X_OK):
        raise ExecutionError(f"{program} is not executable: chmod +x it, or name the linked program")


def contains(descriptor: int, text: bytes) -> bool:
    """Whether a file holds these bytes."""
    with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as content:
        return content.find(text) >= 0
