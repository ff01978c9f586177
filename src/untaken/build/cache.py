"""Programs built on the fly, kept by content: the same sources, headers, flags and tools give the same program.

A record beside each program lists the files that went into it with their digests. It is found by what the caller
asks for; if every file still has its digest, the program is still right.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from untaken import __version__
from untaken.atomic_files import name_beside, replace_file
from untaken.build.driver import MATHEMATICS, compile_and_link
from untaken.build.objects.symbols import global_symbols
from untaken.build.storage import cache_root, digest, scratch_directory
from untaken.build.toolchain.command_line import Mode, parse
from untaken.build.toolchain.compilers import front_end
from untaken.errors import CompileError, UsageError
from untaken.json_records import decoded

_LINKED = re.compile(r"^-l|^-Wl,|^@|\.(o|a|so)$")  # what may have a main in it
_STARTS = {"main", "LLVMFuzzerTestOneInput"}
_NAMES = re.compile(r"(?:\\[ #]|\S)+")  # of a dependency rule, in which make wants these two escaped
_ESCAPED = re.compile(r"\\([ #])")
_ODD = re.compile(r"[^\w.+-]")  # in a source's name: not for the program's
_LONGEST_STEM = 50  # characters, of four bytes at most: the name must not be longer than file systems allow
_PACKAGE = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class CachedProgram:
    """The record beside a program: its name, its digest, and the digests of all files that went into it."""

    program: str
    digest: str
    files: dict[str, str]


def build_cached(sources: Sequence[Path], flags: Sequence[str] = ()) -> Path:
    """The instrumented program of these sources, built only if something that went into it has changed."""
    _check_flags(flags)
    folder = Path(cache_root()) / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / f"{_request(sources, flags)}.json"
    if (known := _still_right(record)) is not None:
        return known
    with scratch_directory() as scratch:
        objects, files = _compile(sources, flags, Path(scratch))
        digests = _digests(files)
        contents = [part for pair in digests.items() for part in pair] if digests else _contents(objects)
        name = digest(os.fsencode(part) for part in [record.stem, *contents])
        program = folder / f"{_ODD.sub('_', sources[0].stem)[:_LONGEST_STEM]}-{name}"
        aside = Path(name_beside(os.fspath(program)))
        _link(sources, objects, aside, flags)
        os.replace(aside, program)
    if digests:
        replace_file(os.fspath(record), _record(program, digests))
    return program


def _check_flags(flags: Sequence[str]) -> None:
    """A program is to be built, with a name of ours; `-c` or `-o` among the flags are left from another command."""
    asked = parse(flags)
    if asked.mode is not Mode.LINK or asked.output is not None or asked.has("-shared", "-r"):
        words = " ".join(flags)
        raise UsageError(
            f"the options `{words}` ask the compiler for something else than a program: leave out -c, -S, -E, -o, "
            "-shared and their like"
        )


def _record(program: Path, files: dict[str, str]) -> bytes:
    return json.dumps(asdict(CachedProgram(program.name, _contents([program])[0], files))).encode()


def _digests(files: Sequence[str]) -> dict[str, str] | None:
    """Of all files, or None if not all are known: dependency rules cannot spell every name."""
    if any(map(is_misspelt, files)):
        return None
    with suppress(OSError):
        return dict(zip(files, _contents(map(Path, files)), strict=True))
    return None


def _contents(files: Iterable[Path]) -> list[str]:
    return [digest([file.read_bytes()]) for file in files]


def _link(sources: Sequence[Path], objects: Sequence[Path], program: Path, flags: Sequence[str]) -> None:
    """Libraries come behind what needs them."""
    names = ", ".join(source.name for source in sources)
    started = any(_STARTS & set(global_symbols(file.read_bytes())) for file in objects)
    no_main = f"{names} has no main: name the file that has it, too, or explore one function with untaken unit"
    if not started and not any(_LINKED.search(flag) for flag in flags):
        raise CompileError(no_main)  # the linker would say it less plainly
    code = compile_and_link([*map(os.fspath, objects), *flags, *MATHEMATICS, "-o", os.fspath(program)])
    if code and not started:
        raise CompileError(no_main, code)
    if code:
        raise CompileError(
            f"{names} could not be linked, see the messages above; more files go beside it, libraries into "
            '--cflags, as in --cflags "-lz"',
            code,
        )


def _compile(sources: Sequence[Path], flags: Sequence[str], scratch: Path) -> tuple[list[Path], list[str]]:
    """Compiles each source; its object, and all files that were read."""
    objects: list[Path] = []
    files: dict[str, None] = {}
    for index, source in enumerate(sources):
        target, rules = scratch / f"{index}.o", scratch / f"{index}.d"
        words = [*flags, "-c", "-MD", "-MF", os.fspath(rules), "-o", os.fspath(target), _as_word(source)]
        if code := compile_and_link(words):
            raise CompileError(f"{source} could not be compiled, see the messages above", code)
        objects.append(target)
        files |= dict.fromkeys(map(os.path.abspath, [os.fspath(source), *prerequisites(rules)]))
    return objects, list(files)


def _as_word(source: Path) -> str:
    """Of a command line, where what begins with a dash is an option, and with an @ a file of words."""
    name = os.fspath(source)
    return os.path.join(os.curdir, name) if name.startswith(("-", "@")) else name


def prerequisites(rules: Path) -> list[str]:
    """What a dependency rule names, the source first; preprocessed sources include nothing and have no rule."""
    if not rules.exists():
        return []
    text = os.fsdecode(rules.read_bytes()).partition(": ")[2].replace("\\\n", " ").replace("$$", "$")
    return [_ESCAPED.sub(r"\1", name) for name in _NAMES.findall(text)]


def is_misspelt(name: str) -> bool:
    """Whether a dependency rule names this file otherwise: clang has slashes for backslashes, make has no newlines."""
    return "\\" in name or "\n" in name


def _still_right(record: Path) -> Path | None:
    """The program, if it is as it was written, and so are all files that went into it."""
    with suppress(OSError, ValueError):  # a name with a NUL is a ValueError
        known = decoded(record.read_bytes(), CachedProgram)
        program = record.parent / known.program
        files = {os.fspath(program): known.digest, **known.files}
        if _contents(map(Path, files)) == list(files.values()):
            return program
    return None


def _request(sources: Sequence[Path], flags: Sequence[str]) -> str:
    """What was asked for, and of whom: our own code and the front end change what comes out."""
    words = [os.path.abspath(source) for source in sources]
    parts = [__version__, os.getcwd(), front_end().identity, *_own_files()]
    return digest(part.encode(errors="surrogateescape") for part in [*words, "", *flags, "", *parts])


def _own_files() -> list[str]:
    files = sorted(path for stage in ("build", "runtime") for path in (_PACKAGE / stage).rglob("*"))
    statuses = [(path, path.stat()) for path in files if path.suffix in (".py", ".c", ".h")]
    return [f"{path} {status.st_mtime_ns} {status.st_size}" for path, status in statuses]
