"""A processor of one's own for a campaign: driver and tested program stay on it together.

The two take turns: one waits while the other works. On one processor that costs a switch. On two it costs waking
one of them up each time, which takes longer than a short run; and where all processors are busy, somebody else's turn
has to end first. So several campaigns at once get one processor each, and what they start stays there with them.

Which processor is the best one changes with what else the machine does. So a thread looks now and then whether we have
to wait for ours while another one is idle, and moves everything there. And a campaign that is alone on an idle machine
does a tenth more if it does not share: then nobody sleeps, and nobody has to be woken up (execute/server.py).
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
NONE_IDLE, ONE_IDLE = 0.25, 0.85  # processors, all in all: where the program has none to itself, and where it has one
NAME = "\0untaken/processor/"  # of a claim, before the processor's number: a socket's, in no folder
_UNTOLD = (OSError, ValueError, IndexError)  # what the system keeps to itself or says otherwise, in containers say
_choosing = threading.Lock()  # campaigns may begin in several threads
_here: OwnProcessor | None = None


@contextmanager
def own_processor(*, always: bool = True) -> Iterator[None]:
    """For as long as this lasts, the calling thread and what it starts stay on one, if there is one to be had.

    If not `always`, then only while others keep the machine busy.
    """
    own = _take_one(always)
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


def is_together() -> bool:
    """Whether the program is on our processor now, so that it can only go on when we sleep."""
    here = _here
    return here is not None and here.is_together


def _take_one(always: bool) -> OwnProcessor | None:
    """None if this process has one already, if none is free, or where one may not choose or not see who waits."""
    global _here
    with _choosing, suppress(*_UNTOLD):
        allowed = frozenset(os.sched_getaffinity(0))
        if _here is None and len(allowed) > 1:
            _here = _settled(allowed, always)
            return _here
    return None


def _settled(allowed: frozenset[int], always: bool) -> OwnProcessor | None:
    thread = threading.get_native_id()
    seen = _waited(thread), _idle(allowed)
    claim = _claim_one(allowed)
    if claim is None:
        return None
    own = OwnProcessor(allowed, thread, claim, always, others=frozenset(_started_by(thread)))
    try:
        if always:
            own.come_together()
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
    always: bool
    others: frozenset[int]  # processes that were started before, by whoever calls us from a program of their own
    is_together: bool = False
    watcher: threading.Thread | None = None
    is_over: threading.Event = field(default_factory=threading.Event)

    def watch(self, waited: float, idle: dict[int, float]) -> None:
        """In a thread of its own; told what was seen before."""
        with suppress(*_UNTOLD):
            os.sched_setaffinity(0, self.allowed)
            while not self.is_over.wait(LOOK_SECONDS):
                waited_before, waited = waited, _waited(self.thread)
                idle_before, idle = idle, _idle(self.allowed)
                shares = {one: (idle[one] - idle_before[one]) / LOOK_SECONDS for one in idle}
                self._look((waited - waited_before) / LOOK_SECONDS, shares)

    def _look(self, waited: float, idle: dict[int, float]) -> None:
        """Told what share of the time we waited, and each processor was idle."""
        if not self.is_together:
            if sum(idle.values()) < NONE_IDLE:
                self.come_together()
        elif not self.always and sum(idle.values()) > ONE_IDLE:
            self.is_together = False
            self.put_on(self.allowed)
        elif waited > MUCH_WAITING:
            self._move(idle)

    def _move(self, idle: dict[int, float]) -> None:
        """To the one that was idle most of the time, if there is one that nobody has claimed."""
        for processor in sorted(idle, key=lambda processor: -idle[processor]):
            if idle[processor] < IDLE:
                return
            with suppress(OSError):
                old, self.claim = self.claim, Claim(processor)
                old.close()
                self.put_on({processor})
                return

    def come_together(self) -> None:
        self.put_on({self.claim.processor})
        self.is_together = True

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
