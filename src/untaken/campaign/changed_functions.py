"""Which functions of a program have changed since a revision, as `git diff` says: the goals of --changed-since."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from untaken.campaign.source_text import function_spans
from untaken.errors import UsageError
from untaken.model.program import Function, ProgramMap

_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ChangedCode:
    """What a diff has touched of a program."""

    functions: tuple[str, ...]  # in order of the program map
    elsewhere: int  # changed lines of its files that lie in no function: declarations, macros, comments


def changed_functions(program: ProgramMap, revision: str) -> ChangedCode:
    """Compares the files on disk with a revision of the repository that they lie in."""
    by_file: dict[Path, list[Function]] = {}
    for function in program.functions:
        if function.location.line and (path := Path(function.location.file)).is_file():
            by_file.setdefault(path.resolve(), []).append(function)
    if not by_file:
        raise UsageError("--changed-since needs the program's sources, and none of them is here")
    found: set[str] = set()
    elsewhere = 0
    for path, lines in _changed_lines(list(by_file), revision):
        touched, outside = _touched(path, by_file[path], lines)
        found |= touched
        elsewhere += outside
    names = dict.fromkeys(function.name for function in program.functions if function.name in found)
    return ChangedCode(tuple(names), elsewhere)


def _changed_lines(paths: Sequence[Path], revision: str) -> Iterator[tuple[Path, list[int]]]:
    """Numbers of the lines of each file that are new or stand where something was."""
    for root in sorted({_repository(path.parent) for path in paths}):
        _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", revision=revision)
        changed = _names(root, _git(root, "diff", "--name-only", "-z", revision, "--"))
        fresh = _names(root, _git(root, "ls-files", "--others", "-z"))
        for path in paths:
            if path in fresh:
                yield path, list(range(1, len(path.read_bytes().split(b"\n")) + 1))
            elif path in changed:
                diff = _git(root, "diff", "--unified=0", "--no-ext-diff", "--no-color", revision, "--", str(path))
                yield path, list(_new_lines(diff))


def _repository(folder: Path) -> Path:
    try:
        return Path(_git(folder, "rev-parse", "--show-toplevel").rstrip("\n")).resolve()
    except UsageError:
        raise UsageError(f"--changed-since asks git, and {folder} is in no git repository") from None


def _names(root: Path, listed: str) -> set[Path]:
    return {(root / name).resolve() for name in listed.split("\0") if name}


def _new_lines(diff: str) -> Iterator[int]:
    """Where lines were only taken away, the one before them stands for these."""
    for match in _HUNK.finditer(diff):
        first, count = int(match[1]), int(match[2] or 1)
        yield from range(first, first + max(1, count))


def _git(folder: Path, *words: str, revision: str = "") -> str:
    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, env=environment, check=False)
    except FileNotFoundError:
        raise UsageError("--changed-since asks git, and there is no git here: install it") from None
    if done.returncode != 0 and revision:
        raise UsageError(
            f"--changed-since {revision}: git knows no such revision here; a shallow clone has few of them, "
            "`git fetch` brings more"
        )
    if done.returncode != 0:
        raise UsageError(f"--changed-since: git says: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode(errors="surrogateescape")


def _touched(path: Path, functions: Sequence[Function], lines: Iterable[int]) -> tuple[set[str], int]:
    """The functions that have one of the lines, and how many lines lie in none."""
    text = path.read_text(errors="replace")
    spans = function_spans(text, sorted({function.location.line for function in functions}))
    names: dict[int, set[str]] = {}
    for function in functions:
        names.setdefault(function.location.line, set()).add(function.name)
    found: set[str] = set()
    outside = 0
    for line in lines:
        start = next((start for start, (first, last) in spans.items() if first <= line <= last), None)
        outside += start is None
        found |= names[start] if start is not None else set()
    return found, outside
