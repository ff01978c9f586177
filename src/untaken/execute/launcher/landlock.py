"""Landlock: what a process may open, whoever it is and whatever is mounted where. Needs no privileges.

With namespaces it closes one gap: a file system that is read-only does not keep a program from writing to the FIFOs
in it. Without them it is what protects files at all (`restrict_all`).
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from contextlib import suppress

from untaken.execute.launcher.kernel import LIBC, Refused, call

SYS_CREATE_RULESET, SYS_ADD_RULE, SYS_RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REFER = 1 << 13
READING = EXECUTE | READ_FILE | READ_DIR
# By version of Landlock: what files and folders can be protected from, since then.
FILE_RIGHTS = {1: (1 << 13) - 1, 2: REFER, 3: 1 << 14, 5: 1 << 15}
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15  # rights that a rule on a file may name
TCP_RIGHTS = 3  # to bind and to connect, since version 4
SCOPES = 3  # abstract sockets and signals of others, since version 6
TCP_SINCE, SCOPES_SINCE = 4, 6


def version() -> int:
    """0 if the kernel has none."""
    return max(0, int(LIBC.syscall(SYS_CREATE_RULESET, None, 0, ASK_VERSION)))


def rights(known: int) -> int:
    """All rights over files that this version of Landlock can take away."""
    return sum(bits for since, bits in FILE_RIGHTS.items() if since <= known)


def restrict_writing(allowed: Iterable[str]) -> None:
    """Files and FIFOs can be written to below these paths alone. Where Landlock is missing or too old to leave all else
    as it is (version 1 forbids to move files between folders), nothing changes."""
    if version() >= 2:
        ruleset = create(WRITE_FILE | REFER)
        allow(ruleset, "/", REFER)
        for path in allowed:
            allow(ruleset, path, WRITE_FILE)
        enforce(ruleset)


def restrict_all(writable: Iterable[str], hidden: Iterable[str]) -> None:
    """Nothing but the writable paths can be changed, and nothing hidden can be read."""
    if version() < 1:
        raise Refused("Landlock: the kernel has none")
    everything = rights(version())
    ruleset = create(everything, TCP_RIGHTS, SCOPES)
    for path in readable("/", [os.path.realpath(path) for path in hidden]):
        allow(ruleset, path, READING)
    for path in writable:
        allow(ruleset, path, everything)
    enforce(ruleset)


def readable(folder: str, hidden: list[str]) -> Iterable[str]:
    """The folder; or if something in it is hidden, what is beside that. Rules only allow: none takes back."""
    if folder in hidden:
        return
    if not any(path.startswith(folder.rstrip("/") + "/") for path in hidden):
        yield folder
        return
    with suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                yield from readable(path, hidden)


def create(files: int, tcp: int = 0, scopes: int = 0) -> int:
    known = version()
    attributes = struct.pack("<Q", files)
    if known >= TCP_SINCE:
        attributes += struct.pack("<Q", tcp)
    if known >= SCOPES_SINCE:
        attributes += struct.pack("<Q", scopes)
    return call("Landlock", int(LIBC.syscall(SYS_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)))


def allow(ruleset: int, path: str, access: int) -> None:
    """These rights at the path and below it; nothing if it is not there."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            access &= OF_FILES
        rule = struct.pack("<Qi", access, place)
        call(f"Landlock rule for {path}", int(LIBC.syscall(SYS_ADD_RULE, ruleset, PATH_BENEATH, rule, 0)))
    finally:
        os.close(place)


def enforce(ruleset: int) -> None:
    """From here on, for this process and all that it starts. It must not be able to gain privileges by then."""
    try:
        call("Landlock", int(LIBC.syscall(SYS_RESTRICT_SELF, ruleset, 0)))
    finally:
        os.close(ruleset)
