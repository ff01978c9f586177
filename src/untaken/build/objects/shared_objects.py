"""The shared objects that a program is linked with, and what they have for each other.

For those that may be ours only the search path that the program itself carries and LD_LIBRARY_PATH are followed:
instrumented libraries are built beside a program, not installed into the system.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from untaken.build.objects.elf import sections
from untaken.errors import ProgramMapError

_ENTRY = struct.Struct("<qQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_UNDEFINED = 0
_IDS = "untaken_ids"
_SYSTEM_FOLDERS = ("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu", "lib64", "usr/lib64", "lib", "usr/lib")
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


def is_instrumented(library: Path) -> bool:
    """Whether any of it is our work; not, if it is no library at all."""
    with suppress(ProgramMapError):
        return _IDS in sections(library, (_IDS,))
    return False


def library_files(program: Path, name: str, known: Collection[str]) -> list[Path] | None:
    """The library of this name, as the program finds it, and all that it needs, but for known ones; none: one of them
    is not where libraries usually are."""
    found: dict[str, Path] = {}
    waiting = [(program, name)]
    while waiting:
        user, name = waiting.pop()
        if name in found or name in known:
            continue
        folders = [*_search_path(user), *_search_path(program), *(f"/{folder}" for folder in _SYSTEM_FOLDERS)]
        file = _found(name, folders)
        if file is None:
            return None
        found[name] = file
        waiting += [(file, each) for each in needed_names(file)]
    return list(found.values())


def exported_names(library: Path) -> set[str]:
    """Functions and variables that others can use."""
    return {name for name, is_defined in _symbols(library, ".dynsym", ".dynstr") if is_defined}


def imported_names(program: Path) -> set[str]:
    """Functions and variables that others have for it."""
    return {name for name, is_defined in _symbols(program, ".dynsym", ".dynstr") if not is_defined}


def names_in(program: Path) -> set[str]:
    """All functions and variables that it defines or uses; none if it was stripped of their names."""
    return {name for name, _ in _symbols(program, ".symtab", ".strtab")}


def _symbols(file: Path, table_name: str, strings_name: str) -> Iterator[tuple[str, bool]]:
    """Names, and whether they are defined there."""
    read = sections(file, (table_name, strings_name))
    table, strings = read.get(table_name, b""), read.get(strings_name, b"")
    for name, _, _, section, _, _ in _SYMBOL.iter_unpack(table[: len(table) // _SYMBOL.size * _SYMBOL.size]):
        yield _text(strings, name).partition("@")[0], section != _UNDEFINED  # behind it is a version


def _search_path(file: Path) -> list[str]:
    """Folders that the file itself, or the environment, says that libraries are in."""
    read = sections(file, (".dynamic", ".dynstr"))
    origin = str(file.resolve().parent)
    entries = _entries(read.get(".dynamic", b""))
    carried = [_text(read.get(".dynstr", b""), at) for tag, at in entries if tag in (_RPATH, _RUNPATH)]
    given = os.environ.get("LD_LIBRARY_PATH", "")
    folders = [folder for text in (*carried, given) for folder in text.split(":") if folder]
    return [folder.replace("$ORIGIN", origin).replace("${ORIGIN}", origin) for folder in folders]


def _found(name: str, folders: Iterable[str]) -> Path | None:
    candidates = [Path(name)] if "/" in name else [Path(folder, name) for folder in folders]
    return next((path.resolve() for path in candidates if _is_object(path)), None)


def _needed(file: Path) -> Iterator[Path]:
    folders = _search_path(file)
    for name in needed_names(file):
        library = _found(name, folders)
        if library is not None:
            yield library


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
    end = strings.find(b"\0", start)
    return strings[start : len(strings) if end < 0 else end].decode(errors="surrogateescape")
