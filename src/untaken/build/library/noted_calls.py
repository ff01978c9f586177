"""Calls of shared libraries that are not instrumented: the program notes them, as it notes calls of `system`.

Nobody knows what such a function leaves behind, so a process in which one was called has no further run; but many
programs call their libraries in few runs: a line editor if somebody types, a decoder if a header is right. Which
functions are a library's is known when the program is linked. Then each of them gets a stub that notes the call and
jumps on, by the linker's --wrap, and a section of the program names them.

A library may also be called by others than the program: where it defines functions of the C library, all of which the
program's other calls may end up in it. Such a library keeps a process for each run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from untaken.build.library.contained_functions import CHANGES_PROCESS, HANDLES_FILES, LEAVES_TRACES, PURE
from untaken.build.objects.elf import sections
from untaken.build.objects.shared_objects import (
    exported_names,
    imported_names,
    is_instrumented,
    library_files,
    needed_names,
)

SECTION = "untaken_noted"
OWN_LIBRARIES = frozenset({"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"})
_OF_C_LIBRARY = PURE | HANDLES_FILES | CHANGES_PROCESS | LEAVES_TRACES
_STUB = """
    .text
    .globl __wrap_{name}
    .type __wrap_{name}, @function
__wrap_{name}:
    movb $1, __untaken_left_traces(%rip)
    jmp *__real_{name}@GOTPCREL(%rip)
    .size __wrap_{name}, . - __wrap_{name}
    .section {section}, "", @progbits
    .asciz "{name}"
"""
_NO_EXECUTABLE_STACK = '\n    .section .note.GNU-stack, "", @progbits\n'


def stubs(names: Iterable[str]) -> str:
    """Assembly that notes calls of these functions, to be linked with `wrapping(names)`."""
    return "".join(_STUB.format(name=name, section=SECTION) for name in names) + _NO_EXECUTABLE_STACK


def wrapping(names: Iterable[str]) -> list[str]:
    return [f"-Wl,--wrap={name}" for name in names]


def noted_functions(program: Path) -> frozenset[str]:
    """Those whose stubs a program has."""
    names = sections(program, (SECTION,)).get(SECTION, b"").split(b"\0")
    return frozenset(name.decode(errors="surrogateescape") for name in names if name)


def foreign_libraries(program: Path) -> list[str]:
    """Of the libraries that a program is linked with: those that are not of the C library."""
    return sorted(set(needed_names(program)) - OWN_LIBRARIES)


def functions_to_note(program: Path, called: Iterable[str], folders: Collection[str]) -> list[str]:
    """Of the functions that a program calls: those of libraries that are not instrumented, not in these folders either.

    To one that is, a stub would be in the way: labels are left for the function that the caller names. So it would to a
    function of the program's own that has the name of one of a library's.
    """
    plain = [
        name
        for name in foreign_libraries(program)
        if not any(is_instrumented(Path(folder, name)) for folder in folders)
    ]
    found = [files[0] for name in plain if (files := library_files(program, name, OWN_LIBRARIES))]
    exported = [exported_names(file) for file in found if not is_instrumented(file)]
    return sorted(set(called) & imported_names(program) & set().union(*exported))


def libraries_in_the_way(program: Path) -> list[str]:
    """Of the libraries that a program names: those that may be called where the program calls the C library.

    What a library needs itself may be called so, too; where one of them is not found, nobody knows.
    """
    return [name for name in foreign_libraries(program) if not _only_called_by_name(program, name)]


def _only_called_by_name(program: Path, library: str) -> bool:
    files = library_files(program, library, OWN_LIBRARIES)
    return files is not None and all(_OF_C_LIBRARY.isdisjoint(exported_names(file)) for file in files)
