"""Symbols of object files: which are defined, which are called, and the same file with other names for the latter.

Object files are 64-bit ELF. Nothing moves in them: new names are put behind the old ones.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_SYMBOLS, _RELOCATIONS = 2, 4  # kinds of sections
_OFFSET = 24  # of a section's place and size, in its header
_LOCAL, _GLOBAL = 0, 1  # bindings
_FUNCTIONS = (2, 10)  # kinds of symbols: functions, and those that are chosen when the program is loaded
_CALLED = 4  # the kind of a relocation by which functions are called, and nothing else is reached
_UNDEFINED = 0


@dataclass(frozen=True, slots=True)
class _Table:
    """The symbol table of an object file."""

    sections: list[tuple[int, ...]]
    headers: int  # where those of the sections begin
    header_size: int
    number: int  # of its section

    @property
    def start(self) -> int:
        return self.sections[self.number][4]

    @property
    def count(self) -> int:
        return self.sections[self.number][5] // _SYMBOL.size

    @property
    def names(self) -> int:
        """The number of the section of its names."""
        return self.sections[self.number][6]


def is_object(data: bytes | memoryview) -> bool:
    """Whether it is a file that the linker puts together with others."""
    return len(data) >= 64 and bytes(data[:5]) == b"\x7fELF\x02" and data[16] == 1


def defined_functions(data: bytes) -> Iterator[str]:
    """The names of the functions that it defines for others."""
    table = _table(data)
    if table is None:
        return
    symbols = _SYMBOL.iter_unpack(memoryview(data)[table.start : table.start + table.count * _SYMBOL.size])
    for name, info, _, section, _, _ in symbols:
        if section != _UNDEFINED and info >> 4 != _LOCAL and info & 15 in _FUNCTIONS:
            yield _name(data, table, name)


def called_functions(data: bytes) -> set[str]:
    """The names of the functions that it calls and does not define. A weak one may be missing, so that is left out."""
    table = _table(data)
    if table is None:
        return set()
    called = {symbol for kind, symbol in _relocations(data, table) if kind == _CALLED}
    return {name for number, name, info in _undefined(data, table) if number in called and info >> 4 == _GLOBAL}


def with_names(data: bytes, names: Mapping[str, str]) -> bytes:
    """The same file, but for the names of what it does not define."""
    table = _table(data)
    places = [] if table is None else [entry for entry in _undefined(data, table) if entry[1] in names]
    if table is None or not places:
        return data
    section = table.sections[table.names]
    text = bytearray(data[section[4] : section[4] + section[5]])
    result = bytearray(data + b"\0" * (-len(data) % 8))
    for number, name, _ in places:
        struct.pack_into("<I", result, table.start + number * _SYMBOL.size, len(text))
        text += names[name].encode() + b"\0"
    struct.pack_into("<QQ", result, table.headers + table.names * table.header_size + _OFFSET, len(result), len(text))
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
            place = table.start + number * _SYMBOL.size
            (start,) = struct.unpack_from("<I", result, place)
            struct.pack_into("<I", result, place, start + len(prefix))
    return data if result is None else bytes(result)


def _table(data: bytes) -> _Table | None:
    offset, size, count = struct.unpack_from("<Q10xHH", data, 40)
    sections = [_SECTION.unpack_from(data, offset + index * size) for index in range(count)]
    numbers = [number for number, section in enumerate(sections) if section[1] == _SYMBOLS]
    return _Table(sections, offset, size, numbers[0]) if numbers else None


def _undefined(data: bytes, table: _Table) -> Iterator[tuple[int, str, int]]:
    """Number, name and binding of each symbol that has to come from elsewhere."""
    symbols = _SYMBOL.iter_unpack(memoryview(data)[table.start : table.start + table.count * _SYMBOL.size])
    for number, (name, info, _, section, _, _) in enumerate(symbols):
        if section == _UNDEFINED and name:
            yield number, _name(data, table, name), info


def _relocations(data: bytes, table: _Table) -> Iterator[tuple[int, int]]:
    """The kind of each, and the number of its symbol."""
    for _, kind, _, _, start, size, _, _, _, _ in table.sections:
        if kind == _RELOCATIONS:
            for _, info, _ in _RELOCATION.iter_unpack(memoryview(data)[start : start + size]):
                yield info & 0xFFFFFFFF, info >> 32


def _name(data: bytes, table: _Table, start: int) -> str:
    begin = table.sections[table.names][4] + start
    return data[begin : data.index(b"\0", begin)].decode(errors="surrogateescape")
