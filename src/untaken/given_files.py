"""Files that somebody else may have put there: in a campaign's folder, among seeds, in the queue of a fuzzer.

Whatever has the name of a file is opened only if it is one: a pipe would let the reader wait for ever, a device has no
end. What is larger than anything that untaken writes is not read into memory. For all stages.
"""

from __future__ import annotations

import errno
import os
import stat

LARGEST = 1 << 30  # bytes
_HOW = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC  # so that opening a pipe does not wait


def read_whole(path: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """All that an ordinary file holds; OSError if it is none, or too large."""
    data = read_beginning(path, largest + 1)
    if len(data) > largest:
        raise OSError(errno.EFBIG, f"it has more than {largest:,} bytes", os.fspath(path))
    return data


def read_beginning(path: str | os.PathLike[str], most: int) -> bytes:
    """The first bytes of an ordinary file; OSError if it is none."""
    descriptor = os.open(path, _HOW)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is no ordinary file", os.fspath(path))
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(min(most, found.st_size + 1))
    finally:
        os.close(descriptor)
