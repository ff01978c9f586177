"""What a call and the process that works for it must have in common.

A fork can take over words, environment, streams, folder and umask. All else is inherited: the user, limits, priority,
cgroup, namespaces, ignored signals. The server reads it of whoever calls, and compares.
"""

from __future__ import annotations

import os

_STATUS = ("Uid", "Gid", "Groups", "SigBlk", "Cap", "NoNewPrivs", "Seccomp:", "Cpus_allowed:", "Mems_allowed:")
_IGNORED = "SigIgn:"
# Python ignores SIGPIPE and SIGXFSZ, whatever it inherited; the C library does what it likes with two more of its own.
_OTHERS = 1 << 12 | 1 << 24 | 1 << 31 | 1 << 32
_FILES = ("limits", "cgroup", "oom_score_adj", "personality", "attr/current")
_NAMESPACES = ("mnt", "user", "pid", "net")

Inheritance = tuple[object, ...]


class Watched(Exception):
    """Somebody watches this process, and would miss what another one does in its place."""


def circumstances(process: int) -> Inheritance:
    """Of a process of this user; OSError if that cannot be known."""
    root = os.stat(f"/proc/{process}/root/")
    return (
        (root.st_dev, root.st_ino),
        (os.getpriority(os.PRIO_PROCESS, process), os.sched_getscheduler(process)),
        tuple(os.readlink(f"/proc/{process}/ns/{name}") for name in _NAMESPACES),
        *_status(process),
        *(_content(f"/proc/{process}/{name}") for name in _FILES),
    )


def _status(process: int) -> list[str]:
    lines = os.fsdecode(_content(f"/proc/{process}/status")).splitlines()
    if "TracerPid:\t0" not in lines:
        raise Watched
    ignored = next(int(line.split()[1], 16) for line in lines if line.startswith(_IGNORED))
    return [*(line for line in lines if line.startswith(_STATUS)), str(ignored & ~_OTHERS)]


def _content(path: str) -> bytes:
    """Nothing where the kernel has nothing to say: without a security module a process has no label."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
