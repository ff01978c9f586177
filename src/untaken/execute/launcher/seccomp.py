"""Seccomp: system calls that the program cannot make, whatever else is allowed.

The kernel runs the filter before each call, and remembers which calls always pass: those cost nothing. Arguments behind
pointers, such as the path of a socket, are out of its sight. So `connect` is refused as a whole: in the sandbox there
is no network that it could lead to, and a socket of the file system belongs to somebody else.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from untaken.execute.launcher.kernel import LIBC, call

SYS_SECCOMP = 317
SET_MODE_FILTER, SPEC_ALLOW = 1, 4
ARCHITECTURE = 0xC000003E  # x86-64
X32 = 0x40000000  # the bit of calls of another ABI, which has numbers of its own
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN, MASK = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
ALLOW, FAIL = 0x7FFF0000, 0x00050000
NUMBER, ARCH, ARGUMENTS = 0, 4, 16  # places in struct seccomp_data
NEW_NAMESPACES = 0x7E020080  # all CLONE_NEW* flags: inside namespaces of its own a program has every privilege
AF_UNIX, SOCK_DGRAM, SOCK_TYPE = 1, 2, 0xF

SYS_SOCKET, SYS_CONNECT, SYS_CLONE, SYS_UNSHARE, SYS_CLONE3, SYS_KILL = 41, 42, 56, 272, 435, 62
REFUSED = {
    "keys of the user": (248, 249, 250),  # add_key, request_key, keyctl
    "calls past this filter": (425, 426, 427),  # io_uring_*
    "the kernel's own": (298, 321, 323, 175, 313, 176, 246, 320, 169),  # perf, bpf, userfaultfd, modules, kexec, reboot
    "mounts and namespaces": (165, 166, 155, 308, 428, 429, 430, 431, 432, 442, 161),  # mount ... setns, chroot
}
OUTSIDE_NAMESPACES = {
    "queues, semaphores and shared memory of others": (240, 241),  # mq_open, mq_unlink
    "limits and scheduling of other processes": (144, 314, 141),  # sched_setscheduler, sched_setattr, setpriority
}
BY_KEY = (29, 64, 68)  # shmget, semget, msgget: outside of namespaces only private ones
EVERYBODY = 0xFFFFFFFF  # kill(-1, ...)

Line = tuple[int, int, int, int]


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
    if own_namespaces:
        # A datagram needs no connect.
        datagram = (
            (EQUAL, 0, 4, AF_UNIX),
            (LOAD, 0, 0, ARGUMENTS + 8),
            (MASK, 0, 0, SOCK_TYPE),
            (EQUAL, 0, 1, SOCK_DGRAM),
        )
        return lines + refuse(SYS_CONNECT, errno.ENETUNREACH) + refuse_if(SYS_SOCKET, 0, datagram)
    for numbers in OUTSIDE_NAMESPACES.values():
        lines += [line for number in numbers for line in refuse(number, errno.EPERM)]
    lines += refuse(SYS_SOCKET, errno.EACCES) + refuse_if(SYS_KILL, 0, ((EQUAL, 0, 1, EVERYBODY),))
    for number in BY_KEY:
        lines += refuse_if(number, 0, ((EQUAL, 1, 0, 0),))
    return lines


def refuse(number: int, error: int) -> list[Line]:
    return [(EQUAL, 0, 1, number), fail(error)]


def refuse_if(number: int, argument: int, test: tuple[Line, ...]) -> list[Line]:
    """`test` looks at the argument, and jumps over one line if the call may pass. The number is at hand again then."""
    lines = [(LOAD, 0, 0, ARGUMENTS + 8 * argument), *test, fail(errno.EPERM), (LOAD, 0, 0, NUMBER)]
    return [(EQUAL, 0, len(lines), number), *lines]


def fail(error: int) -> Line:
    return RETURN, 0, 0, FAIL | error
