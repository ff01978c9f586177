"""Seccomp: system calls that the program cannot make, whatever else is allowed.

The kernel runs the filter before each call, and remembers which calls always pass: those cost nothing. Arguments behind
pointers, such as the path of a socket, are out of its sight. So `connect` is refused as a whole: in the sandbox there
is no network that it could lead to, and a socket of the file system belongs to somebody else.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Sequence

from untaken.execute.launcher.kernel import LIBC, call

SYS_SECCOMP = 317
SET_MODE_FILTER, SPEC_ALLOW = 1, 4
ARCHITECTURE = 0xC000003E  # x86-64
X32 = 0x40000000  # the bit of calls of another ABI, which has numbers of its own
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN, MASK = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
ALLOW, FAIL = 0x7FFF0000, 0x00050000
NUMBER, ARCH, ARGUMENTS = 0, 4, 16  # places in struct seccomp_data
NEW_NAMESPACES = 0x7E020080  # all CLONE_NEW* flags: inside namespaces of its own a program has every privilege
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
SOCK_DGRAM, SOCK_TYPE, NETLINK_ROUTE = 2, 0xF, 0

SYS_SOCKET, SYS_SOCKETPAIR, SYS_CONNECT, SYS_CLONE, SYS_UNSHARE, SYS_CLONE3, SYS_KILL = 41, 53, 42, 56, 272, 435, 62
REFUSED = {
    "keys of the user": (248, 249, 250),  # add_key, request_key, keyctl
    "calls past this filter": (425, 426, 427),  # io_uring_*
    "the kernel's own": (298, 321, 323, 175, 313, 176, 246, 320, 169),  # perf, bpf, userfaultfd, modules, kexec, reboot
    "mounts and namespaces": (165, 166, 155, 308, 428, 429, 430, 431, 432, 442, 161),  # mount ... setns, chroot
}
OUTSIDE_NAMESPACES = {
    "queues, semaphores and shared memory of others": (240, 241),  # mq_open, mq_unlink
    "scheduling of other processes": (144, 314, 141, 251),  # sched_setscheduler, sched_setattr, setpriority, ioprio_set
}
SYS_PRLIMIT = 302  # of itself alone: process 1, which runs are started by, belongs to the same user
OF_FILES = {
    "modes and owners": (90, 91, 268, 452, 92, 93, 94, 260),  # chmod ... fchmodat2, chown ... fchownat
    "times": (132, 235, 261, 280),  # utime, utimes, futimesat, utimensat
    "attributes": (188, 189, 190, 463, 197, 198, 199, 466, 469),  # setxattr ..., removexattr ..., file_setattr
    "size": (76,),  # truncate; Landlock knows it since version 3, as what follows
}
OPENING = {2: 1, 257: 2}  # open and openat, and which argument has the flags
SYS_OPENAT2, SYS_IOCTL = 437, 16
TRUNCATING, TRUNCATE_ONLY, TRUNCATE_ODDLY = 0x203, 0x200, 0x203  # O_TRUNC without a wish to write
FLAGS_OF_FILES = (0x40086602, 0x40046602, 0x401C5820)  # FS_IOC_SETFLAGS, its 32 bits, FS_IOC_FSSETXATTR
OF_ITSELF = (142, 203)  # sched_setparam, sched_setaffinity: outside of namespaces for 0 only
BY_KEY = (29, 64, 68)  # shmget, semget, msgget: outside of namespaces only private ones
EVERYBODY = 0xFFFFFFFF  # kill(-1, ...)

Line = tuple[int, int, int, int]
DATAGRAM: tuple[Line, ...] = ((MASK, 0, 0, SOCK_TYPE), (EQUAL, 0, 1, SOCK_DGRAM))  # of a type that is at hand


def restrict_calls(*, own_namespaces: bool) -> None:
    """Sets the filter; without namespaces of its own the program can do less, since nothing else is in its way."""
    program = (*beginning(), *rules(own_namespaces), (RETURN, 0, 0, ALLOW))
    text = b"".join(struct.pack("<HBBI", *line) for line in program)
    lines = ctypes.create_string_buffer(text, len(text))
    filter = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(lines))
    call("seccomp", int(LIBC.syscall(SYS_SECCOMP, SET_MODE_FILTER, SPEC_ALLOW, filter)))


def beginning() -> tuple[Line, ...]:
    """Calls of other ABIs (32 bits, x32) are not there; then the number is at hand."""
    return (
        (LOAD, 0, 0, ARCH),
        (EQUAL, 1, 0, ARCHITECTURE),
        fail(errno.ENOSYS),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, X32),
        fail(errno.ENOSYS),
    )


def rules(own_namespaces: bool) -> list[Line]:
    lines = refuse(SYS_CLONE3, errno.ENOSYS)  # its flags lie behind a pointer; the C library goes on with clone
    lines += refuse_if(SYS_CLONE, 0, ((ANY_BIT, 0, 1, NEW_NAMESPACES),))
    lines += refuse_if(SYS_UNSHARE, 0, ((ANY_BIT, 0, 1, NEW_NAMESPACES),))
    for numbers in REFUSED.values():
        lines += [line for number in numbers for line in refuse(number, errno.EPERM)]
    lines += refuse_if(SYS_PRLIMIT, 0, ((EQUAL, 1, 0, 0),))
    lines += refuse_if(SYS_SOCKETPAIR, 1, DATAGRAM)  # one of a pair sends to other addresses, too
    if own_namespaces:
        return lines + refuse(SYS_CONNECT, errno.ENETUNREACH) + sockets()
    return lines + outside_namespaces()


def outside_namespaces() -> list[Line]:
    """What namespaces and mounts would stop, and Landlock does not."""
    groups = (*OUTSIDE_NAMESPACES.values(), *OF_FILES.values())
    lines = [line for numbers in groups for number in numbers for line in refuse(number, errno.EPERM)]
    lines += refuse(SYS_SOCKET, errno.EACCES) + refuse_if(SYS_KILL, 0, ((EQUAL, 0, 1, EVERYBODY),))
    for number in (*BY_KEY, *OF_ITSELF):
        lines += refuse_if(number, 0, ((EQUAL, 1, 0, 0),))
    lines += refuse(SYS_OPENAT2, errno.ENOSYS)  # its flags lie behind a pointer; everybody goes on with openat
    for number, argument in OPENING.items():
        lines += refuse_if(number, argument, any_of((TRUNCATE_ONLY, TRUNCATE_ODDLY), TRUNCATING), errno.EACCES)
    return lines + refuse_if(SYS_IOCTL, 1, any_of(FLAGS_OF_FILES))


def sockets() -> list[Line]:
    """Of the usual families: others lead out of the network namespace (AF_VSOCK), or to rare parts of the kernel.
    A datagram needs no connect, so there is none between files."""
    unix = ((EQUAL, 0, len(DATAGRAM) + 2, AF_UNIX), (LOAD, 0, 0, ARGUMENTS + 8), *DATAGRAM)
    netlink = ((EQUAL, 0, 3, AF_NETLINK), (LOAD, 0, 0, ARGUMENTS + 16), (EQUAL, 1, 0, NETLINK_ROUTE))
    return [
        *refuse_if(SYS_SOCKET, 0, one_of((AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)), errno.EAFNOSUPPORT),
        *refuse_if(SYS_SOCKET, 0, unix),
        *refuse_if(SYS_SOCKET, 0, netlink, errno.EPROTONOSUPPORT),
    ]


def one_of(values: Sequence[int]) -> tuple[Line, ...]:
    """A test that any of them passes."""
    return tuple((EQUAL, len(values) - place, 0, value) for place, value in enumerate(values))


def any_of(values: Sequence[int], mask: int = 0xFFFFFFFF) -> tuple[Line, ...]:
    """A test that none of them passes."""
    tests = [(EQUAL, len(values) - place, 0, value) for place, value in enumerate(values[:-1], start=1)]
    return ((MASK, 0, 0, mask), *tests, (EQUAL, 0, 1, values[-1]))


def refuse(number: int, error: int) -> list[Line]:
    return [(EQUAL, 0, 1, number), fail(error)]


def refuse_if(number: int, argument: int, test: tuple[Line, ...], error: int = errno.EPERM) -> list[Line]:
    """`test` looks at the argument, and jumps over one line if the call may pass. The number is at hand again then."""
    lines = [(LOAD, 0, 0, ARGUMENTS + 8 * argument), *test, fail(error), (LOAD, 0, 0, NUMBER)]
    return [(EQUAL, 0, len(lines), number), *lines]


def fail(error: int) -> Line:
    return RETURN, 0, 0, FAIL | error
