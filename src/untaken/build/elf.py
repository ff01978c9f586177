"""Reads sections of an ELF executable: all that is needed to find the program map."""

from __future__ import annotations

import struct
from collections.abc import Collection
from pathlib import Path

from untaken.errors import ProgramMapError

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")


def sections(file: Path, names: Collection[str]) -> dict[str, bytes]:
    """The contents of the named sections; those that are not there are left out."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ProgramMapError(f"cannot read {file}: {error.strerror}") from error
    if data[:5] != b"\x7fELF\x02" or len(data) < _HEADER.size:
        raise ProgramMapError(f"{file} is not a 64-bit ELF program; untaken runs Linux programs for x86-64")
    header = _HEADER.unpack_from(data)
    offset, size, count, name_index = header[6], header[11], header[12], header[13]
    headers = [_SECTION.unpack_from(data, offset + number * size) for number in range(count)]
    text = headers[name_index]
    found = {}
    for section in headers:
        start = text[4] + section[0]
        name = data[start : data.index(b"\0", start)].decode("ascii", "replace")
        if name in names:
            found[name] = data[section[4] : section[4] + section[5]]
    return found
