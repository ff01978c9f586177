"""Starts the program, as well protected as the system allows, and watches over it from outside the sandbox."""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress

from untaken.execute.launcher import landlock
from untaken.execute.launcher.kernel import LIBC, Refused
from untaken.execute.launcher.namespaces import (
    CLONE_NEWUSER,
    OTHER_NAMESPACES,
    clone,
    in_namespaces,
    unprotected,
    without_namespaces,
)
from untaken.execute.launcher.order import LaunchOrder
from untaken.execute.launcher.program import PR_SET_CHILD_SUBREAPER

TYPE_CHECKING = False  # as in `typing`, which would take longer to load than any other module here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn

    Starter = Callable[[LaunchOrder, list[str]], NoReturn]


def main() -> int:
    order = LaunchOrder(sys.argv[1])
    command = sys.argv[sys.argv.index("--") + 1 :]
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        pid = start_protected(order, command)
    except Refused as error:
        tell(order, f"refused {error}")
        return 1
    except OSError as error:
        tell(order, f"failed {error}")
        return 1
    for descriptor in order.descriptors:
        os.close(descriptor)
    tell(order, f"started {pid}")
    status = watch(pid, order.lifeline)
    remove_scratch(order.scratch)
    tell(order, f"ended {status}")
    return 0


def start_protected(order: LaunchOrder, command: list[str]) -> int:
    """With all namespaces; as root without a user namespace if that is refused; else with what needs no privileges. If
    even that is refused, the program is not started."""
    if not order.sandbox:
        return start(0, unprotected, order, command)
    reasons = []
    for flags, child in attempts():
        try:
            pid = start(flags, child, order, command)
        except Refused as reason:
            reasons.append(str(reason))
            continue
        if child is without_namespaces:
            tell(order, f"note {reasons[0]}; {left_open()}")
        return pid
    raise Refused("; ".join(dict.fromkeys(reasons)))


def attempts() -> Iterator[tuple[int, Starter]]:
    yield CLONE_NEWUSER | OTHER_NAMESPACES, in_namespaces(CLONE_NEWUSER | OTHER_NAMESPACES)
    if os.geteuid() == 0:
        yield OTHER_NAMESPACES, in_namespaces(OTHER_NAMESPACES)
    yield 0, without_namespaces


def left_open() -> str:
    """What Landlock and seccomp do not keep the program from."""
    signals = "" if landlock.version() >= landlock.SCOPES_SINCE else ", send signals to the user's processes"
    return (
        "Landlock and seccomp protect files and the network instead, and the program can still "
        f"see other processes{signals}, and fill the disk"
    )


def start(flags: int, child: Starter, order: LaunchOrder, command: list[str]) -> int:
    """Starts the program with these namespaces; its pid, once it is running. Refused says: try with fewer."""
    reading, writing = os.pipe()
    pid = clone(flags)
    if pid == 0:
        run_child(child, order, command, writing)
    os.close(writing)
    with open(reading) as file:
        trouble = file.read()
    if trouble:
        os.waitpid(pid, 0)
        raise OSError(trouble[1:]) if trouble[0] == "!" else Refused(trouble[1:])
    return pid


def run_child(child: Starter, order: LaunchOrder, command: list[str], writing: int) -> NoReturn:
    """In the new process: exec closes `writing`, anything else is told on it."""
    try:
        child(order, command)
    except Refused as error:
        os.write(writing, f"?{error}".encode())
    except OSError as error:
        os.write(writing, f"!{error.strerror}".encode())
    except BaseException as error:
        os.write(writing, f"!{error!r}".encode())
    os._exit(127)


def remove_scratch(scratch: str) -> None:
    """A driver that was killed cannot. With namespaces it is empty on this side."""
    with suppress(OSError, RecursionError):
        for folder, folders, files in os.walk(scratch, topdown=False):
            for name in files:
                os.unlink(os.path.join(folder, name))
            for name in folders:
                os.rmdir(os.path.join(folder, name))
        os.rmdir(scratch)


def tell(order: LaunchOrder, line: str) -> None:
    with suppress(BrokenPipeError):  # the driver is gone, and the lifeline says so too
        os.write(order.report, f"{line}\n".encode())


def watch(pid: int, lifeline: int) -> int:
    """Waits for the end of the program or of the driver; then everything below is killed. The program's status."""
    ended = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(lifeline, select.POLLIN)
    poll.poll()
    os.kill(pid, signal.SIGKILL)  # not waited for yet, so the number is still its own
    status = os.waitpid(pid, 0)[1]
    kill_orphans()
    return status


def kill_orphans() -> None:
    """Without a pid namespace, what the program left behind comes to us; each may leave more behind."""
    own = f"/proc/self/task/{os.getpid()}/children"
    while True:
        try:
            with open(own) as file:
                children = [int(pid) for pid in file.read().split()]
        except OSError:
            return
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        if not children:
            return
