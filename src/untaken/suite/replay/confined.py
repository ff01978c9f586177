"""One run of the plain program inside the sandbox that the campaign had: it is given the same inputs, after all."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from untaken.errors import ExecutionError, SandboxError
from untaken.execute.memory import RunLimits
from untaken.execute.removal import temporary_folder
from untaken.execute.sandbox import Launch, Sandbox, launch_environment, launcher_command
from untaken.model.path import Exit, ExitKind
from untaken.suite.replay.inside import VARIABLE

INSIDE = Path(__file__).with_name("inside.py")
GRACE_SECONDS = 20.0  # beyond the program's own time: two Pythons start first
ASKING_SECONDS = 0.1  # between two questions whether somebody still waits
MOST_OUTPUT = 64 << 10  # kept; what comes after it is read and forgotten
GONE = b"gone"  # no answer came, and none will
CLOSED = -1


@dataclass(frozen=True, slots=True)
class ConfinedRun:
    """What to run, where, and how long. argv is whole; its words may hold any bytes, as os.fsdecode gives them."""

    program: Path
    argv: tuple[str, ...]
    directory: Path
    stdin: Path
    environment: Mapping[str, str]
    seconds: float
    limits: RunLimits
    writable: tuple[Path, ...] = ()  # files that it may change
    reads: tuple[Path, ...] = ()  # files that it must find, besides
    deadline: float | None = None  # of the monotonic clock: whatever is running then is ended
    explain: bool = False  # why it crashes, if it does: it is traced
    stopped: Callable[[], bool] | None = None  # asked now and then: nobody waits for it any more


@dataclass(frozen=True, slots=True)
class Ended:
    """How it went. `notes` are protections that the system refused; `cut`: the deadline came first, or a stop."""

    exit: Exit
    output: bytes
    notes: tuple[str, ...] = ()
    cut: bool = False
    cause: str = ""  # the name of what led to its crash, if that was to be explained (inside.py)


def run_confined(job: ConfinedRun, sandbox: Sandbox) -> Ended:
    """Runs the program to its end, or until its time is over."""
    with temporary_folder() as scratch, Pipes() as pipes:
        process = _launched(job, sandbox, scratch, pipes)
        for name, side in (("report", 1), ("lifeline", 0), ("answer", 1), ("output", 1)):
            pipes.close(name, side)
        return _watched(process, pipes, job)


def _launched(job: ConfinedRun, sandbox: Sandbox, scratch: Path, pipes: Pipes) -> subprocess.Popen[bytes]:
    given = (pipes.writing("report"), pipes.reading("lifeline"), pipes.writing("answer"))
    launch = Launch(
        command=[sys.executable, sys.executable, "-I", "-S", str(INSIDE), _inside_settings(job)],
        directory=job.directory,
        scratch=scratch,
        report=given[0],
        lifeline=given[1],
        descriptors=given[2:],
        variable=VARIABLE,
        writable=job.writable,
        needed=(str(job.program), *job.argv, *map(str, (job.stdin, *job.reads))),
    )
    return subprocess.Popen(
        launcher_command(sandbox, launch),
        env=launch_environment(sandbox, scratch, launch.words, job.environment),
        stdin=subprocess.DEVNULL,
        stdout=pipes.writing("output"),
        stderr=pipes.writing("output"),
        pass_fds=given,
        start_new_session=True,
    )


def _inside_settings(job: ConfinedRun) -> str:
    return json.dumps(
        {
            "program": str(job.program),
            "argv": job.argv,
            "directory": str(job.directory),
            "stdin": str(job.stdin),
            "memory": job.limits.memory,
            "file": job.limits.file,
            "seconds": job.seconds,
            "explain": job.explain,
        }
    )


def _watched(process: subprocess.Popen[bytes], pipes: Pipes, job: ConfinedRun) -> Ended:
    """Waits for the end; then everything that is left is ended with the lifeline."""
    latest = time.monotonic() + job.seconds + GRACE_SECONDS
    deadline = latest if job.deadline is None else min(job.deadline, latest)
    printed, told = _read_until_told(pipes, deadline, job.stopped)
    if not told and time.monotonic() < latest:
        pipes.close("lifeline", 1)
        process.wait()
        return Ended(_exit(""), printed, cut=True)
    pipes.close("lifeline", 1)
    process.wait()
    printed += _remaining(pipes.reading("output"))
    said = _remaining(pipes.reading("report")).decode(errors="replace").splitlines()
    refused = [line.removeprefix("refused ") for line in said if line.startswith("refused ")]
    if refused:
        raise SandboxError(job.program, refused[0])
    failed = [line.removeprefix("failed ") for line in said if line.startswith("failed ")]
    if failed or told == GONE:
        reason = failed[0] if failed else printed.decode(errors="replace").strip() or "its sandbox ended"
        raise ExecutionError(f"cannot start {job.program}: {reason}")
    notes = tuple(line.removeprefix("note ") for line in said if line.startswith("note "))
    status, _, cause = told.decode().strip().partition(" ")
    return Ended(_exit(status), printed[:MOST_OUTPUT], notes, cause=cause)


def _read_until_told(pipes: Pipes, deadline: float, stopped: Callable[[], bool] | None) -> tuple[bytes, bytes]:
    """What is printed until the answer comes, and the answer: empty if it does not come in time."""
    printed = bytearray()
    waited = [pipes.reading("answer"), pipes.reading("output")]
    while (left := deadline - time.monotonic()) > 0 and not (stopped is not None and stopped()):
        readable, _, _ = select.select(waited, [], [], left if stopped is None else min(left, ASKING_SECONDS))
        if pipes.reading("output") in readable:
            data = os.read(pipes.reading("output"), 1 << 16)
            printed += data
            del printed[MOST_OUTPUT:]
            waited = waited if data else waited[:1]
        if pipes.reading("answer") in readable:
            return bytes(printed), os.read(pipes.reading("answer"), 100) or GONE
    return bytes(printed), b""


def _exit(told: str) -> Exit:
    if told in ("", "timeout"):
        return Exit(ExitKind.TIMEOUT, int(signal.SIGKILL))
    code = os.waitstatus_to_exitcode(int(told))
    return Exit(ExitKind.SIGNAL, -code) if code < 0 else Exit(ExitKind.CODE, code)


def _remaining(descriptor: int) -> bytes:
    """What is in a pipe, without waiting for more: something that outlived the run may hold its other end."""
    os.set_blocking(descriptor, False)
    found = b""
    with suppress(BlockingIOError):
        while len(found) < MOST_OUTPUT and (data := os.read(descriptor, 1 << 16)):
            found += data
    return found


class Pipes:
    """The pipes to the launcher by name; a context manager that closes what is still open."""

    def __init__(self) -> None:
        self._ends = {name: list(os.pipe()) for name in ("report", "lifeline", "answer", "output")}

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *error: object) -> None:
        for name, ends in self._ends.items():
            for side in range(len(ends)):
                self.close(name, side)

    def reading(self, name: str) -> int:
        return self._ends[name][0]

    def writing(self, name: str) -> int:
        return self._ends[name][1]

    def close(self, name: str, side: int) -> None:
        if self._ends[name][side] != CLOSED:
            os.close(self._ends[name][side])
            self._ends[name][side] = CLOSED
