"""The C files of a project and the flags that each is compiled with."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from untaken.errors import UsageError
from untaken.execute.target import SOURCE_SUFFIXES, check_files
from untaken.unit.compile_commands import NAME, database_files, find_commands, project_flags


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file and its flags; `name` is what it is called within the project, without a suffix."""

    path: Path
    flags: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Project:
    """`tested` are the files whose functions are explored; `all` also those that they may need."""

    tested: tuple[SourceFile, ...]
    all: tuple[SourceFile, ...]


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """What the user says of a project; without `files`, all that the database names."""

    files: tuple[Path, ...]
    commands: Path | None
    flags: tuple[str, ...]
    others: tuple[Path, ...] = ()


def find_project(options: ProjectOptions, note: Callable[[str], None]) -> Project:
    """The files, with the flags that compile_commands.json has for them."""
    check_files([*options.files, *options.others])
    database = _database(options)
    known = database_files(database) if database is not None else []
    files = [file.absolute() for file in options.files] or known
    if not files:
        raise UsageError(f"there is nothing to explore: name C files, or a {NAME} with --compile-commands")
    if foreign := next((file for file in files if file.suffix not in SOURCE_SUFFIXES), None):
        raise UsageError(f"{foreign} is no C file: --all explores the functions of C files")
    if database is not None:
        note(f"compiled with the flags of {database}")
    every = list(dict.fromkeys(map(_real, [*files, *(file.absolute() for file in options.others), *known])))
    named = dict(zip(every, _names(every), strict=True))
    made = {path: SourceFile(path, _flags(path, database, options.flags), name) for path, name in named.items()}
    return Project(tuple(made[path] for path in dict.fromkeys(map(_real, files))), tuple(made.values()))


def _database(options: ProjectOptions) -> Path | None:
    if options.commands is not None:
        return options.commands
    return find_commands(options.files[0] if options.files else Path.cwd() / "any")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _flags(path: Path, database: Path | None, more: Sequence[str]) -> tuple[str, ...]:
    found = project_flags(database, path) if database is not None else None
    return ("-w", *(found or ()), *more)


def _names(paths: Sequence[Path]) -> list[str]:
    """The file's own name; with the folders that it takes to tell it from others of that name."""
    names = []
    for path in paths:
        parts, taken = path.with_suffix("").parts, 1
        same = [other.with_suffix("").parts for other in paths if other != path]
        while taken < len(parts) and any(other[-taken:] == parts[-taken:] for other in same):
            taken += 1
        names.append("_".join(parts[-taken:]).replace(".", "_"))
    return names
