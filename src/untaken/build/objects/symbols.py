"""Symbols of object files: which are defined, which are called, and the same file with other names for the latter.

Object files are 64-bit ELF. Nothing moves in them: new names are put behind the old ones.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from untaken.build.objects.elf import Section, SectionTable, section_table, text_at

_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_SYMBOLS, _RELOCATIONS = 2, 4  # kinds of sections
_OFFSET = 24  # of a section's place and size, in its header
_LOCAL, _GLOBAL = 0, 1  # bindings
_FUNCTIONS = (2, 10)  # kinds of symbols: functions, and those that are chosen when the program is loaded
_CALLED = 4  # the kind of a relocation by which functions are called, and nothing else is reached
_UNDEFINED = 0


@dataclass(frozen=True, slots=True)
class _SymbolTable:
    """The symbol table of an object file, among its sections."""

    all: SectionTable
    number: int  # of its section

    @property
    def place(self) -> Section:
        return self.all.sections[self.number]

    @property
    def names(self) -> Section:
        """The section of its names."""
        return self.all.sections[self.place.link]


def is_object(data: bytes | memoryview) -> bool:
    """Whether it is a file that the linker puts together with others."""
    return len(data) >= 64 and bytes(data[:5]) == b"\x7fELF\x02" and data[16] == 1


def defined_functions(data: bytes) -> Iterator[str]:
    """The names of the functions that it defines for others."""
    yield from (name for name, kind in _defined(data) if kind in _FUNCTIONS)


def global_symbols(data: bytes) -> Iterator[str]:
    """The names that an object file defines for others, functions and variables."""
    yield from (name for name, _ in _defined(data))


def needed_symbols(data: bytes) -> set[str]:
    """The names that an object file uses and does not define, functions and variables."""
    table = _table(data)
    return set() if table is None else {name for _, name, _ in _undefined(data, table)}


def _defined(data: bytes) -> Iterator[tuple[str, int]]:
    """Names that others can use, and what kind of symbols they are."""
    table = _table(data)
    if table is None:
        return
    for name, info, _, section, _, _ in _entries(data, table):
        if section != _UNDEFINED and info >> 4 != _LOCAL:
            yield text_at(data, table.names.start + name), info & 15


def called_functions(data: bytes) -> set[str]:
    """The names of the functions that it calls and does not define. A weak one may be missing, so that is left out."""
    table = _table(data)
    if table is None:
        return set()
    called = {symbol for kind, symbol in _relocations(data, table) if kind == _CALLED}
    return {name for number, name, info in _undefined(data, table) if number in called and info >> 4 == _GLOBAL}


def with_names(data: bytes, names: Mapping[str, str]) -> bytes:
    """The same file, but for the names of what it defines for others or has from them."""
    table = _table(data)
    places = [] if table is None else [entry for entry in _shared(data, table) if entry[1] in names]
    if table is None or not places:
        return data
    text = bytearray(data[table.names.start : table.names.start + table.names.size])
    result = bytearray(data + b"\0" * (-len(data) % 8))
    for number, name in places:
        struct.pack_into("<I", result, table.place.start + number * _SYMBOL.size, len(text))
        text += names[name].encode() + b"\0"
    header = table.all.start + table.place.link * table.all.entry_size
    struct.pack_into("<QQ", result, header + _OFFSET, len(result), len(text))
    return bytes(result + text)


def without_prefix(data: bytes, prefix: str, names: frozenset[str]) -> bytes:
    """The same file, but what it does not define and calls PREFIX and one of the names has that name alone.

    Such a name is the end of the other, so that only the table of symbols changes; the size of the file does not.
    """
    table = _table(data)
    if table is None:
        return data
    result: bytearray | None = None
    for number, name, _ in _undefined(data, table):
        if name.startswith(prefix) and name.removeprefix(prefix) in names:
            result = result or bytearray(data)
            place = table.place.start + number * _SYMBOL.size
            (start,) = struct.unpack_from("<I", result, place)
            struct.pack_into("<I", result, place, start + len(prefix))
    return data if result is None else bytes(result)


def _table(data: bytes) -> _SymbolTable | None:
    table = section_table(data)
    numbers = [number for number, section in enumerate(table.sections) if section.kind == _SYMBOLS]
    return _SymbolTable(table, numbers[0]) if numbers else None


def _entries(data: bytes, table: _SymbolTable) -> Iterator[tuple[int, ...]]:
    """All symbols: name, binding and kind, visibility, section, value, size."""
    start, size = table.place.start, table.place.size
    return _SYMBOL.iter_unpack(memoryview(data)[start : start + size // _SYMBOL.size * _SYMBOL.size])


def _shared(data: bytes, table: _SymbolTable) -> Iterator[tuple[int, str]]:
    """Number and name of each symbol that others define, or can use."""
    for number, (name, info, _, section, _, _) in enumerate(_entries(data, table)):
        if name and (section == _UNDEFINED or info >> 4 != _LOCAL):
            yield number, text_at(data, table.names.start + name)


def _undefined(data: bytes, table: _SymbolTable) -> Iterator[tuple[int, str, int]]:
    """Number, name and binding of each symbol that has to come from elsewhere."""
    for number, (name, info, _, section, _, _) in enumerate(_entries(data, table)):
        if section == _UNDEFINED and name:
            yield number, text_at(data, table.names.start + name), info


def _relocations(data: bytes, table: _SymbolTable) -> Iterator[tuple[int, int]]:
    """The kind of each, and the number of its symbol."""
    for section in table.all.sections:
        if section.kind == _RELOCATIONS:
            for _, info, _ in _RELOCATION.iter_unpack(memoryview(data)[section.start : section.start + section.size]):
                yield info & 0xFFFFFFFF, info >> 32
