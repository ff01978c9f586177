"""The last steps before the program: its signals, limits, descriptors and environment; then the launcher becomes it."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal

from untaken.execute.launcher.kernel import LIBC
from untaken.execute.launcher.order import LaunchOrder

TYPE_CHECKING = False  # as in `typing`, which would take longer to load than any other module here
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
ADDR_NO_RANDOMIZE = 0x0040000
POINTER, STACK_ALIGNMENT = 8, 16
ROOM_FOR_WORDS = 32 * 1024  # at the top of the stack: more than most environments take
DESCRIPTOR_BASE = 900  # ours lie here, so that the program's own start at 3 as usual
HARMLESS_ENDS = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)  # Python changes them; the program gets defaults


def execute(order: LaunchOrder, command: list[str]) -> NoReturn:
    """Takes the last steps before the program, and becomes it."""
    os.setsid()
    for number in HARMLESS_ENDS:
        signal.signal(number, signal.SIG_DFL)
    forbid_core_dumps()
    LIBC.personality(ctypes.c_ulong(ADDR_NO_RANDOMIZE))  # the same addresses in every session, where allowed
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans of a run come to the server, to be reaped
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    descriptors = ",".join(map(str, move_descriptors(order)))
    os.environ["LD_BIND_NOW"] = "1"  # library functions are looked up once, not in each run; the runtime takes it out
    os.environ[order.variable] = descriptors + ","
    os.environ[order.variable] += "0" * padding(command, os.environb)
    os.execv(command[0], command[1:])


def forbid_core_dumps() -> None:
    """For good. Of all limits 1 alone also keeps the kernel from handing a dump to a program of the system, which would
    run outside of the sandbox, once a crash."""
    limit = min(1, hard) if (hard := resource.getrlimit(resource.RLIMIT_CORE)[1]) >= 0 else 1
    resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))


def move_descriptors(order: LaunchOrder) -> list[int]:
    """Duplicates that survive exec, far from the numbers that programs count on; the originals do not."""
    moved = []
    for descriptor in order.descriptors:
        try:
            copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD, DESCRIPTOR_BASE)
        except OSError:  # a low `ulimit -n`
            copy = os.dup(descriptor)
            os.set_inheritable(copy, True)
        moved.append(copy)
    for descriptor in (*order.descriptors, order.report, order.lifeline):
        os.set_inheritable(descriptor, False)
    return moved


def padding(command: list[str], environment: Mapping[bytes, bytes]) -> int:
    """How many bytes more make the stack begin at the same place, whatever the user's environment: a search depends on
    addresses, since what may be known of a string ends with its page. If there is no room, the same place in a page.

    The kernel puts all words above the stack, and then a pointer for each.
    """
    words = [*map(os.fsencode, command), *(name + b"=" + value for name, value in environment.items())]
    pointers = POINTER * (len(words) - 1)  # the first is the file's name
    return -(sum(len(word) + 1 for word in words) + -(-pointers // STACK_ALIGNMENT) * STACK_ALIGNMENT) % ROOM_FOR_WORDS
