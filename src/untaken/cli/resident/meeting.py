"""Where a call finds the process that could make it: a folder that nobody else can enter, and a name in there.

`client.c` makes the same name of the same parts, so the digest is a simple one. The server looks closer at whoever
comes (`circumstances.py`).
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress

import untaken
from untaken.build.storage import cache_root

SWITCH = "UNTAKEN_RESIDENT"  # seconds that a process stays without work; 0: never begin one, and use none
SECONDS = 10
MOST_SECONDS = 86_400
FOLDER = "resident"
HOOKS = ("LD_PRELOAD", "LD_AUDIT")  # whoever set them wants to see each process start
OTHER_STREAMS = ("/dev/fd/", "/dev/stdin", "/proc/")
VARIABLES = (b"PYTHON", b"LD_", b"LC_", b"LANG", b"MALLOC_", b"GLIBC_")  # that a process reads as it starts
COERCED = b"LC_CTYPE=C.UTF-8"  # Python sets this for itself, see PEP 538
_BASIS, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


class Unfit(Exception):
    """This call is not to be made elsewhere."""


def seconds_to_stay() -> int:
    """As the user says, but no more than a day; anything that is no number is a no."""
    given = os.environ.get(SWITCH, str(SECONDS))
    if not given.isascii() or not given.isdigit():
        return 0
    digits = given.lstrip("0") or "0"
    return MOST_SECONDS if len(digits) > len(str(MOST_SECONDS)) else min(int(digits), MOST_SECONDS)


def is_fit(words: list[str]) -> bool:
    """What is read from standard input can be read only once, and other descriptors are not handed over."""
    if any(map(os.environ.get, HOOKS)):
        return False
    return not any(word == "-" or any(place in word for place in OTHER_STREAMS) for word in words)


def meeting_path() -> str:
    return os.path.join(cache_root(), FOLDER)


def meeting_folder() -> int:
    """A descriptor of the folder for sockets."""
    path = meeting_path()
    if not os.path.isabs(path):  # another one in each folder
        raise Unfit
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    status = os.fstat(folder)
    if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) != 0o700:
        os.close(folder)
        raise Unfit
    return folder


def installation() -> str:
    """Tells one untaken from another."""
    parts = (untaken.__version__, os.path.dirname(untaken.__file__), sys.executable, sys.version)
    return f"{_digest(os.fsencode(chr(10).join(parts))):016x}"


def meeting_name() -> str:
    """Of the socket, for calls that were started as this one was."""
    parts = [installation().encode(), b"nice=%d" % os.getpriority(os.PRIO_PROCESS, 0)]
    return f"{sum(map(_digest, [*parts, *inherited(os.environb)])) & _MASK:016x}"


def inherited(environment: os._Environ[bytes] | dict[bytes, bytes]) -> list[bytes]:
    """Variables that must be the same, since they were read long ago."""
    named = [b"%s=%s" % item for item in environment.items() if item[0].startswith(VARIABLES)]
    return sorted(variable for variable in named if variable != COERCED)


def _digest(data: bytes) -> int:
    """That of Fowler, Noll and Vo (1a), in 64 bits."""
    value = _BASIS
    for byte in data:
        value = (value ^ byte) * _PRIME & _MASK
    return value
