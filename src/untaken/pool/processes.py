"""Processes on this machine, forked from a warm server, so that one costs milliseconds.

They do not hear Ctrl-C: who started them ends them.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

DEAF = f"{__package__}.ignore_interrupts"
GOODBYE_SECONDS = 10.0


def pipe(*, duplex: bool) -> tuple[Connection, Connection]:
    """Our end and the other; one that is not duplex is written to at the other."""
    ours, theirs = multiprocessing.get_context("forkserver").Pipe(duplex)
    return ours, theirs


def start_process(work: Callable[..., None], arguments: tuple[Any, ...]) -> BaseProcess:
    """Calls a function in a process of its own. The fork server imports its module once for all."""
    context = _context(work)
    process = context.Process(target=work, args=arguments)
    with unnamed_script(), deaf_from_birth():
        process.start()
    return process


def start_server(work: Callable[..., None]) -> None:
    """Begins to load what is needed for such processes, and does not wait for it."""
    _context(work)
    with deaf_from_birth():
        forkserver.ensure_running()


def _context(work: Callable[..., None]) -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([DEAF, work.__module__])
    return context


def end_processes(processes: Sequence[BaseProcess]) -> None:
    """All are asked to end, then waited for; who does not is killed."""
    for process in processes:
        process.terminate()  # a campaign closes its program on this, and leaves nothing
    for process in processes:
        process.join(GOODBYE_SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()


@contextmanager
def unnamed_script() -> Iterator[None]:
    """The script that Python was called with is not imported by each process anew: a campaign needs nothing of it."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


@contextmanager
def deaf_from_birth() -> Iterator[None]:
    """A fork server that is started meanwhile begins with Ctrl-C blocked, until `DEAF` has it ignored.

    Here it is blocked as long, too, and then heard. Starting the tracker would unblock it, so that is done before.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
