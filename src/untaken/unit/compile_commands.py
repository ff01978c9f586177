"""The flags that a project compiles a file with, from its compile_commands.json.

The format is that of clang's "JSON compilation database": a list of entries with `directory`, `file`, and `command`
(a shell command) or `arguments` (its words). A file may have several entries; the first counts.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from untaken.build.toolchain.command_line import unfold
from untaken.build.toolchain.option_table import separate_value
from untaken.errors import UsageError
from untaken.json_records import DamagedRecord, parsed

NAME = "compile_commands.json"
# Options whose value is a file or folder, as a word of its own or joined.
PATHS = ("-I", "-L", "-B", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot")
DROPPED = ("-c", "-S", "-E", "-MD", "-MMD", "-M", "-MM", "-MP", "-MG", "-MV", "-Werror", "-pipe")
DROPPED_WITH_VALUE = ("-o", "-x", "-MF", "-MT", "-MQ", "-MJ")
SEARCHED = ("-include", "-imacros")  # not only in the directory, but along the include path


def find_commands(source: Path) -> Path | None:
    """The database of the project that a file belongs to: in its folder or above, there also below build/."""
    for folder in source.absolute().parents:
        for place in (folder / NAME, folder / "build" / NAME):
            if place.is_file():
                return place
    return None


def database_files(database: Path) -> list[Path]:
    """The C files that it names and that are there, each once."""
    found: dict[Path, None] = {}
    for entry in _entries(database):
        directory = os.path.join(database.absolute().parent, _text(entry, "directory", database))
        path = Path(os.path.realpath(os.path.join(directory, _text(entry, "file", database))))
        if path.suffix == ".c" and path.is_file():
            found[path] = None
    return list(found)


def project_flags(database: Path, source: Path) -> tuple[str, ...] | None:
    """Of the first entry for the file; None if there is none. Relative names become absolute."""
    wanted = os.path.realpath(source)
    for entry in _entries(database):
        directory = os.path.join(database.absolute().parent, _text(entry, "directory", database))
        if os.path.realpath(os.path.join(directory, _text(entry, "file", database))) == wanted:
            return tuple(_flags(_words(entry, database), directory, wanted))
    return None


def located(words: Sequence[str], directory: str) -> tuple[str, ...]:
    """Flags that mean the same in any folder: tests are compiled in another one than the files."""
    rest = iter(words)
    parts = (part for word in rest for part in _absolute(word, separate_value(word, rest), directory))
    return tuple(os.path.join(directory, part) if _is_file(part, directory) else part for part in parts)


def _is_file(word: str, directory: str) -> bool:
    return not word.startswith("-") and os.path.isfile(os.path.join(directory, word))


def _entries(database: Path) -> list[dict[str, Any]]:
    """Parsed once, but checked as they are used: in the database of a large project, one odd entry is no obstacle."""
    try:
        found = parsed(database.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {database}: {error.strerror}; name another --compile-commands") from None
    except DamagedRecord as error:
        raise UsageError(f"{database} is no JSON ({error}): make it again, or name another one") from None
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise UsageError(f"{database} is no compilation database: it should be a list of entries")
    return found


def _text(entry: dict[str, Any], key: str, database: Path) -> str:
    value = entry.get(key)
    if not isinstance(value, str):
        raise UsageError(f"{database}: an entry has no {key}; make the file again")
    return value


def _words(entry: dict[str, Any], database: Path) -> list[str]:
    arguments = entry.get("arguments")
    if isinstance(arguments, list) and all(isinstance(word, str) for word in arguments):
        return arguments
    try:
        return shlex.split(_text(entry, "command", database))
    except ValueError as error:
        raise UsageError(f"{database}: the command of {entry.get('file')} cannot be read: {error}") from None


def _flags(words: list[str], directory: str, source: str) -> Iterator[str]:
    """Without the compiler, its wrappers, the file itself, and what is written where."""
    located = [f"@{os.path.join(directory, word[1:])}" if word.startswith("@") else word for word in words]
    rest = iter(list(unfold(located)))
    for word in rest:
        if not word.startswith("-"):
            continue  # the compiler, ccache before it, or the file
        value = separate_value(word, rest)
        if word in DROPPED or word.startswith(("-Werror=", "-Wp,-M")):
            continue
        if word.startswith(DROPPED_WITH_VALUE) and not word.startswith("-object"):
            continue
        yield from _absolute(word, value, directory)


def _absolute(word: str, value: str | None, directory: str) -> Iterator[str]:
    if word in PATHS and value is not None:
        place = os.path.normpath(os.path.join(directory, value))
        yield from (word, value if word in SEARCHED and not os.path.exists(place) else place)
        return
    for option in PATHS:
        joined = word.removeprefix(option).removeprefix("=")
        if word.startswith(option) and joined and value is None:
            equals = "=" if word[len(option)] == "=" else ""
            yield f"{option}{equals}{os.path.normpath(os.path.join(directory, joined))}"
            return
    yield from (word,) if value is None else (word, value)
