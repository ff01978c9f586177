"""Sections of ELF files: read from objects and programs, written into an object to be linked.

By hand, although pyelftools reads ELF (executables/image_files/elf.py): the compiler mostly writes (new names for
symbols, a section of its own, archives), which pyelftools cannot; it reads the symbols of every object that is linked,
which takes pyelftools 25 times as long; and it starts too often to load a library for that.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from untaken.errors import ProgramMapError

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")


class Section(NamedTuple):
    """The header of a section, as it is in the file."""

    name: int  # where it begins in the section of names
    kind: int
    flags: int
    address: int
    start: int
    size: int
    link: int  # the number of the section that it refers to: of a symbol table, that of its names
    info: int
    alignment: int
    entry_size: int


class SectionTable(NamedTuple):
    """All of them, and where their headers lie."""

    sections: list[Section]
    start: int
    entry_size: int
    names: int  # the number of the section of names


def section_table(data: bytes) -> SectionTable:
    """The headers of all sections of a 64-bit ELF file."""
    header = _HEADER.unpack_from(data)
    start, size, count, names = header[6], header[11], header[12], header[13]
    found = [Section._make(_SECTION.unpack_from(data, start + number * size)) for number in range(count)]
    return SectionTable(found, start, size, names)


def text_at(data: bytes, start: int) -> str:
    """The string that begins there, as names are kept in the file."""
    return data[start : data.index(b"\0", start)].decode(errors="surrogateescape")


def sections(file: Path, names: Collection[str]) -> dict[str, bytes]:
    """The contents of the named sections; those that are not there are left out."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ProgramMapError(f"cannot read {file}: {error.strerror}") from error
    if data[:5] != b"\x7fELF\x02" or len(data) < _HEADER.size:
        raise ProgramMapError(f"{file} is not a 64-bit ELF program; untaken runs Linux programs for x86-64")
    try:
        table = section_table(data)
        strings = table.sections[table.names].start if table.sections else 0
        found = {text_at(data, strings + section.name): section for section in table.sections}
    except (struct.error, ValueError, IndexError, OverflowError):
        raise ProgramMapError(f"{file} is cut off or damaged: build it again") from None
    contents = {name: data[each.start : each.start + each.size] for name, each in found.items() if name in names}
    if any(len(content) != found[name].size for name, content in contents.items()):
        raise ProgramMapError(f"{file} is cut off or damaged: build it again")
    return contents


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
