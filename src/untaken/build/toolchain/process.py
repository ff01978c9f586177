"""Starting compilers and linkers, cheaply: configure scripts start hundreds, so `subprocess` is not imported."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NoReturn

from untaken.errors import ToolchainError
from untaken.interrupts import undisturbed


def start(command: tuple[str, ...], environment: Mapping[str, str], log: str | None = None) -> int:
    """Starts a tool and returns its process id; what it says goes to our standard error, or to a file."""
    writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    messages = [(os.POSIX_SPAWN_OPEN, 2, log, writing, 0o600)] if log is not None else []
    try:
        return os.posix_spawn(command[0], command, environment, file_actions=[*messages, (os.POSIX_SPAWN_DUP2, 2, 1)])
    except OSError as error:
        raise _cannot_start(command[0], error) from None


def wait(process: int) -> int:
    """The exit code of a started tool; 128 and the signal's number if it was killed, as in a shell."""
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return 128 - code if code < 0 else code


def run(command: tuple[str, ...], environment: Mapping[str, str], log: str | None = None) -> int:
    """Starts a tool and waits for its exit code."""
    with started(command, environment, log) as process:
        return wait(process)


@contextmanager
def started(command: tuple[str, ...], environment: Mapping[str, str], log: str | None = None) -> Iterator[int]:
    """A tool that ends with us. Ctrl-C in a terminal is for both; what asks us alone to end, must be told to it."""
    process = None
    try:
        with undisturbed():
            process = start(command, environment, log)
        yield process
    except KeyboardInterrupt:
        if process is not None:
            _end(process)
        raise


def _end(process: int) -> None:
    with suppress(ChildProcessError):  # it was waited for already
        if os.waitpid(process, os.WNOHANG)[0] == 0:
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)


def become(command: tuple[str, ...], environment: Mapping[str, str]) -> NoReturn:
    """Turns this process into the tool: its output and exit code are then the caller's own."""
    try:
        os.execve(command[0], command, environment)
    except OSError as error:
        raise _cannot_start(command[0], error) from None


def _cannot_start(path: str, error: OSError) -> ToolchainError:
    return ToolchainError(f"cannot start {path}: {error.strerror}; `untaken doctor` shows what was found")
