"""Inputs as people read them: each field with its value."""

from __future__ import annotations

import struct
from typing import Any

from untaken.model.input import Field, FieldKind
from untaken.model.path import Path

MOST_PADDING = 1 << 20  # a program may ask for gigabytes that nobody gave it
FLOATS = {4: "<f", 8: "<d"}
ESCAPES = {byte: f"\\x{byte:02x}" for byte in range(256) if not 32 <= byte < 127}
ESCAPES |= {0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\"}


def canonical_input(path: Path) -> bytes:
    """What the program asked for of the input, no more; with zeros where it asked for more than there was."""
    used = path.input[: path.input_used]
    return used.ljust(min(path.input_used, MOST_PADDING), b"\0")


def described_fields(path: Path) -> list[dict[str, Any]]:
    """The fields in order of use, with values."""
    described = []
    length: int | None = None
    for field in path.fields:
        data = bytes_of(field, path.input)
        if field.kind in (FieldKind.STDIN, FieldKind.FILE) and length is not None:
            data = data[:length]
        length = int.from_bytes(data, "little") if field.kind is FieldKind.LENGTH else None
        described.append(
            {
                "name": field.name,
                "kind": field.kind.name.lower(),
                "offset": field.offset,
                "size": field.size,
                "value": value_of(field, data),
            }
        )
    return described


def live_bytes(path: Path) -> int:
    """How much of the input counts: of a stdin or file only what is there, of an argument up to its end."""
    total = 0
    length: int | None = None
    for field in path.fields:
        if field.kind is FieldKind.LENGTH:
            length = int.from_bytes(bytes_of(field, path.input), "little")
        elif field.kind is FieldKind.ARGUMENT:
            total += len(bytes_of(field, path.input).partition(b"\0")[0])
        else:
            total += field.size if length is None else min(field.size, length)
            length = None
    return total


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
