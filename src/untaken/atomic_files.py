"""Files that appear whole or not at all: written under another name beside their own, and then renamed.

A reader sees the old file or the new one, whatever ends the writer. For all stages; the compiler is started hundreds of
times by configure scripts, so nothing is imported here that it would not need anyway.
"""

from __future__ import annotations

import os
from contextlib import suppress

_LONGEST = 100  # of a file's name, in the name beside it: the whole must be no longer than file systems allow
UNFINISHED = ".*.[0-9]*"  # a pattern for names beside, for those who look for what a kill has left


def name_beside(path: str) -> str:
    """A name in the same folder that nobody else uses, for what becomes `path` once it is whole."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name[:_LONGEST]}.{os.getpid()}.{os.urandom(4).hex()}")


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a regular file; where that fails the old one is as it was."""
    aside = name_beside(os.fspath(path))
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(aside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside)
        raise
