"""What an object file and a linked program were made from: kept in them, so that a plain program can be made too.

Each unit's record in the program map has its `Origin`. Each linked executable or shared object has a section
".untaken.link" with its `Linkage`. `build/plain.py` reads both. Names that say where outputs went are left out: the
same sources and options give the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from untaken.atomic_files import replace_file
from untaken.build.objects.archive import is_archive, members
from untaken.build.objects.elf import object_with
from untaken.build.storage import digest
from untaken.build.toolchain.command_line import Input, Invocation, Language
from untaken.build.toolchain.option_table import Role

LINK_SECTION = ".untaken.link"
MARK = b"untaken_map"  # the name of a section that each instrumented object has
SHARED_OBJECT = b"\3\0"  # the type in an ELF header
WRITING = ("-Wl,-Map", "-Wl,--Map", "-Wl,--dependency-file")  # linker options that name an output
COMPILING = (Role.FRONT_END, Role.BOTH, Role.TUNING, Role.ASSEMBLER)
SEARCH_PATHS = ("CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH")  # variables that compilers and linkers look at


@dataclass(frozen=True, slots=True)
class Origin:
    """How one source was compiled, in the user's own words."""

    directory: str
    source: str
    language: str
    words: tuple[str, ...]
    variables: Mapping[str, str]

    @property
    def command(self) -> dict[str, Any]:
        """What was asked for, whatever the files held."""
        return {
            "directory": self.directory,
            "source": self.source,
            "language": self.language,
            "words": list(self.words),
            "variables": dict(self.variables),
        }

    def as_json(self, files: Sequence[str]) -> dict[str, Any]:
        """`files` is what the source includes, as far as it may change."""
        read = sorted({absolute(self.directory, name) for name in (self.source, *files)})
        known = [name for name in read if os.path.isfile(name)]
        return {**self.command, "files": known, "digest": digest_of(known)}


def origin_of(invocation: Invocation, source: Input) -> Origin:
    """Of one source on a command line."""
    words = (*invocation.options(*COMPILING), *invocation.sanitizers.options)
    variables = {name: os.environ[name] for name in SEARCH_PATHS if name in os.environ}
    return Origin(os.getcwd(), source.path, language_of(source), words, variables)


def absolute(directory: str, name: str) -> str:
    """What a name means in a folder."""
    return os.path.normpath(os.path.join(directory, name))


def language_of(source: Input) -> str:
    """The language of a source, as the compiler's option -x names it."""
    return source.explicit or (source.language.value if source.language is not Language.OTHER else "none")


def digest_of(files: Iterable[str]) -> str:
    """Of what they hold; one that cannot be read counts as empty."""
    return digest(map(_content, files))


def _content(name: str) -> bytes:
    with suppress(OSError), open(name, "rb") as file:
        return file.read()
    return b""


# ---- linking


def linkage(invocation: Invocation) -> dict[str, Any]:
    """What was linked, in order. An item is one of: words, a file or a source that is not instrumented, or units."""
    items: list[dict[str, Any]] = []
    for item in invocation.items:
        if isinstance(item, Input):
            items += _input(invocation, item)
        elif item.role in (Role.LINKER, Role.BOTH) and not item.words[0].startswith(WRITING):
            items.append({"words": list(item.words)})
    return {
        "directory": os.getcwd(),
        "items": items,
        "sanitizers": invocation.sanitizers.options,
        "shared": invocation.has("-shared"),
        "cplusplus": invocation.cplusplus,
    }


def _input(invocation: Invocation, item: Input) -> list[dict[str, Any]]:
    if item.language.instrumented or (item.language is Language.LINKED and is_instrumented(item.path)):
        return [{"units": True}]
    if item.language is Language.LINKED:
        return [{"file": item.path}]
    return [{"source": origin_of(invocation, item).as_json(())}]


def is_instrumented(path: str) -> bool:
    """Whether all of an object file or archive is our work. Shared objects are linked as they are."""
    content = _content(path)
    if MARK not in content or content[16:18] == SHARED_OBJECT:
        return False
    return not is_archive(content) or all(MARK in each for each in members(content))


def write_linkage(path: str, record: Mapping[str, Any]) -> None:
    """An object file that carries the record into what is linked."""
    import json  # here, since most calls of a compiler do not link

    replace_file(path, object_with(LINK_SECTION, json.dumps(record).encode()))
