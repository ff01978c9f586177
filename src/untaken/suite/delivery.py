"""An input taken apart again: what the flat bytes mean as arguments, stdin, files and the rest.

The runtime does the same in C before each run (runtime/input/sources.c). Replays and exports need it without the
runtime.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from untaken.model.input import Field, FieldKind, Source, SourceKind

LENGTH_SIZE = 4


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a program finds. `stdin` is None if it was not declared; `rest` is what the input functions take."""

    arguments: Mapping[int, bytes] = field(default_factory=dict)  # by position in argv
    stdin: bytes | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    rest: bytes = b""


class _Reader:
    """Takes bytes from the input in order; past its end they are zero."""

    def __init__(self, input: bytes) -> None:
        self.input = input
        self.position = 0

    def take(self, size: int) -> bytes:
        taken = self.input[self.position : self.position + size]
        self.position += size
        return taken.ljust(size, b"\0")

    def stream(self, capacity: int) -> bytes:
        length = int.from_bytes(self.take(LENGTH_SIZE), "little")
        return self.take(capacity)[:length]


def delivered(input: bytes, sources: Sequence[Source], fields: Sequence[Field] = ()) -> Delivery:
    """Takes an input apart. `sources` are numbered: each argument has its position.

    What `fields` say is no input of the program's is left out.
    """
    reader = _Reader(input)
    arguments: dict[int, bytes] = {}
    files: dict[str, bytes] = {}
    stdin = None
    for source in sources:
        match source.kind:
            case SourceKind.ARGUMENT:
                arguments[source.index] = reader.take(source.size).split(b"\0", 1)[0]
            case SourceKind.STDIN:
                stdin = reader.stream(source.size)
            case SourceKind.FILE:
                files[source.name] = reader.stream(source.size)
    rest = bytearray(input[reader.position :])
    for chosen in reversed(process_choices(fields)):
        del rest[chosen.offset - reader.position : chosen.offset - reader.position + chosen.size]
    return Delivery(arguments, stdin, files, bytes(rest))


def process_choices(fields: Sequence[Field]) -> list[Field]:
    """The fields that say whom the trace follows at a fork."""
    return [field for field in fields if field.kind is FieldKind.PROCESS]


def declared_size(sources: Sequence[Source]) -> int:
    """How many bytes of the input the declared sources take, before any input function."""
    lengths = sum(LENGTH_SIZE for source in sources if source.kind is not SourceKind.ARGUMENT)
    return lengths + sum(source.size for source in sources)


def asked_for(fields: Sequence[Field], sources: Sequence[Source]) -> tuple[Field, ...]:
    """The fields that the program's own calls of input functions took, in order."""
    start = declared_size(sources)
    return tuple(field for field in fields if field.offset >= start and field.kind is not FieldKind.PROCESS)


def field_bytes(input: bytes, field: Field) -> bytes:
    """What the program got for a field: zeros past the end of the input, and of a truth value the lowest bit."""
    found = input[field.offset : field.offset + field.size].ljust(field.size, b"\0")
    return bytes([found[0] & 1]) if field.kind is FieldKind.BOOL and found else found
