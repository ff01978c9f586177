"""The file system as the program sees it: read-only, with a private /dev, /tmp and scratch area, all below new mounts.

Runs inside the new namespaces, before the program does.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterable
from contextlib import suppress

from untaken.execute.launcher.kernel import LIBC, Refused, call, kernel_version
from untaken.execute.launcher.order import LaunchOrder

SYS_MOUNT_SETATTR = 442
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
MS_REC, MS_PRIVATE, MNT_DETACH = 0x4000, 1 << 18, 2
KEPT_MOUNT_OPTIONS = {"noexec": MS_NOEXEC, "noatime": 1024, "nodiratime": 2048, "relatime": 1 << 21}
OCTAL = re.compile(rb"\\([0-7]{3})")  # what mountinfo makes of spaces and the like in names
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
RESERVED_PIDS = 300  # what the kernel does not hand out again once numbers wrap around
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
SCRATCH_SIZE = "256m"
# What would be missing elsewhere: watches count for the user, wherever they are; shared memory belongs to no process.
NAMESPACE_LIMITS = {
    "user/max_inotify_instances": 32,
    "user/max_inotify_watches": 1024,
    "user/max_fanotify_groups": 4,
    "user/max_user_namespaces": 0,
    "kernel/shmall": (256 << 20) // os.sysconf("SC_PAGE_SIZE"),
    "kernel/msgmni": 64,
}


def protect_files(order: LaunchOrder) -> None:
    """Everything read-only; then what may be written, on top."""
    directory = os.getcwd()
    mount(None, "/", flags=MS_REC | MS_PRIVATE)
    for path in order.writable:
        bind(path, path)
    prepare_scratch(order.scratch)
    make_read_only("/")
    for path in (*order.writable, order.scratch):
        make_writable(path)
    copy_directories(order)
    bind(f"{order.scratch}/dev", "/dev")
    bind(f"{order.scratch}/tmp", "/dev/shm")
    mount(None, "/dev", flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID)
    with suppress(Refused):  # queues are files, which Landlock has to know the place of
        mount("mqueue", "/dev/mqueue", "mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    hide(order)
    if order.private_tmp:  # last: it may hide the scratch area
        bind(f"{order.scratch}/tmp", "/tmp")
    mount_processes(order.processes)
    os.chdir(directory)  # again: it may lie in a mount that is new


def hide(order: LaunchOrder) -> None:
    """Folders with other programs' sockets look empty: a file system that is read-only does not keep those away."""
    for path in dict.fromkeys(map(os.path.realpath, order.hidden)):
        if os.path.isdir(path):
            bind(f"{order.scratch}/empty", path)
            mount(None, path, flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID)


def prepare_scratch(scratch: str) -> None:
    """A file system in memory: dev, tmp for /tmp and /dev/shm alike, and an empty folder, to be put elsewhere."""
    mount("untaken", scratch, "tmpfs", MS_NOSUID, f"size={SCRATCH_SIZE},mode=755")
    for name in ("tmp", "dev", "dev/shm", "dev/mqueue", "empty"):
        os.mkdir(f"{scratch}/{name}")
    os.chmod(f"{scratch}/tmp", 0o1777)
    for name in DEVICES:
        if os.path.exists(f"/dev/{name}"):
            os.close(os.open(f"{scratch}/dev/{name}", os.O_CREAT | os.O_WRONLY, 0o666))
            bind(f"/dev/{name}", f"{scratch}/dev/{name}")
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{scratch}/dev/{name}")


def make_read_only(path: str) -> None:
    try:
        set_attributes(path, MS_RDONLY | MS_NOSUID | MS_NODEV, 0)
    except Refused:
        remount_each(path, MS_RDONLY | MS_NODEV)


def make_writable(path: str) -> None:
    """Undoes make_read_only below a path."""
    try:
        set_attributes(path, 0, MS_RDONLY | MS_NODEV)
    except Refused:
        remount_each(path, 0)


def set_attributes(path: str, add: int, remove: int) -> None:
    """Changes flags of a mount and all below it; Linux 5.12 and later."""
    attributes = (ctypes.c_uint64 * 4)(add, remove, 0, 0)
    result = LIBC.syscall(
        SYS_MOUNT_SETATTR, AT_FDCWD, os.fsencode(path), AT_RECURSIVE, attributes, ctypes.sizeof(attributes)
    )
    call(f"mount_setattr {path}", result)


def remount_each(path: str, flags: int) -> None:
    """What set_attributes does, for older kernels. A mount hidden below another cannot be reached: left as it is."""
    for point, kept in mounts_below(path):
        if os.path.exists(point):
            mount(None, point, flags=MS_REMOUNT | MS_BIND | MS_NOSUID | kept | flags)


def mounts_below(path: str) -> Iterable[tuple[str, int]]:
    """Mount points at or under a path with the flags that a remount must repeat."""
    with open("/proc/self/mountinfo", "rb") as file:
        lines = [line.split(b" ") for line in file]
    for line in lines:
        point = os.fsdecode(OCTAL.sub(lambda match: bytes([int(match[1], 8)]), line[4]))
        if point == path or point.startswith(path.rstrip("/") + "/"):
            yield point, sum(KEPT_MOUNT_OPTIONS.get(option, 0) for option in os.fsdecode(line[5]).split(","))


def copy_directories(order: LaunchOrder) -> None:
    """Where the kernel does not allow it, a directory stays read-only."""
    for number, path in enumerate(order.copied):
        layers = f"{order.scratch}/dev/untaken/{number}"  # with /dev it can be reached, even where /tmp is another
        try:
            cover_with_copy(path, layers)
        except (Refused, OSError):
            with suppress(FileNotFoundError):
                os.rmdir(f"{layers}/written")  # that it is there says that it is in use


def cover_with_copy(path: str, layers: str) -> None:
    """What is written below the path goes to the layers. What is mounted there is mounted again, on top."""
    for name in ("written", "work"):
        os.makedirs(f"{layers}/{name}")
    os.chmod(f"{layers}/written", os.stat(path).st_mode & 0o7777)
    inner = [(point, os.open(point, os.O_PATH)) for point in topmost_below(path)]
    lower, layer = os.open(path, os.O_PATH), os.open(layers, os.O_PATH)
    # Not by their names: commas and colons in them would mean something else here.
    places = f"lowerdir=/proc/self/fd/{lower},upperdir=/proc/self/fd/{layer}/written,workdir=/proc/self/fd/{layer}/work"
    try:
        mount("untaken", path, "overlay", MS_NOSUID | MS_NODEV, f"{places},userxattr")
        mount_again(path, inner)
    finally:
        for handle in (lower, layer, *(handle for _, handle in inner)):
            os.close(handle)


def topmost_below(path: str) -> list[str]:
    """Mount points under a path that lie under no other of them."""
    found: list[str] = []
    for point in sorted(point for point, _ in mounts_below(path) if point != path and os.path.exists(point)):
        if not any(point.startswith(other + "/") for other in found):
            found.append(point)
    return found


def mount_again(path: str, inner: Iterable[tuple[str, int]]) -> None:
    """All of what was below the path, or the path is uncovered again."""
    try:
        for point, handle in inner:
            bind(f"/proc/self/fd/{handle}", point)
    except Refused:
        call(f"umount {path}", LIBC.umount2(os.fsencode(path), MNT_DETACH))
        raise


def mount_processes(processes: int) -> None:
    """A /proc of the new pid namespace, read-only. Where a container forbids it, the old one still serves."""
    try:
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except Refused:
        return
    if kernel_version() >= (6, 14):  # before, pid_max is the whole system's, and not ours to change
        # RLIMIT_NPROC is the other half, which does not bind root.
        set_limit("kernel/pid_max", RESERVED_PIDS + processes)
    for name, most in NAMESPACE_LIMITS.items():
        set_limit(name, most)
    mount(None, "/proc", flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def set_limit(name: str, most: int) -> None:
    """One of these namespaces' own; where a kernel does not have it, there is none."""
    with suppress(OSError), open(f"/proc/sys/{name}", "w") as file:
        file.write(str(most))


def bind(source: str, target: str) -> None:
    mount(source, target, flags=MS_BIND | MS_REC)


def mount(source: str | None, target: str, kind: str | None = None, flags: int = 0, options: str | None = None) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    result = LIBC.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    call(f"mount {target}", result)
