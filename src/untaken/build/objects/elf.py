"""Sections of ELF files: read from executables to find the program map, written into an object to be linked."""

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


_RELOCATABLE, _X86_64, _PROGBITS, _STRINGS = 1, 62, 1, 3
_IDENTITY = b"\x7fELF\x02\x01\x01"
_STACK = ".note.GNU-stack"  # that it is there says: no stack that can be executed is needed


def object_with(name: str, content: bytes) -> bytes:
    """An object file with one section, which is in the linked file but not in memory when that runs."""
    names = b"".join(each.encode() + b"\0" for each in ("", name, _STACK, ".shstrtab"))
    body = content + names
    end = _HEADER.size + len(body)
    padding = -end % 8
    header = (_IDENTITY, _RELOCATABLE, _X86_64, 1, 0, 0, end + padding, 0, _HEADER.size, 0, 0, _SECTION.size, 4, 3)
    sections_of_it = [
        (0,) * 10,
        (names.index(name.encode()), _PROGBITS, 0, 0, _HEADER.size, len(content), 0, 0, 1, 0),
        (names.index(_STACK.encode()), _PROGBITS, 0, 0, _HEADER.size, 0, 0, 0, 1, 0),
        (names.index(b".shstrtab"), _STRINGS, 0, 0, _HEADER.size + len(content), len(names), 0, 0, 1, 0),
    ]
    return _HEADER.pack(*header) + body + bytes(padding) + b"".join(_SECTION.pack(*each) for each in sections_of_it)
