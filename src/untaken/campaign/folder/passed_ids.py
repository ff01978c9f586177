"""What each kept test passes, as the database keeps it: one bit for each id of the program, compressed.

Coverage says who was first. Reports also say how many tests take a branch, and which functions a test enters.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import CutOff, Path

LARGEST = 1 << 24  # bytes of one test's flags
_FASTEST = 1  # of zlib's levels: mostly long stretches of the same


def packed(path: Path, first: NDArray[np.intp], id_count: int) -> bytes:
    """The ids that a run passed, of those that the program map knows; `first` are branches that no other took before.

    Where events were cut off, `path.passed` has what other runs passed, too: then only what is sure counts.
    """
    passed = path.events if CutOff.EVENTS in path.cut_off else path.passed
    flags = np.zeros(id_count, np.bool_)
    flags[passed[passed < id_count]] = True
    flags[first] = True
    return zlib.compress(np.packbits(flags).tobytes(), _FASTEST)


def unpacked(data: bytes, id_count: int) -> NDArray[np.bool_]:
    """A flag for each id. ValueError if this is not what `packed` gave."""
    bits = np.frombuffer(_decompressed(data, id_count // 8 + 1), np.uint8)
    flags: NDArray[np.bool_] = np.unpackbits(bits, count=id_count).astype(np.bool_)
    return flags


def check_packed(data: bytes) -> None:
    """ValueError if this is nothing that `packed` could have given, of whatever program."""
    _decompressed(data, LARGEST)


def _decompressed(data: bytes, most: int) -> bytes:
    """No more than so many bytes: a database may be somebody else's, and little data can stand for very much."""
    try:
        return zlib.decompressobj().decompress(data, most)
    except zlib.error as error:
        raise ValueError(str(error)) from None
