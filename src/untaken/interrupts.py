"""Ctrl-C and requests to terminate: when they end a campaign at once, when they wait, when they are not heard.

Beside `errors.py`, because every stage needs it. Python handles signals in the main thread only; in any other these
contexts change nothing.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

REQUESTS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptible() -> Iterator[None]:
    """A request to terminate raises what Ctrl-C does."""
    if not _in_main_thread():
        yield
        return

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def undisturbed() -> Iterator[list[int]]:
    """Requests to end wait until this is done; the yielded list has those that came.

    Blocking the signals would not do: another thread may take them. What this process ignores, it goes on ignoring.
    """
    asked: list[int] = []
    if not _in_main_thread():
        yield asked
        return
    heard = [number for number in REQUESTS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, lambda got, _frame: asked.append(got)) for number in heard}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if asked:
        signal.raise_signal(asked[0])


@contextmanager
def deaf() -> Iterator[None]:
    """Requests to end are dropped: one came already, and this is the tidying up after it."""
    if not _in_main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in REQUESTS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
