"""System calls that Python has no functions for, and what the kernel says to them."""

from __future__ import annotations

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """The system does not allow a step of the sandbox."""


def call(what: str, result: int) -> int:
    """The result of a system call, or why it was refused."""
    if result < 0:
        raise Refused(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def kernel_version() -> tuple[int, int]:
    major, minor = os.uname().release.split(".")[:2]
    return int(major), int("".join(filter(str.isdigit, minor)) or 0)
