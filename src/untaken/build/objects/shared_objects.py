"""The shared objects that a program is linked with, as far as they may be ours: those that lie outside the system.

Only the search path that the program itself carries and LD_LIBRARY_PATH are followed: instrumented libraries are
built beside a program, not installed into the system.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from untaken.build.objects.elf import sections

_ENTRY = struct.Struct("<qQ")
_NEEDED, _RPATH, _RUNPATH = 1, 15, 29


def linked_objects(program: Path) -> list[Path]:
    """All that are found, each once, in the order of the loader's search."""
    found: dict[Path, None] = {}
    waiting = [program]
    while waiting:
        for library in _needed(waiting.pop(0)):
            if library not in found:
                found[library] = None
                waiting.append(library)
    return list(found)


def needed_names(program: Path) -> list[str]:
    """The names of those that the program itself is linked with, wherever they lie."""
    read = sections(program, (".dynamic", ".dynstr"))
    entries = _entries(read.get(".dynamic", b""))
    return [_text(read.get(".dynstr", b""), at) for tag, at in entries if tag == _NEEDED]


def _needed(file: Path) -> Iterator[Path]:
    read = sections(file, (".dynamic", ".dynstr"))
    if ".dynamic" not in read or ".dynstr" not in read:
        return
    entries = [(tag, _text(read[".dynstr"], at)) for tag, at in _entries(read[".dynamic"])]
    origin = str(file.resolve().parent)
    carried = [folder for tag, text in entries if tag in (_RPATH, _RUNPATH) for folder in text.split(":")]
    given = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    folders = [folder.replace("$ORIGIN", origin).replace("${ORIGIN}", origin) for folder in (*carried, *given)]
    for tag, name in entries:
        if tag == _NEEDED:
            candidates = [Path(name)] if "/" in name else [Path(folder, name) for folder in folders if folder]
            yield from [path.resolve() for path in candidates if _is_object(path)][:1]


def _is_object(path: Path) -> bool:
    """What a program names may be anything."""
    with suppress(OSError, ValueError):
        return path.is_file()
    return False


def _entries(table: bytes) -> Iterator[tuple[int, int]]:
    for tag, value in _ENTRY.iter_unpack(table[: len(table) // _ENTRY.size * _ENTRY.size]):
        if tag in (_NEEDED, _RPATH, _RUNPATH):
            yield tag, value


def _text(strings: bytes, start: int) -> str:
    """Nothing where a damaged file has none."""
    return strings[start:].partition(b"\0")[0].decode(errors="surrogateescape")
