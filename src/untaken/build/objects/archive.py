"""Archives of object files, written by ourselves: `ar` is not there on every machine that has a linker.

The format is the one of System V and GNU: a symbol index named `/`, a table of long names named `//`, and the
members, each with a header of 60 characters. Symbols are read from the members, which are 64-bit ELF.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from untaken.build.objects.symbols import global_symbols

_HEAD = b"!<arch>\n"


def is_archive(data: bytes) -> bool:
    """Whether a file is one. Thin ones are not: their members lie elsewhere."""
    return data.startswith(_HEAD)


def members(data: bytes) -> Iterator[bytes]:
    """The files in an archive, without its index and its table of names."""
    yield from (data[start:end] for start, end in member_places(data))


def member_places(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each of these files begins and ends, as far as the archive is whole."""
    position = len(_HEAD)
    while position + 60 <= len(data) and (told := data[position + 48 : position + 58].rstrip()).isdigit():
        name, size = data[position : position + 16].rstrip(), int(told)
        if name not in (b"/", b"//", b"/SYM64/"):
            yield position + 60, position + 60 + size
        position += 60 + _padded(size)


def archive(files: Mapping[str, bytes]) -> bytes:
    """An archive with an index; the same members give the same bytes."""
    long_names = "".join(f"{name}/\n" for name in files).encode()
    symbols = [(symbol, name) for name, data in files.items() for symbol in global_symbols(data)]
    strings = b"".join(symbol.encode() + b"\0" for symbol, _ in symbols)
    position = len(_HEAD) + _padded(60 + 4 + 4 * len(symbols) + len(strings)) + _padded(60 + len(long_names))
    offsets: dict[str, int] = {}
    for name, data in files.items():
        offsets[name] = position
        position += _padded(60 + len(data))
    index = struct.pack(f">{len(symbols) + 1}I", len(symbols), *(offsets[name] for _, name in symbols)) + strings
    parts = [_HEAD, _member("/", index), _member("//", long_names)]
    start = 0
    for name, data in files.items():
        parts.append(_member(f"/{start}", data))
        start += len(name) + 2
    return b"".join(parts)


def _member(name: str, data: bytes) -> bytes:
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(data):<10}`\n".encode()
    return header + data + b"\n" * (len(data) % 2)


def _padded(size: int) -> int:
    return size + size % 2
