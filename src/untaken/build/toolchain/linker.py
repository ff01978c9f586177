"""The command given to the linker: the user's objects in their order, then our runtime."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise

from untaken.build.library.runtime import RuntimeLibrary
from untaken.build.toolchain.command_line import Input, Invocation
from untaken.build.toolchain.compilers import FrontEnd, Kind, Linker, linker
from untaken.build.toolchain.option_table import Role
from untaken.errors import UsageError


def link_command(
    compiler: FrontEnd,
    invocation: Invocation,
    objects: Mapping[int, str],
    library: RuntimeLibrary | None,
    first: Sequence[str] = (),
) -> tuple[str, ...]:
    """Links; `objects` gives the object file of each input, by position, that was compiled just now; `first` are files
    of ours that need something of the user's libraries. Without a library, nothing else of ours is linked in."""
    tool = _tool(compiler, invocation)
    return (
        *tool.command,
        *(invocation.sanitizers.options if tool.kind is Kind.CLANG else invocation.sanitizers.libraries),
        *first,
        *_users_words(invocation, objects),
        *_standard_library(tool, invocation),
        *([] if library is None else _runtime(tool, invocation, library)),
        *("-o", invocation.output or "a.out"),
    )


def _tool(compiler: FrontEnd, invocation: Invocation) -> Linker:
    """clang's sanitizer libraries are found by clang alone. zig has none; gcc's have the same functions."""
    if not invocation.sanitizers:
        return linker()
    if compiler.kind is Kind.CLANG:
        return Linker(Kind.CLANG, compiler.command)
    tool = linker()
    if tool.kind is Kind.ZIG:
        raise UsageError("-fsanitize needs libraries that come with gcc and clang: install one of them, or drop it")
    return tool


def _users_words(invocation: Invocation, objects: Mapping[int, str]) -> list[str]:
    words: list[str] = []
    position = 0
    for item in invocation.items:
        if isinstance(item, Input):
            words.append(objects.get(position, item.path))
            position += 1
        elif item.role in (Role.LINKER, Role.BOTH):
            words += item.words
    return words


def _standard_library(tool: Linker, invocation: Invocation) -> list[str]:
    """Of C++: a C compiler links what is left."""
    if not invocation.cplusplus or invocation.has("-r", "-nostdlib", "-nodefaultlibs", "-nostdlib++"):
        return []
    return ["-lc++" if tool.kind is Kind.ZIG else "-lstdc++", "-lm"]


def carries_runtime(invocation: Invocation) -> bool:
    """Whether what is linked can be run as it is, or loaded."""
    return not invocation.has("-r", "-nostdlib", "-nodefaultlibs")


def may_note_calls(invocation: Invocation) -> bool:
    """Whether it is a program that names libraries, and whose functions nobody else puts others in front of."""
    others = ("-shared", "-static", "-static-pie", "-r", "-nostdlib", "-nodefaultlibs")
    return not invocation.has(*others) and "--wrap" not in " ".join(invocation.options(Role.LINKER))


def library_folders(invocation: Invocation) -> list[str]:
    """Where the libraries may lie that a program is linked with, or will be run with."""
    words = invocation.options(Role.LINKER, Role.BOTH)
    named = [word[2:] or value for word, value in pairwise([*words, ""]) if word.startswith("-L")]
    files = [invocation.output or "a.out", *(each.path for each in invocation.inputs)]
    return [*named, *(os.path.dirname(file) or "." for file in files)]


def _runtime(tool: Linker, invocation: Invocation, library: RuntimeLibrary) -> list[str]:
    """Executables carry the runtime; shared objects only announce themselves and find it there."""
    if not carries_runtime(invocation):
        return []
    if invocation.has("-shared"):
        return [library.image, *(["-Wl,-z,undefs"] if forbids_undefined(invocation.options(Role.LINKER)) else [])]
    if invocation.has("-static", "-static-pie"):
        return [library.image, library.startup, library.archive, "-lpthread"]
    words = [library.image, library.startup, library.binding, library.archive, "-lpthread", "-ldl"]
    words.append("-Wl,-z,now")  # else each forked run would look up each library function again
    if tool.kind is Kind.ZIG:  # which knows no lists of exported names
        return [*words, "-rdynamic"]
    return [*words, f"@{library.exports}"]


def forbids_undefined(options: Sequence[str]) -> bool:
    """Whether a shared object that is linked with these options must find all that it names."""
    words = [part for word in options for part in word.split(",")]
    return any(word in ("defs", "-zdefs", "--no-undefined") for word in words)


def explain_failed_link(compiler: FrontEnd, invocation: Invocation) -> None:
    """Says what is missing when it is not the user's program that is at fault."""
    if invocation.sanitizers and not _has_sanitizer_libraries(compiler):
        missing = f"libclang-rt-{compiler.version}-dev" if compiler.kind is Kind.CLANG else "libgcc-dev or clang"
        print(
            f"untaken: the compiler's sanitizer libraries are missing (Debian: apt-get install {missing}); "
            "install them or drop -fsanitize",
            file=sys.stderr,
        )


def _has_sanitizer_libraries(compiler: FrontEnd) -> bool:
    if compiler.kind is not Kind.CLANG:  # a compiler answers with the bare name if it has no such file
        return os.path.isabs(_answer(*linker().command, "-print-file-name=libasan.so"))
    library = os.path.join(_answer(*compiler.command, "-print-resource-dir"), "lib")
    return any("libclang_rt.asan" in name for _, _, names in os.walk(library) for name in names)


def _answer(*command: str) -> str:
    import subprocess

    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
