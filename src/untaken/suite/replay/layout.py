"""The inputs of a test laid out for the plain program: files where it looks for them, its argv, its environment.

A program that reads declared files runs in a folder of its own, where those files are and everything else of the
campaign's directory is linked. Without such files it runs in the campaign's directory itself.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from untaken.execute.arguments import merged_arguments
from untaken.model.input import SourceKind
from untaken.suite.delivery import asked_for, delivered
from untaken.suite.tests import SavedTest, Suite

STDIN = "stdin"
INPUT = "input"
DIRECTORY = "directory"
VARIABLE = "UNTAKEN_INPUT"
ENDS_VARIABLE = "UNTAKEN_INPUT_ENDS"  # set: the program ends where its input does, as it did in the campaign
NO_INPUT = Path("/dev/null")


@dataclass(frozen=True, slots=True)
class ReplayLayout:
    """What a run is given. The words of argv may hold any bytes, as os.fsdecode gives them."""

    argv: tuple[str, ...]
    directory: Path
    stdin: Path
    input: Path | None  # for the input functions
    files: bool  # there are declared ones, in a directory of the run's own


def lay_out(suite: Suite, test: SavedTest, folder: Path) -> ReplayLayout:
    """Writes what the program is to find into an empty folder."""
    given = delivered(test.input, suite.declared, test.fields)
    folder.mkdir(parents=True, exist_ok=True)
    stdin, input = NO_INPUT, None
    if given.stdin is not None:
        stdin = folder / STDIN
        stdin.write_bytes(given.stdin)
    if asked_for(test.fields, suite.declared):
        input = folder / INPUT
        input.write_bytes(given.rest)
    directory = suite.directory
    if given.files:
        directory = folder / DIRECTORY
        fill_directory(directory, suite.directory, list(given.files))
        for name, content in given.files.items():
            (directory / name).write_bytes(content)
    words = merged_arguments(suite.recipe.arguments, suite.declared)
    for place, argument in given.arguments.items():
        words[place - 1] = os.fsdecode(argument)
    return ReplayLayout((suite.program.name, *words), directory, stdin, input, bool(given.files))


def outside(suite: Suite) -> list[str]:
    """Declared files that do not lie below the campaign's directory: no folder of ours can stand in for theirs."""
    names = [source.name for source in suite.declared if source.kind is SourceKind.FILE]
    return [name for name in names if name.startswith("/") or ".." in PurePosixPath(name).parts]


def fill_directory(directory: Path, original: Path, names: Sequence[str]) -> None:
    """Makes the folders that the named files lie in; what lies beside them is linked to the original."""
    wanted = {PurePosixPath(name) for name in names}
    for folder in sorted({parent for name in wanted for parent in name.parents}, key=lambda path: len(path.parts)):
        (directory / folder).mkdir()
        covered = {path.name for path in (*wanted, *_folders(wanted)) if path.parent == folder}
        for entry in (original / folder).iterdir() if (original / folder).is_dir() else ():
            if entry.name not in covered:
                (directory / folder / entry.name).symlink_to(entry.resolve())


def _folders(names: set[PurePosixPath]) -> set[PurePosixPath]:
    return {parent for name in names for parent in name.parents if parent.parts}


def debug_command(layout: ReplayLayout, program: Path) -> str:
    """What to type in a shell to see a run in the debugger."""
    variable = f"{VARIABLE}={shlex.quote(str(layout.input))} " if layout.input is not None else ""
    start = " ".join(["run", *map(_shell_word, layout.argv[1:]), "<", shlex.quote(str(layout.stdin))])
    directory, program_word = shlex.quote(str(layout.directory)), shlex.quote(str(program))
    return f"cd {directory} && {variable}gdb -ex {shlex.quote(start)} {program_word}"


def _shell_word(word: str) -> str:
    """Quoted so that any byte survives: what a terminal would not show is written as an escape."""
    data = os.fsencode(word)
    if all(32 <= byte < 127 for byte in data):
        return shlex.quote(word)
    escaped = "".join(chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in data)
    return f"$'{escaped}'"
