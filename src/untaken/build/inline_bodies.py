"""Functions that are defined nowhere but inline: C99 leaves them without a definition for the linker.

Optimising compilers mostly do not miss it, for they have put the body where the call was. Our front end does not
optimise, and clang then writes no body at all. Which functions are missing is known when the link fails: the units that
call them are compiled once more, with a declaration at their end that makes the inline definition one for all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from untaken.build.objects.archive import archive, is_archive, members
from untaken.build.objects.origin import MARK
from untaken.build.objects.program_map import origins
from untaken.build.objects.symbols import global_symbols, is_object, needed_symbols
from untaken.build.toolchain import process
from untaken.build.toolchain.command_line import Input, Language, parse
from untaken.build.toolchain.compilers import FrontEnd, environment
from untaken.build.toolchain.front_end import bitcode_command, preprocessing_command
from untaken.build.unit_options import codegen_options
from untaken.errors import CompileError, UntakenError

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_OURS = ("__untaken_", "untaken_")
# What makes an inline definition one for the linker: by the rules of C99, and by GNU's older ones.
_BY_C99 = "extern __typeof__({0}) {0};\n"
_BY_GNU = "__inline__ __attribute__((__gnu_inline__)) __typeof__({0}) {0};\n"


@dataclass(slots=True)
class InlineBodies:
    """Compiles what is linked once more, as far as that brings definitions that are missing."""

    compiler: FrontEnd
    scratch: str
    _given: dict[bytes, frozenset[str]] = field(default_factory=dict)  # what objects of ours define beside their own
    _files: int = 0

    def added(self, inputs: Mapping[int, str], messages: str) -> dict[int, str] | None:
        """The files to be linked, by position, with bodies of what the linker misses; None if there are none."""
        contents = {position: data for position, path in inputs.items() if (data := _content(path)) is not None}
        defined = {name for data in contents.values() for each in _objects(data) for name in global_symbols(each)}
        missing = {name for name in _NAME.findall(messages) if not name.startswith(_OURS)}.difference(defined)
        changed = {position: other for position, data in contents.items() if (other := self._mended(data, missing))}
        if not changed:
            return None
        return {at: self._written(changed[at], path) if at in changed else path for at, path in inputs.items()}

    def _mended(self, data: bytes, missing: set[str]) -> bytes | None:
        """An object or an archive, if it has more definitions now; these are not missing any more."""
        before = list(_objects(data))
        after = [self._mended_object(each, missing) for each in before]
        if after == before:
            return None
        return archive({f"{number}.o": each for number, each in enumerate(after)}) if is_archive(data) else after[0]

    def _mended_object(self, data: bytes, missing: set[str]) -> bytes:
        names = frozenset(missing & needed_symbols(data))
        origin = _origin(self._written(data, ".o")) if names and MARK in data else None
        if origin is None:
            return data
        found = _UnitAgain(origin, self.compiler, self.scratch).compiled(names, self._given.get(data, frozenset()))
        if found is None or names <= needed_symbols(found[0]):
            return data
        self._given[found[0]] = found[1]
        missing.difference_update(global_symbols(found[0]))
        return found[0]

    def _written(self, data: bytes, like: str) -> str:
        """A file of our own with this content, and a name that ends as the other does."""
        self._files += 1
        path = os.path.join(self.scratch, f"inline-{self._files}{os.path.splitext(like)[1] or '.o'}")
        with open(path, "wb") as file:
            file.write(data)
        return path


class _UnitAgain:
    """A source that is compiled once more."""

    def __init__(self, origin: Mapping[str, Any], compiler: FrontEnd, scratch: str) -> None:
        self._directory: str = origin["directory"]
        self._environment = {**environment(), **origin["variables"]}
        self._invocation = parse((*origin["words"], "-c", "-x", origin["language"], origin["source"]))
        self._compiler = compiler
        self._text = os.path.join(scratch, "inline.i")
        self._bitcode = os.path.join(scratch, "inline.bc")
        self._log = os.path.join(scratch, "inline.log")

    def compiled(self, names: frozenset[str], given: frozenset[str]) -> tuple[bytes, frozenset[str]] | None:
        """The object with bodies of these functions and of those given before; and which these are. None if the
        source has no inline definition of any of them."""
        try:
            with _in_folder(self._directory):
                text = self._preprocessed()
                wanted = given.union(name for name in names if _is_inline(name, text))
                return None if wanted == given else (self._with_bodies(text, wanted), wanted)
        except (OSError, UntakenError):
            return None  # the linker's own words are said instead

    @property
    def _source(self) -> Input:
        return self._invocation.inputs[0]

    def _preprocessed(self) -> str:
        if self._source.language is Language.PREPROCESSED:
            text = _read(self._source.path)
        else:
            self._call(preprocessing_command(self._compiler, self._invocation, self._source, self._text))
            text = _read(self._text)
        return text if text.endswith("\n") else text + "\n"

    def _with_bodies(self, text: str, wanted: frozenset[str]) -> bytes:
        found = self._object(text + "".join(map(_BY_C99.format, sorted(wanted))), wanted)
        older = wanted & needed_symbols(found)
        if not older:
            return found
        rules = [(_BY_GNU if name in older else _BY_C99).format(name) for name in sorted(wanted)]
        return self._object(text + "".join(rules), wanted)

    def _object(self, text: str, wanted: frozenset[str]) -> bytes:
        with open(self._text, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        unit = Input(self._text, Language.PREPROCESSED)
        self._call(bitcode_command(self._compiler, self._invocation, unit, self._text, self._bitcode))
        from untaken.build import llvm  # here, since most links miss nothing

        options = codegen_options(self._invocation, self._source, only_inline=wanted)
        return llvm.compile_bitcode(Path(self._bitcode).read_bytes(), options)

    def _call(self, command: tuple[str, ...]) -> None:
        if process.run(command, self._environment, self._log):
            raise CompileError(f"{self._source.path} cannot be compiled once more", 1)


def _is_inline(name: str, text: str) -> bool:
    """Whether a preprocessed source declares a function inline."""
    return re.search(rf"\b(?:__)?inline(?:__)?\b[^;{{}}]*\b{re.escape(name)}\s*\(", text) is not None


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8", errors="surrogateescape")


def _content(path: str) -> bytes | None:
    """An object file or an archive; others are not ours to look into."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None  # the linker says so
    return data if is_object(data) or is_archive(data) else None


def _objects(data: bytes) -> Iterator[bytes]:
    yield from members(data) if is_archive(data) else (data,)


def _origin(path: str) -> Mapping[str, Any] | None:
    """How an object file was made, if it says so."""
    try:
        found = origins(Path(path))
    except UntakenError:
        return None
    return found[0][1] if len(found) == 1 else None


@contextmanager
def _in_folder(path: str) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)
