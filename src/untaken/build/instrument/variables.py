"""The global variables of a module: how large they are, and whether an object file has room for them."""

from __future__ import annotations

import re

from untaken.build.ir.strings import plain_name
from untaken.build.ir.syntax import Cursor
from untaken.build.ir.types import Type
from untaken.errors import InstrumentationError

_LARGEST_OBJECT = 1 << 20
# Of values that an object file holds: usual code reaches no further. LLVM would take all the machine's memory first.
_MOST_BYTES = 1 << 31
_GLOBAL = re.compile(r'^(@(?:"[^"]*"|[-\w$.]+)) = (?!.*\b(?:alias|ifunc)\b)(.*?)\b(global|constant) ')
_ELSEWHERE = re.compile(r"\b(external|extern_weak|thread_local|available_externally)\b")


def named_globals(preamble: list[str]) -> frozenset[str]:
    """All that code of this module may name."""
    return frozenset(plain_name(match[1]) for line in preamble if (match := _GLOBAL.match(line)))


def sized_globals(preamble: list[str], types: dict[str, Type]) -> dict[str, int]:
    """The global variables of this module that a symbolic address may point into, with their sizes."""
    found = {}
    for line in preamble:
        match = _GLOBAL.match(line)
        if not match or line.startswith("@llvm.") or _ELSEWHERE.search(match[2]):
            continue
        cursor = Cursor(line[match.end() :], types)
        try:
            size = cursor.type().size
        except InstrumentationError:
            continue
        if size > _MOST_BYTES and (match[3] == "constant" or cursor.peek() != "zeroinitializer"):
            raise InstrumentationError(
                f"{plain_name(match[1])} is {size >> 30} GiB of initial values, more than an object file can hold: "
                "make it smaller, or fill it when the program starts"
            )
        if 2 <= size <= _LARGEST_OBJECT:
            found[match[1]] = size
    return found
