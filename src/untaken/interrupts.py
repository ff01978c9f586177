"""Ctrl-C and other requests to end: when they end a campaign at once, when they wait, when they are not heard.

Beside `errors.py`, because every stage needs it. Python handles signals in the main thread only; in any other these
contexts change nothing. What the process ignores, it goes on ignoring.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object] | signal.Handlers
REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # Ctrl-C, kill, a terminal that was closed


@contextmanager
def interruptible(stop: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Requests to end call `stop` and raise KeyboardInterrupt, all of them as Ctrl-C does.

    The exception alone is not enough: some C code between, such as numpy looking for an attribute, drops it.
    """
    if not _in_main_thread():
        yield
        return

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        stop()
        raise KeyboardInterrupt

    with _handled(interrupt):
        yield


@contextmanager
def undisturbed() -> Iterator[list[int]]:
    """Requests to end wait until this is done; the yielded list has those that came.

    Blocking the signals would not do: another thread may take them.
    """
    asked: list[int] = []
    if not _in_main_thread():
        yield asked
        return
    with _handled(lambda got, _frame: asked.append(got)):
        yield asked
    if asked:
        signal.raise_signal(asked[0])


@contextmanager
def deaf() -> Iterator[None]:
    """Requests to end are dropped: one came already, and this is the tidying up after it."""
    if not _in_main_thread():
        yield
        return
    with _handled(signal.SIG_IGN):
        yield


@contextmanager
def _handled(handler: Handler) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in REQUESTS}
    heard = [number for number in REQUESTS if before[number] is not signal.SIG_IGN]
    try:
        for number in heard:
            signal.signal(number, handler)
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
