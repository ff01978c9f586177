"""KLEE's format: one .ktest file a test, with the name and bytes of each input.

Replays with KLEE's libkleeRuntest and shows in ktest-tool. Inputs that the program asked for keep their names. For
declared ones the names are those of KLEE's POSIX runtime (arg00, stdin, NAME-data), without its stat blocks.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from untaken.suite.delivery import asked_for, delivered, field_bytes
from untaken.suite.tests import SavedTest, Suite

MAGIC = b"KTEST"
VERSION = 3


def write_ktests(suite: Suite, target: Path) -> int:
    """Writes testNNNNNN.ktest files; how many."""
    for number, test in enumerate(suite.proper_tests, 1):
        (target / f"test{number:06}.ktest").write_bytes(ktest(suite, test))
    return len(suite.proper_tests)


def ktest(suite: Suite, test: SavedTest) -> bytes:
    """The contents of a .ktest file: numbers are big-endian, the bytes of values as the program has them."""
    arguments = [suite.program.name.encode(), *(argument.encode() for argument in suite.recipe.arguments)]
    objects = list(_objects(suite, test))
    symbolic_arguments = struct.pack(">II", 0, 0)
    return b"".join(
        (
            MAGIC,
            struct.pack(">II", VERSION, len(arguments)),
            *_counted(arguments),
            symbolic_arguments,
            struct.pack(">I", len(objects)),
            *_counted(part for pair in objects for part in pair),
        )
    )


def _objects(suite: Suite, test: SavedTest) -> Iterator[tuple[bytes, bytes]]:
    given = delivered(test.input, suite.declared, test.fields)
    for number, place in enumerate(sorted(given.arguments)):
        yield f"arg{number:02}".encode(), given.arguments[place] + b"\0"
    for name, content in given.files.items():
        yield f"{name}-data".encode(), content
    if given.stdin is not None:
        yield b"stdin", given.stdin
    for field in asked_for(test.fields, suite.declared):
        yield field.name.encode(), field_bytes(test.input, field)


def _counted(parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        yield struct.pack(">I", len(part)) + part
