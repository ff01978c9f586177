"""Decodes in a process beside ours: SLEIGH's decoder is native code, and some bytes make it crash.

An address at which it did is an instruction that is not followed: runs that meet it end there, and a note says so.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import pickle
import resource
import signal
import struct
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any, NoReturn

from untaken.errors import UsageError
from untaken.executables.machine_code.control_flow import Learnt, MachineProgram, recover
from untaken.executables.machine_code.operations import MachineInstruction, Operation, constant

Fetch = Callable[[int], MachineInstruction | None]
MOST_CRASHES = 16
NAME = "its decoder crashes"
_ADDRESS = struct.Struct("<Q")


def recover_guarded(
    fetch: Fetch,
    entries: Iterable[int],
    learnt: Learnt,
    named: Collection[int] = (),
    bounds: Collection[int] = (),
) -> MachineProgram:
    """As `recover`, whatever the decoder does."""
    begun = tuple(entries)
    crashed: set[int] = set()
    with mmap.mmap(-1, mmap.PAGESIZE) as last:
        told = _told(fetch, last, crashed)
        while len(crashed) < MOST_CRASHES:
            found = _in_child(partial(recover, told, begun, learnt, named, bounds))
            if found is not None:
                return found
            crashed.add(int(_ADDRESS.unpack_from(last)[0]))
    places = ", ".join(f"{address:#x}" for address in sorted(crashed)[:3])
    raise UsageError(f"SLEIGH's decoder crashes at {len(crashed)} addresses, such as {places}: is --cpu right?")


def _told(fetch: Fetch, last: mmap.mmap, crashed: set[int]) -> Fetch:
    """Says beforehand what is decoded next."""

    def told(address: int) -> MachineInstruction | None:
        if address in crashed:
            return not_followed(address, 1, "?", NAME)
        _ADDRESS.pack_into(last, 0, address & (1 << 64) - 1)
        return fetch(address)

    return told


def not_followed(address: int, length: int, text: str, name: str) -> MachineInstruction:
    """An instruction at which runs end; `name` is what they say of it."""
    ends = Operation("RETURN", None, (constant(0, 1),))
    return MachineInstruction(address, length, text, (Operation("CALLOTHER", None, (), name=name), ends))


def _in_child(work: Callable[[], MachineProgram]) -> MachineProgram | None:
    """What it returns, or raises, in a process of its own; None: that process crashed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(work, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            answer = pipe.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)  # not waited for yet, so the number is still its own
        raise
    finally:
        _, status = os.waitpid(child, 0)
    if status:
        return None
    result: Any = pickle.loads(answer)
    if isinstance(result, BaseException):
        raise result
    assert isinstance(result, MachineProgram)
    return result


def _answer(work: Callable[[], MachineProgram], writing: int) -> NoReturn:
    """The child: it ends here, without what the parent does when it ends. A crash leaves nothing behind."""
    faulthandler.disable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        try:
            result: Any = work()
        except Exception as error:
            result = error
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(result, pipe, pickle.HIGHEST_PROTOCOL)
    except BaseException:
        os._exit(1)
    os._exit(0)
