"""Programs that define functions of the C library themselves: then those are meant, and not our models.

An instrumented unit calls the model of each function that it only declares. Which of them the program has of its own is
known when it is linked: then the calls get the function's own name back.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping, Sequence

from untaken.build.objects.archive import is_archive, member_places
from untaken.build.objects.symbols import defined_functions, is_object, without_prefix

PREFIX = "untaken_model_"
DAMAGED = (struct.error, ValueError, IndexError, OverflowError)  # what readers meet in a file that was cut off


def with_own_functions(inputs: Mapping[int, str], modelled: Sequence[str], scratch: str) -> dict[int, str]:
    """The files to be linked, by position; those that call a model of what one of them defines are written anew."""
    contents = {position: data for position, path in inputs.items() if (data := _read(path)) is not None}
    try:
        own = frozenset(modelled).intersection(name for data in contents.values() for name in _defined(data))
        changed = {position: _changed(data, own) for position, data in contents.items() if own}
    except DAMAGED:
        return dict(inputs)  # the linker says so
    result = dict(inputs)
    for position, data in changed.items():
        if data != contents[position]:
            result[position] = os.path.join(scratch, f"own-{position}{os.path.splitext(inputs[position])[1]}")
            with open(result[position], "wb") as file:
                file.write(data)
    return result


def _read(path: str) -> bytes | None:
    """An object file or an archive; others are not ours to look into."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None  # the linker says so
    return data if is_object(data) or is_archive(data) else None


def _defined(data: bytes) -> Iterator[str]:
    for start, end in _objects(data):
        yield from defined_functions(data[start:end])


def _changed(data: bytes, own: frozenset[str]) -> bytes:
    result = bytearray(data)
    for start, end in _objects(data):
        result[start:end] = without_prefix(data[start:end], PREFIX, own)
    return bytes(result)


def _objects(data: bytes) -> list[tuple[int, int]]:
    if not is_archive(data):
        return [(0, len(data))]
    return [(start, end) for start, end in member_places(data) if is_object(data[start:end])]
