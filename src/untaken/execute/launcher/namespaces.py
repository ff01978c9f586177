"""Which namespaces the program gets, who it is there, and what it may do: users, capabilities, numbers of processes."""

from __future__ import annotations

import ctypes
import os
import resource
import signal

from untaken.execute.launcher.kernel import LIBC, Refused, call, kernel_version
from untaken.execute.launcher.landlock import restrict_all, restrict_writing
from untaken.execute.launcher.mounts import DEVICES, protect_files
from untaken.execute.launcher.order import LaunchOrder
from untaken.execute.launcher.program import PR_SET_NO_NEW_PRIVS, execute
from untaken.execute.launcher.seccomp import restrict_calls

TYPE_CHECKING = False  # as in `typing`, which would take longer to load than any other module here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

SYS_CLONE = 56
CLONE_NEWUSER = 0x10000000
OTHER_NAMESPACES = 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000  # mount, pid, net, ipc, uts
PR_CAPBSET_DROP = 24
KEPT_CAPABILITIES = range(8)  # those over files and signals; not mounting, tracing, devices, the network


def clone(flags: int) -> int:
    """Like os.fork, into new namespaces. There are no threads here that it could upset."""
    return call("new namespaces", int(LIBC.syscall(SYS_CLONE, ctypes.c_ulong(flags | signal.SIGCHLD), 0, 0, 0, 0)))


def in_namespaces(flags: int) -> Callable[[LaunchOrder, list[str]], NoReturn]:
    """The whole sandbox, with these namespaces."""
    user, group = os.geteuid(), os.getegid()

    def child(order: LaunchOrder, command: list[str]) -> NoReturn:
        if flags & CLONE_NEWUSER:
            map_user(user, group)
        limit_processes(order.processes, own_count=bool(flags & CLONE_NEWUSER))
        protect_files(order)
        drop_privileges()
        restrict_writing(written_to(order))
        restrict_calls(own_namespaces=True)
        execute(order, command)

    return child


def written_to(order: LaunchOrder) -> list[str]:
    """What is not read-only, as the program sees it."""
    devices = [f"/dev/{name}" for name in DEVICES]
    return [*order.writable, *order.copied, order.scratch, "/tmp", "/dev/shm", "/dev/mqueue", *devices]


def without_namespaces(order: LaunchOrder, command: list[str]) -> NoReturn:
    """What is left where they are refused: Landlock and seccomp. Temporary files go to a folder of the host's."""
    scratch = f"{order.scratch}/tmp"
    os.makedirs(scratch, exist_ok=True)
    os.environ["TMPDIR"] = scratch
    limit_processes(order.processes, own_count=False)
    drop_privileges()
    restrict_without_namespaces([scratch, *order.writable], order.hidden)
    execute(order, command)


def restrict_without_namespaces(writable: list[str], hidden: list[str]) -> None:
    """Files, other programs' sockets, terminals and disks; what Landlock leaves open, the filter of calls closes."""
    devices = [f"/dev/{name}" for name in DEVICES]
    others = [path for name in os.listdir("/dev") if (path := f"/dev/{name}") not in devices and name != "shm"]
    restrict_all([*writable, *devices], [*hidden, *(path for path in others if not os.path.islink(path))])
    restrict_calls(own_namespaces=False)


def unprotected(order: LaunchOrder, command: list[str]) -> NoReturn:
    """The user wants no sandbox."""
    limit_processes(order.processes, own_count=False)
    execute(order, command)


def map_user(user: int, group: int) -> None:
    """The program keeps its user and group ids, so that files look to it as they always do."""
    for name, text in (("setgroups", "deny"), ("gid_map", f"{group} {group} 1"), ("uid_map", f"{user} {user} 1")):
        try:
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        except OSError as error:
            raise Refused(f"write {name}: {error.strerror}") from error


def drop_privileges() -> None:
    """Even as root the program cannot undo the sandbox. Unknown capabilities end the loop."""
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    capability = KEPT_CAPABILITIES.stop
    while LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1


def limit_processes(processes: int, own_count: bool) -> None:
    """Against fork bombs. Kernels before 5.14 count all processes of the user, so they are added there."""
    if not (own_count and kernel_version() >= (5, 14)):
        processes += sum(name.isdigit() for name in os.listdir("/proc"))
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    limit = processes if hard == resource.RLIM_INFINITY else min(processes, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
