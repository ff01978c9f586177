"""What the runtime needs for a burst of runs, as runtime/abi.h lays it out: struct untaken_burst, and what follows."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from untaken.execute.layout import BURST_DTYPE, CHANGEABLE_DTYPE, INSERT_DTYPE, NO_LENGTH, START_DTYPE
from untaken.model.burst import BurstStart, ChangedInputs
from untaken.model.input import Field, FieldKind

MOST_PLACES = 1024  # of one input; where there are more, some of them are changed
MOST_WORDS = 256
_ALIGNED = 8
_STREAMS = (FieldKind.STDIN, FieldKind.FILE)
_BOUNDED = (FieldKind.ARGUMENT, FieldKind.BYTES, *_STREAMS)  # nothing moves from these into the next field
_NUMBERS = (FieldKind.SIGNED, FieldKind.UNSIGNED)
# Packed one by one: numpy takes many times as long for that.
_BURST, _START, _INSERT = (
    struct.Struct(f"<{kind.itemsize // 4}I") for kind in (BURST_DTYPE, START_DTYPE, INSERT_DTYPE)
)
_Changeable = tuple[int, int, int, int, int]


class BurstWriter:
    """Writes bursts; the places of inputs with the same fields are computed once."""

    def __init__(self, room: memoryview, longest: int) -> None:
        """`longest`: as many bytes as an input may have."""
        self._room = room
        self._longest = longest
        self._known: tuple[Sequence[Field], NDArray[np.void]] = (), _places((), longest)

    def write(self, changes: ChangedInputs) -> None:
        """Lays out as many of the starts as there is room for; at least one always fits."""
        words = changes.words[:MOST_WORDS]
        starts = _BURST.size + len(words) * _INSERT.size
        end = starts + len(changes.starts) * _START.size
        for number, word in enumerate(words):
            _INSERT.pack_into(self._room, _BURST.size + number * _INSERT.size, end, len(word))
            end = self._append(end, word)
        fitting = 0
        for start in changes.starts:
            places = self._places(start)
            size = _reach(places, start.input)
            if end + places.nbytes + size + _ALIGNED > len(self._room):
                break
            head = (end + places.nbytes, size, end, len(places), start.is_new, 0)
            _START.pack_into(self._room, starts + fitting * _START.size, *head)
            end = self._append(end, places.tobytes() + start.input.ljust(size, b"\0"))
            fitting += 1
        _BURST.pack_into(self._room, 0, changes.copies, fitting, len(words), 0)

    def _append(self, end: int, data: bytes) -> int:
        """Where the next may begin."""
        self._room[end : end + len(data)] = data
        return -(-(end + len(data)) // _ALIGNED) * _ALIGNED

    def _places(self, start: BurstStart) -> NDArray[np.void]:
        if self._known[0] is not start.fields:
            self._known = start.fields, _places(start.fields, self._longest)
        return self._known[1] if len(self._known[1]) else _whole(start.input, self._longest)


def _places(fields: Sequence[Field], longest: int) -> NDArray[np.void]:
    """What of an input with these fields is changed. Of very many, every so manieth; of those that are longer than
    inputs may be, what fits."""
    step = -(-len(fields) // MOST_PLACES) or 1
    some = range(0, len(fields), step)
    wanted = [i for i in some if fields[i].kind is not FieldKind.LENGTH and fields[i].size]
    rows = [_changeable(fields, i, longest) for i in wanted if fields[i].offset < longest]
    return np.array(rows, CHANGEABLE_DTYPE)


def _whole(input: bytes, longest: int) -> NDArray[np.void]:
    """Of an input that nobody has asked for: all of it, and a little more."""
    return np.array([(0, min(len(input) + _ALIGNED, longest), NO_LENGTH, 0, 0)], CHANGEABLE_DTYPE)


def _changeable(fields: Sequence[Field], number: int, longest: int) -> _Changeable:
    part, before = fields[number], fields[number - 1] if number else None
    has_length = part.kind in _STREAMS and before is not None and before.kind is FieldKind.LENGTH
    length = before.offset if has_length and before is not None else NO_LENGTH
    is_number = part.kind in _NUMBERS
    size = min(part.size, longest - part.offset)
    return part.offset, size, length, is_number, part.kind not in _BOUNDED and not is_number


def _reach(places: NDArray[np.void], input: bytes) -> int:
    """Up to where the input is to be filled with zeros: its places are all there then."""
    return max(len(input), int((places["offset"] + places["size"]).max(initial=0)))
