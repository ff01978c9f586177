"""What is left of processes: whoever loses its parent comes to the soak, so that nothing can hide."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_LIBC = ctypes.CDLL(None, use_errno=True)
_SUBREAPER = 36
GRACE_SECONDS = 20.0  # for those that were told to end


def adopt_orphans() -> None:
    """Makes this process the parent of all that lose theirs."""
    _LIBC.prctl(_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[int]:
    """Of this process, the dead ones collected."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(process: int) -> list[int]:
    with suppress(OSError):
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        return [int(word) for task in tasks for word in (task / "children").read_text().split()]
    return []


def processes_left() -> str | None:
    """Says which processes are still there after a while, and ends them."""
    deadline = time.monotonic() + GRACE_SECONDS
    while (left := descendants()) and time.monotonic() < deadline:
        time.sleep(0.02)
    for process in left:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
    return f"{len(left)} processes left" if left else None


def in_child(work: Callable[[], Any]) -> Any:
    """What a function gives, done in a forked process: for what cannot be undone, such as another user."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            answer: Any = work()
        except BaseException as error:
            answer = error
        with open(writing, "wb") as pipe:
            pipe.write(pickle.dumps(answer))
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    found = pickle.loads(data)
    if isinstance(found, BaseException):
        raise found
    return found


def unshare(flags: int) -> None:
    """Leaves namespaces behind; OSError where that is not allowed."""
    if _LIBC.unshare(flags):
        raise OSError(ctypes.get_errno(), f"unshare: {os.strerror(ctypes.get_errno())}")


def mount(source: str, target: Path | str, kind: str | None, flags: int, options: str | None = None) -> None:
    """The system call; OSError where it is not allowed."""
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind, options)]
    if _LIBC.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]):
        raise OSError(ctypes.get_errno(), f"mount {target}: {os.strerror(ctypes.get_errno())}")
