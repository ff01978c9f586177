"""The format of an input: what is declared on the command line, one after the other, then what input functions take.

    argument      `size` bytes: the text, with zeros behind it
    stdin, file   four bytes, the length, lowest first; then `size` bytes, of which the program finds that many
    all else      the fields that the program's own calls of input functions take, in order of use

Past its end everything reads as zero. The runtime takes inputs apart in the same way (runtime/input/sources.c).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from untaken.model.input import Source, SourceKind

LENGTH_SIZE = 4


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a program finds. `stdin` is None if it was not declared; `rest` is what the input functions take."""

    arguments: Mapping[int, bytes] = field(default_factory=dict)  # by position in argv
    stdin: bytes | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    rest: bytes = b""


def encoded(given: Delivery, sources: Sequence[Source]) -> bytes:
    """The input that delivers this. What does not fit into its source is cut."""
    parts = []
    for source in sources:
        match source.kind:
            case SourceKind.ARGUMENT:
                parts.append(padded(given.arguments.get(source.index, b""), source.size))
            case SourceKind.STDIN:
                parts.append(encoded_stream(given.stdin or b"", source.size))
            case SourceKind.FILE:
                parts.append(encoded_stream(given.files.get(source.name, b""), source.size))
    return b"".join(parts) + given.rest


def decoded(input: bytes, sources: Sequence[Source]) -> Delivery:
    """Takes an input apart. `sources` are numbered: each argument has its position."""
    arguments: dict[int, bytes] = {}
    files: dict[str, bytes] = {}
    stdin = None
    position = 0
    for source in sources:
        data = input[position : position + encoded_size(source)]
        position += encoded_size(source)
        match source.kind:
            case SourceKind.ARGUMENT:
                arguments[source.index] = padded(data, source.size).split(b"\0", 1)[0]
            case SourceKind.STDIN:
                stdin = decoded_stream(data, source.size)
            case SourceKind.FILE:
                files[source.name] = decoded_stream(data, source.size)
    return Delivery(arguments, stdin, files, input[position:])


def encoded_stream(content: bytes, size: int) -> bytes:
    """The length of a stdin or a file of up to `size` bytes, and all that it may hold."""
    there = content[:size]
    return encoded_length(len(there)) + padded(there, size)


def decoded_stream(data: bytes, size: int) -> bytes:
    """What the program finds there."""
    return padded(data[LENGTH_SIZE:], size)[: decoded_length(data[:LENGTH_SIZE])]


def encoded_length(length: int) -> bytes:
    """What comes before the bytes of a stream."""
    return length.to_bytes(LENGTH_SIZE, "little")


def decoded_length(data: bytes) -> int:
    """The number in a field that says how much of the next one counts."""
    return int.from_bytes(data, "little")


def encoded_size(source: Source) -> int:
    """How many bytes of the input a declared source takes."""
    return source.size if source.kind is SourceKind.ARGUMENT else LENGTH_SIZE + source.size


def declared_size(sources: Sequence[Source]) -> int:
    """How many bytes of the input the declared sources take, before any input function."""
    return sum(map(encoded_size, sources))


def padded(data: bytes, size: int) -> bytes:
    """Exactly so many bytes: cut, or with zeros behind."""
    return data[:size].ljust(size, b"\0")
