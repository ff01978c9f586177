"""Ctrl-C, other requests to end, and the end of the time: when they end a campaign at once, when they wait, when they
are not heard.

Beside `errors.py`, because every stage needs it. Python handles signals in the main thread only; in any other these
contexts change nothing. What the process ignores, it goes on ignoring.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object] | signal.Handlers
REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # Ctrl-C, kill, a terminal that was closed
TIME_IS_OVER = signal.SIGALRM
REPEAT_SECONDS = 0.2  # between one attempt to end what is under way and the next


_interruptible: list[int] = []  # the main thread's number, for each `interruptible` that it is inside
_waiting: list[list[int]] = []  # one for each `undisturbed`: the signals that came


class OutOfTime(BaseException):
    """The time that was given is over. No error, so whatever handles errors lets it through."""


@contextmanager
def interruptible(stop: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Requests to end call `stop` and raise KeyboardInterrupt, all of them as Ctrl-C does.

    The exception alone is not enough: some C code between, such as numpy looking for an attribute, drops it.
    """
    if not _in_main_thread():
        yield
        return

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if not _held(number):
            stop()
            raise KeyboardInterrupt

    with _handled(interrupt):
        _interruptible.append(threading.get_ident())
        try:
            yield
        finally:
            _interruptible.pop()


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raises OutOfTime after so many seconds, wherever the code inside is by then; None: never.

    Again and again until it got through: some C code between drops exceptions (see `interruptible`).
    """
    if seconds is None or not _in_main_thread():
        yield
        return

    def end(number: int, _frame: FrameType | None) -> None:
        if not _held(number):
            raise OutOfTime

    with _handled(end, (TIME_IS_OVER,)):
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), REPEAT_SECONDS)
            yield
        finally:
            _stop_the_clock()


def _stop_the_clock() -> None:
    """Once more if the clock strikes right then."""
    try:
        signal.setitimer(signal.ITIMER_REAL, 0)
    except OutOfTime:
        signal.setitimer(signal.ITIMER_REAL, 0)


class undisturbed:  # noqa: N801 - reads as the other contexts do; a generator would cost each run some microseconds
    """Requests to end, and the end of the time, wait until this is done; the list that it gives has the signals that
    came.

    Blocking the signals would not do: another thread may take them. Where our handlers are in place already, they are
    told, which takes far less time than to set others.
    """

    __slots__ = ("_asked", "_handlers", "_is_told")

    def __enter__(self) -> list[int]:
        asked: list[int] = []
        self._asked = asked
        self._handlers: AbstractContextManager[None] | None = None
        self._is_told = bool(_interruptible) and _interruptible[-1] == threading.get_ident()
        if self._is_told:
            _waiting.append(asked)
        elif _in_main_thread():
            self._handlers = _handled(lambda got, _: asked.append(got), (*REQUESTS, TIME_IS_OVER))
            self._handlers.__enter__()
        return asked

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if self._is_told:
            _waiting.pop()
        elif self._handlers is not None:
            self._handlers.__exit__(None, None, None)
        if self._asked and kind is None:
            signal.raise_signal(self._asked[0])


@contextmanager
def deaf() -> Iterator[None]:
    """Requests to end are dropped: one came already, and this is the tidying up after it."""
    if not _in_main_thread():
        yield
        return
    with _handled(signal.SIG_IGN):
        yield


def _held(number: int) -> bool:
    """Whether a signal has to wait; it is noted then."""
    if _waiting:
        _waiting[-1].append(number)
    return bool(_waiting)


@contextmanager
def _handled(handler: Handler, numbers: tuple[signal.Signals, ...] = REQUESTS) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in numbers}
    heard = [number for number in numbers if before[number] is not signal.SIG_IGN]
    try:
        for number in heard:
            signal.signal(number, handler)
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
