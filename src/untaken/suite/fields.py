"""Inputs as people read them: each field with its value. `records.py` reads them back.

Of a long input only the first fields are written out: a description is not to be larger than what it describes. The
others are in the input itself, and where each of them lies is said by patterns that repeat.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

from untaken.model.input import Field, FieldKind
from untaken.model.input_codec import decoded_length
from untaken.model.path import Path

MOST_PADDING = 1 << 20  # a program may ask for gigabytes that nobody gave it
WRITTEN_OUT = 64  # fields
LONG_TEXT = 64  # bytes; longer ones that are no text are written in hexadecimal
LONGEST_PATTERN = 8  # fields, as a program asks for them over and over
FLOATS = {4: "<f", 8: "<d"}
ESCAPES = {byte: f"\\x{byte:02x}" for byte in range(256) if not 32 <= byte < 127}
ESCAPES |= {0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\"}


def canonical_input(path: Path) -> bytes:
    """What the program asked for of the input, no more; with zeros where it asked for more than there was."""
    used = path.input[: path.input_used]
    return used.ljust(min(path.input_used, MOST_PADDING), b"\0")


def described_fields(path: Path) -> list[dict[str, Any]]:
    """The fields in order of use, the first ones with values."""
    return [*_written_out(path), *_patterns(path.fields[WRITTEN_OUT:])]


def _patterns(fields: Sequence[Field]) -> Iterator[dict[str, Any]]:
    """Without values: a pattern of fields that repeats is described once."""
    shapes = [(field.name, field.kind, field.size) for field in fields]
    done = 0
    while done < len(fields):
        length, repeats = _longest_repetition(fields, shapes, done)
        pattern = [_placed(field) for field in fields[done : done + length]]
        if repeats > 1:
            size = fields[done + length].offset - fields[done].offset
            yield {"repeats": repeats, "bytes": size, "fields": pattern}
        else:
            yield from pattern
        done += length * repeats


def _longest_repetition(fields: Sequence[Field], shapes: list[Any], start: int) -> tuple[int, int]:
    """The length of the pattern from here on that repeats for most fields, and how often it does."""
    counted = [(length, _repeats(fields, shapes, start, length)) for length in range(1, LONGEST_PATTERN + 1)]
    return max(counted, key=lambda found: (found[0] * found[1] if found[1] > 1 else 1, -found[0]))


def _repeats(fields: Sequence[Field], shapes: list[Any], start: int, length: int) -> int:
    """How often the next fields come again, each time as far on in the input."""
    second = start + length
    if second + length > len(fields):
        return 1
    step = fields[second].offset - fields[start].offset
    at = second
    while at < len(fields):
        if shapes[at] != shapes[at - length] or fields[at].offset - fields[at - length].offset != step:
            break
        at += 1
    return (at - start) // length


def _placed(field: Field) -> dict[str, Any]:
    return {"name": field.name, "kind": field.kind.name.lower(), "offset": field.offset, "size": field.size}


def _written_out(path: Path) -> Iterator[dict[str, Any]]:
    length: int | None = None
    for field in path.fields[:WRITTEN_OUT]:
        data = bytes_of(field, path.input)
        if field.kind in (FieldKind.STDIN, FieldKind.FILE) and length is not None:
            data = data[:length]
        length = decoded_length(data) if field.kind is FieldKind.LENGTH else None
        value = value_of(field, data)
        if isinstance(value, str) and len(value) > max(LONG_TEXT, 2 * len(data)):
            yield {**_placed(field), "hex": data.hex()}
        else:
            yield {**_placed(field), "value": value}


def live_bytes(path: Path) -> int:
    """How much of the input counts: of a stdin or file only what is there, of an argument up to its end."""
    total = 0
    length: int | None = None
    for field in path.fields:
        if field.kind is FieldKind.LENGTH:
            length = decoded_length(bytes_of(field, path.input))
        elif field.kind is FieldKind.ARGUMENT:
            total += len(bytes_of(field, path.input).partition(b"\0")[0])
        else:
            total += field.size if length is None else min(field.size, length)
            length = None
    return total


def follows_child(path: Path) -> bool:
    """Whether the run was followed into a process that the program forked."""
    return any(field.kind is FieldKind.PROCESS and any(bytes_of(field, path.input)) for field in path.fields)


def bytes_of(field: Field, input: bytes) -> bytes:
    data = input[field.offset : field.offset + field.size]
    return data.ljust(min(field.size, MOST_PADDING), b"\0")


def value_of(field: Field, data: bytes) -> int | float | bool | str:
    """A number for numbers, text for the rest."""
    match field.kind:
        case FieldKind.SIGNED:
            return int.from_bytes(data, "little", signed=True)
        case FieldKind.UNSIGNED | FieldKind.POINTER | FieldKind.LENGTH:
            return int.from_bytes(data, "little")
        case FieldKind.BOOL:
            return bool(data[0] & 1)
        case FieldKind.PROCESS:
            return "child" if any(data) else "parent"
        case FieldKind.FLOAT if len(data) in FLOATS:
            value: float = struct.unpack(FLOATS[len(data)], data)[0]
            return value if value - value == 0 else repr(value)  # JSON has no infinities
        case FieldKind.ARGUMENT:
            return escaped(data.partition(b"\0")[0])
        case _:
            return escaped(data)


def escaped(data: bytes) -> str:
    """As in a C string literal."""
    return data.decode("latin-1").translate(ESCAPES)
