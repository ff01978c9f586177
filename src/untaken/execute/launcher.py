"""Started once a session, as a program of its own: puts the fork server into its sandbox and watches over it.

    python -I -S launcher.py SETTINGS -- PROGRAM [ARGUMENT]...

The launcher stays as supervisor outside the sandbox: when the driver goes, however it goes, the lifeline
descriptor closes and the server and everything that it started are killed. It needs the standard library alone,
and says what happens on the report descriptor, one line each:

    note TEXT       a protection that the system refuses
    started PID     the program is running
    failed TEXT     it could not be started
    ended STATUS    it is gone; STATUS as os.waitpid gives it

The sandbox: user, mount, pid, network, ipc and uts namespaces. The server is process 1 of its pid namespace, so no
run can kill it, and everything ends with it. The file system is read-only, with a /dev of harmless devices and a
private, size-limited scratch area. What the program writes to its own directory or to /tmp goes there, too.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import re
import resource
import select
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import NoReturn

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_CLONE = 56
SYS_MOUNT_SETATTR = 442
CLONE_NEWUSER = 0x10000000
OTHER_NAMESPACES = 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000  # mount, pid, net, ipc, uts
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
MS_REC, MS_PRIVATE, MNT_DETACH = 0x4000, 1 << 18, 2
KEPT_MOUNT_OPTIONS = {"noexec": MS_NOEXEC, "noatime": 1024, "nodiratime": 2048, "relatime": 1 << 21}
OCTAL = re.compile(rb"\\([0-7]{3})")  # what mountinfo makes of spaces and the like in names
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
KEPT_CAPABILITIES = range(8)  # those over files and signals; not mounting, tracing, devices, the network
ADDR_NO_RANDOMIZE = 0x0040000
RESERVED_PIDS = 300  # what the kernel does not hand out again once numbers wrap around
POINTER, STACK_ALIGNMENT = 8, 16
ROOM_FOR_WORDS = 32 * 1024  # at the top of the stack: more than most environments take
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
SCRATCH_SIZE = "256m"
DESCRIPTOR_BASE = 900  # ours lie here, so that the program's own start at 3 as usual
HARMLESS_ENDS = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)  # Python changes them; the program gets defaults


class Settings:
    """What the driver asks for; `sandbox.py` writes it."""

    def __init__(self, text: str) -> None:
        values = json.loads(text)
        self.report: int = values["report"]
        self.lifeline: int = values["lifeline"]
        self.descriptors: list[int] = values["descriptors"]  # in the order of `variable`
        self.variable: str = values["variable"]
        self.sandbox: bool = values["sandbox"]
        self.scratch: str = values["scratch"]
        self.private_tmp: bool = values["private_tmp"]
        self.writable: list[str] = values["writable"]
        self.copied: list[str] = values["copied"]  # directories that the program sees a private copy of
        self.processes: int = values["processes"]


class Refused(Exception):
    """The system does not allow a step of the sandbox."""


def call(what: str, result: int) -> int:
    """The result of a system call, or why it was refused."""
    if result < 0:
        raise Refused(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def mount(source: str | None, target: str, kind: str | None = None, flags: int = 0, options: str | None = None) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    result = LIBC.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    call(f"mount {target}", result)


def bind(source: str, target: str) -> None:
    mount(source, target, flags=MS_BIND | MS_REC)


# ---- Inside the new namespaces ------------------------------------------------------------------------------


def map_user(user: int, group: int) -> None:
    """The program keeps its user and group ids, so that files look to it as they always do."""
    for name, text in (("setgroups", "deny"), ("gid_map", f"{group} {group} 1"), ("uid_map", f"{user} {user} 1")):
        try:
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        except OSError as error:
            raise Refused(f"write {name}: {error.strerror}") from error


def set_attributes(path: str, add: int, remove: int) -> None:
    """Changes flags of a mount and all below it; Linux 5.12 and later."""
    attributes = (ctypes.c_uint64 * 4)(add, remove, 0, 0)
    result = LIBC.syscall(
        SYS_MOUNT_SETATTR, AT_FDCWD, os.fsencode(path), AT_RECURSIVE, attributes, ctypes.sizeof(attributes)
    )
    call(f"mount_setattr {path}", result)


def mounts_below(path: str) -> Iterable[tuple[str, int]]:
    """Mount points at or under a path with the flags that a remount must repeat."""
    with open("/proc/self/mountinfo", "rb") as file:
        lines = [line.split(b" ") for line in file]
    for line in lines:
        point = os.fsdecode(OCTAL.sub(lambda match: bytes([int(match[1], 8)]), line[4]))
        if point == path or point.startswith(path.rstrip("/") + "/"):
            yield point, sum(KEPT_MOUNT_OPTIONS.get(option, 0) for option in os.fsdecode(line[5]).split(","))


def remount_each(path: str, flags: int) -> None:
    """What set_attributes does, for older kernels. A mount hidden below another cannot be reached: left as it is."""
    for point, kept in mounts_below(path):
        if os.path.exists(point):
            mount(None, point, flags=MS_REMOUNT | MS_BIND | MS_NOSUID | kept | flags)


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


def prepare_scratch(scratch: str) -> None:
    """A file system in memory with what the sandbox puts elsewhere: dev, and tmp for /tmp and /dev/shm alike."""
    mount("untaken", scratch, "tmpfs", MS_NOSUID, f"size={SCRATCH_SIZE},mode=755")
    for name in ("tmp", "dev", "dev/shm"):
        os.mkdir(f"{scratch}/{name}")
    os.chmod(f"{scratch}/tmp", 0o1777)
    for name in DEVICES:
        if os.path.exists(f"/dev/{name}"):
            os.close(os.open(f"{scratch}/dev/{name}", os.O_CREAT | os.O_WRONLY, 0o666))
            bind(f"/dev/{name}", f"{scratch}/dev/{name}")
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{scratch}/dev/{name}")


def topmost_below(path: str) -> list[str]:
    """Mount points under a path that lie under no other of them."""
    found: list[str] = []
    for point in sorted(point for point, _ in mounts_below(path) if point != path and os.path.exists(point)):
        if not any(point.startswith(other + "/") for other in found):
            found.append(point)
    return found


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


def mount_again(path: str, inner: Iterable[tuple[str, int]]) -> None:
    """All of what was below the path, or the path is uncovered again."""
    try:
        for point, handle in inner:
            bind(f"/proc/self/fd/{handle}", point)
    except Refused:
        call(f"umount {path}", LIBC.umount2(os.fsencode(path), MNT_DETACH))
        raise


def copy_directories(settings: Settings) -> None:
    """Where the kernel does not allow it, a directory stays read-only."""
    for number, path in enumerate(settings.copied):
        layers = f"{settings.scratch}/dev/untaken/{number}"  # with /dev it can be reached, even where /tmp is another
        try:
            cover_with_copy(path, layers)
        except (Refused, OSError):
            with suppress(FileNotFoundError):
                os.rmdir(f"{layers}/written")  # that it is there says that it is in use


def mount_processes(processes: int) -> None:
    """A /proc of the new pid namespace, read-only. Where a container forbids it, the old one still serves."""
    try:
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except Refused:
        return
    if kernel_version() >= (6, 14):  # before, pid_max is the whole system's, and not ours to change
        # RLIMIT_NPROC is the other half, which does not bind root.
        with suppress(OSError), open("/proc/sys/kernel/pid_max", "w") as file:
            file.write(str(RESERVED_PIDS + processes))
    mount(None, "/proc", flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def kernel_version() -> tuple[int, int]:
    major, minor = os.uname().release.split(".")[:2]
    return int(major), int("".join(filter(str.isdigit, minor)) or 0)


def protect_files(settings: Settings) -> None:
    """Everything read-only; then what may be written, on top."""
    directory = os.getcwd()
    mount(None, "/", flags=MS_REC | MS_PRIVATE)
    for path in settings.writable:
        bind(path, path)
    prepare_scratch(settings.scratch)
    make_read_only("/")
    for path in (*settings.writable, settings.scratch):
        make_writable(path)
    copy_directories(settings)
    bind(f"{settings.scratch}/dev", "/dev")
    bind(f"{settings.scratch}/tmp", "/dev/shm")
    mount(None, "/dev", flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID)
    if settings.private_tmp:
        bind(f"{settings.scratch}/tmp", "/tmp")
    mount_processes(settings.processes)
    os.chdir(directory)  # again: it may lie in a mount that is new


def drop_privileges() -> None:
    """Even as root the program cannot undo the sandbox. Unknown capabilities end the loop."""
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


# ---- Starting the program ------------------------------------------------------------------------------------


def move_descriptors(settings: Settings) -> list[int]:
    """Duplicates that survive exec, far from the numbers that programs count on; the originals do not."""
    moved = []
    for descriptor in settings.descriptors:
        try:
            copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD, DESCRIPTOR_BASE)
        except OSError:  # a low `ulimit -n`
            copy = os.dup(descriptor)
            os.set_inheritable(copy, True)
        moved.append(copy)
    for descriptor in (*settings.descriptors, settings.report, settings.lifeline):
        os.set_inheritable(descriptor, False)
    return moved


def execute(settings: Settings, command: list[str]) -> NoReturn:
    """Becomes the program."""
    os.setsid()
    for number in HARMLESS_ENDS:
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    LIBC.personality(ctypes.c_ulong(ADDR_NO_RANDOMIZE))  # the same addresses in every session, where allowed
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans of a run come to the server, to be reaped
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    descriptors = ",".join(map(str, move_descriptors(settings)))
    os.environ["LD_BIND_NOW"] = "1"  # library functions are looked up once, not in each run; the runtime takes it out
    os.environ[settings.variable] = descriptors + ","
    os.environ[settings.variable] += "0" * padding(command, os.environb)
    os.execv(command[0], command[1:])


def padding(command: list[str], environment: Mapping[bytes, bytes]) -> int:
    """How many bytes more make the stack begin at the same place, whatever the user's environment: a search depends on
    addresses, since what may be known of a string ends with its page. If there is no room, the same place in a page.

    The kernel puts all words above the stack, and then a pointer for each.
    """
    words = [*map(os.fsencode, command), *(name + b"=" + value for name, value in environment.items())]
    pointers = POINTER * (len(words) - 1)  # the first is the file's name
    return -(sum(len(word) + 1 for word in words) + -(-pointers // STACK_ALIGNMENT) * STACK_ALIGNMENT) % ROOM_FOR_WORDS


def clone(flags: int) -> int:
    """Like os.fork, into new namespaces. There are no threads here that it could upset."""
    return call("new namespaces", int(LIBC.syscall(SYS_CLONE, ctypes.c_ulong(flags | signal.SIGCHLD), 0, 0, 0, 0)))


def sandboxed(flags: int) -> Callable[[Settings, list[str]], NoReturn]:
    user, group = os.geteuid(), os.getegid()

    def child(settings: Settings, command: list[str]) -> NoReturn:
        if flags & CLONE_NEWUSER:
            map_user(user, group)
        limit_processes(settings.processes, own_count=bool(flags & CLONE_NEWUSER))
        protect_files(settings)
        drop_privileges()
        execute(settings, command)

    return child


def unprotected(settings: Settings, command: list[str]) -> NoReturn:
    limit_processes(settings.processes, own_count=False)
    execute(settings, command)


def start(flags: int, settings: Settings, command: list[str]) -> int:
    """Starts the program with these namespaces; its pid, once it is running. Refused says: try with fewer."""
    child = sandboxed(flags) if flags else unprotected
    reading, writing = os.pipe()
    pid = clone(flags)
    if pid == 0:
        run_child(child, settings, command, writing)
    os.close(writing)
    with open(reading) as file:
        trouble = file.read()
    if trouble:
        os.waitpid(pid, 0)
        raise OSError(trouble[1:]) if trouble[0] == "!" else Refused(trouble[1:])
    return pid


def run_child(
    child: Callable[[Settings, list[str]], NoReturn], settings: Settings, command: list[str], writing: int
) -> NoReturn:
    """In the new process: exec closes `writing`, anything else is told on it."""
    try:
        child(settings, command)
    except Refused as error:
        os.write(writing, f"?{error}".encode())
    except OSError as error:
        os.write(writing, f"!{error.strerror}".encode())
    except BaseException as error:
        os.write(writing, f"!{error!r}".encode())
    os._exit(127)


# ---- The supervisor -------------------------------------------------------------------------------------------


def start_protected(settings: Settings, command: list[str]) -> int:
    """With all namespaces; as root without a user namespace if that is refused; else with none, and a note."""
    attempts = [CLONE_NEWUSER | OTHER_NAMESPACES] if settings.sandbox else []
    if settings.sandbox and os.geteuid() == 0:
        attempts.append(OTHER_NAMESPACES)
    reasons = []
    for flags in attempts:
        try:
            return start(flags, settings, command)
        except Refused as reason:
            reasons.append(str(reason))
    if reasons:
        tell(settings, f"note {reasons[0]}")
    return start(0, settings, command)


def tell(settings: Settings, line: str) -> None:
    with suppress(BrokenPipeError):  # the driver is gone, and the lifeline says so too
        os.write(settings.report, f"{line}\n".encode())


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


def main() -> int:
    settings = Settings(sys.argv[1])
    command = sys.argv[sys.argv.index("--") + 1 :]
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        pid = start_protected(settings, command)
    except OSError as error:
        tell(settings, f"failed {error}")
        return 1
    for descriptor in settings.descriptors:
        os.close(descriptor)
    tell(settings, f"started {pid}")
    status = watch(pid, settings.lifeline)
    with suppress(OSError):  # empty outside the sandbox; a driver that was killed cannot remove it
        os.rmdir(settings.scratch)
    tell(settings, f"ended {status}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
