"""A processor of one's own for a campaign: driver and tested program stay on it together.

The two take turns: one waits while the other works. On one processor that costs a switch. On two it costs waking
one of them up each time, which takes longer than a short run; and where all processors are busy, somebody else's turn
has to end first. So several campaigns at once get one processor each, and what they start stays there with them.

Which processor is the best one changes with what else the machine does. So a thread looks now and then whether we have
to wait for ours while another one is idle, and moves everything there.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

LOOK_SECONDS = 0.5
MUCH_WAITING = 0.15  # of the time, for a processor that is given to somebody else
IDLE = 0.6  # of the time: a processor that is worth moving to
NAME = "\0untaken/processor/"  # of a claim, before the processor's number: a socket's, in no folder
_UNTOLD = (OSError, ValueError, IndexError)  # what the system keeps to itself or says otherwise, in containers say
_choosing = threading.Lock()  # campaigns may begin in several threads
_here: OwnProcessor | None = None


@contextmanager
def own_processor() -> Iterator[None]:
    """For as long as this lasts, the calling thread and what it starts stay on one, if there is one to be had."""
    own = _take_one()
    try:
        yield
    finally:
        if own is not None:
            _give_back(own)


def go_anywhere() -> None:
    """The calling thread, and what it starts: work that goes on beside the campaign."""
    here = _here  # a campaign in another thread may end meanwhile
    if here is not None:
        with suppress(OSError):
            os.sched_setaffinity(0, here.allowed)


def _take_one() -> OwnProcessor | None:
    """None if this process has one already, if none is free, or where one may not choose or not see who waits."""
    global _here
    with _choosing, suppress(*_UNTOLD):
        allowed = frozenset(os.sched_getaffinity(0))
        if _here is None and len(allowed) > 1:
            _here = _settled(allowed)
            return _here
    return None


def _settled(allowed: frozenset[int]) -> OwnProcessor | None:
    thread = threading.get_native_id()
    seen = _waited(thread), _idle(allowed)
    claim = _claim_one(allowed)
    if claim is None:
        return None
    own = OwnProcessor(allowed, thread, claim, others=frozenset(_started_by(thread)))
    try:
        own.put_on({claim.processor})
    except OSError:
        claim.close()
        raise
    own.watcher = threading.Thread(target=own.watch, args=seen, name="untaken: processor", daemon=True)
    own.watcher.start()
    return own


def _give_back(own: OwnProcessor) -> None:
    global _here
    own.is_over.set()
    if own.watcher is not None:
        own.watcher.join()
    own.claim.close()
    with suppress(OSError):
        own.put_on(own.allowed)
    _here = None


class Claim:
    """A name that one process of this machine can have; the kernel takes it back when that ends, however it ends."""

    def __init__(self, processor: int) -> None:
        self.processor = processor
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.bind(f"{NAME}{processor}")
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        self._socket.close()


def _claim_one(allowed: frozenset[int]) -> Claim | None:
    """That on which the kernel has put us, if we can have it: it is the least busy one."""
    current = int(Path("/proc/thread-self/stat").read_text().rpartition(")")[2].split()[36])
    for processor in sorted(allowed, key=lambda processor: (processor != current, processor)):
        with suppress(OSError):
            return Claim(processor)
    return None


@dataclass(slots=True)
class OwnProcessor:
    """Where we are, and where we could be."""

    allowed: frozenset[int]
    thread: int  # of the driver
    claim: Claim
    others: frozenset[int]  # processes that were started before, by whoever calls us from a program of their own
    watcher: threading.Thread | None = None
    is_over: threading.Event = field(default_factory=threading.Event)

    def watch(self, waited: float, idle: dict[int, float]) -> None:
        """In a thread of its own; told what was seen before."""
        with suppress(*_UNTOLD):
            os.sched_setaffinity(0, self.allowed)
            while not self.is_over.wait(LOOK_SECONDS):
                waited_before, waited = waited, _waited(self.thread)
                idle_before, idle = idle, _idle(self.allowed)
                if waited - waited_before > MUCH_WAITING * LOOK_SECONDS:
                    self._move({processor: idle[processor] - idle_before[processor] for processor in idle})

    def _move(self, idle: dict[int, float]) -> None:
        """To the one that was idle most of the time, if there is one that nobody has claimed."""
        for processor in sorted(idle, key=lambda processor: -idle[processor]):
            if idle[processor] < IDLE * LOOK_SECONDS:
                return
            with suppress(OSError):
                old, self.claim = self.claim, Claim(processor)
                old.close()
                self.put_on({processor})
                return

    def put_on(self, processors: AbstractSet[int]) -> None:
        """The driver, then all that it has started, parents first: what they start meanwhile is in the right place."""
        os.sched_setaffinity(self.thread, processors)
        for child in _started_by(self.thread):
            for process in () if child in self.others else _below(child):
                with suppress(OSError):
                    os.sched_setaffinity(process, processors)


def _waited(thread: int) -> float:
    """Seconds for which a thread was ready to run, and did not."""
    return int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[1]) / 1e9


def _idle(processors: frozenset[int]) -> dict[int, float]:
    """Seconds for which each had nothing to do, since the machine was started."""
    lines = (line.split() for line in Path("/proc/stat").read_text().splitlines() if line.startswith("cpu"))
    ticks = os.sysconf("SC_CLK_TCK")
    idle = {line[0]: (int(line[4]) + int(line[5])) / ticks for line in lines}
    return {processor: idle.get(f"cpu{processor}", 0.0) for processor in processors}


def _started_by(thread: int) -> list[int]:
    """Processes that a thread of this one has started."""
    return _children(f"/proc/self/task/{thread}/children")


def _below(process: int) -> Iterator[int]:
    """A process, its threads, and all that they have started."""
    yield process
    with suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):
            if int(task) != process:
                yield int(task)
            for child in _children(f"/proc/{process}/task/{task}/children"):
                yield from _below(child)


def _children(file: str) -> list[int]:
    try:
        return [int(child) for child in Path(file).read_text().split()]
    except OSError:
        return []
