"""Inputs: one flat string of bytes, with named and typed fields over it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

LARGEST_SOURCE = 1 << 20  # bytes of standard input, of an argument or of a file


class FieldKind(IntEnum):
    """Numbers as in `enum untaken_field_kind`."""

    BYTES = 0
    SIGNED = 1
    UNSIGNED = 2
    CHARACTER = 3
    FLOAT = 4
    POINTER = 5
    BOOL = 6
    LENGTH = 7
    ARGUMENT = 8
    STDIN = 9
    FILE = 10
    PROCESS = 11  # whom the trace follows at a fork: not a part of what the program reads


@dataclass(frozen=True, slots=True)
class Field:
    """A stretch of the input that the program asked for under a name."""

    name: str
    kind: FieldKind
    offset: int
    size: int


class SourceKind(IntEnum):
    """Numbers as in `enum untaken_source_kind`."""

    ARGUMENT = 1
    STDIN = 2
    FILE = 3


@dataclass(frozen=True, slots=True)
class Source:
    """An input declared on the command line: an argument, stdin or a named file of up to `size` bytes."""

    kind: SourceKind
    size: int
    name: str = ""
    index: int = 0  # position in argv, for an argument


@dataclass(frozen=True, slots=True)
class Bias:
    """How random inputs of one name are drawn: from `low` to `high`, or among `values` if there are any."""

    name: str
    low: int = 0
    high: int = 0
    values: tuple[int, ...] = ()
