"""A copy of the resident compiler that makes one call: it becomes what the caller is, and ends with an exit code."""

from __future__ import annotations

import ctypes
import io
import os
import signal
import sys
from typing import NoReturn

from untaken.cli.resident.meeting import COERCED
from untaken.cli.resident.messages import CompilerCall

FAILED = 3
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def make_call(request: CompilerCall, descriptors: list[int]) -> NoReturn:
    """Makes the call that was asked for, as the command itself would."""
    code = FAILED
    try:
        umask, words, environment = request
        os.setpgid(0, 0)
        _end_with_server()
        _take_place(descriptors)
        os.umask(umask)
        _take_environment(environment)
        sys.argv = list(map(os.fsdecode, words))
        code = _made()
    finally:
        os._exit(code)


def _made() -> int:
    from untaken.cli import start

    code = start.here(sys.argv[0])
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return code


def _end_with_server() -> None:
    """Whoever made the call makes it again then, and two must not write the same file."""
    server = os.getppid()
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != server:
        os._exit(FAILED)


def _take_environment(environment: dict[bytes, bytes]) -> None:
    """With what Python adds for itself in a plain C locale; the server was started in the same one."""
    name, _, value = COERCED.partition(b"=")
    if os.environb.get(name) == value:
        environment.setdefault(name, value)
    os.environ.clear()
    os.environb.update(environment)


def _take_place(descriptors: list[int]) -> None:
    """The caller's streams and folder instead of ours; nothing else of the server's is kept open."""
    *streams, folder = descriptors
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.fchdir(folder)
    os.closerange(3, max(map(int, os.listdir("/proc/self/fd"))) + 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=os.isatty(1))
