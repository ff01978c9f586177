"""What of an input belongs to whom: the declared inputs, the program's own calls, and what only the trace asks for.

Replays and exports need that without the runtime. The format itself is in model/input_codec.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from untaken.model.input import Field, FieldKind, Source
from untaken.model.input_codec import Delivery, declared_size, decoded, padded


def delivered(input: bytes, sources: Sequence[Source], fields: Sequence[Field] = ()) -> Delivery:
    """What a program finds of an input. What `fields` say is no input of the program's is left out."""
    given = decoded(input, sources)
    start = declared_size(sources)
    rest = bytearray(given.rest)
    for chosen in reversed(process_choices(fields)):
        del rest[chosen.offset - start : chosen.offset - start + chosen.size]
    return replace(given, rest=bytes(rest))


def process_choices(fields: Sequence[Field]) -> list[Field]:
    """The fields that say whom the trace follows at a fork."""
    return [field for field in fields if field.kind is FieldKind.PROCESS]


def asked_for(fields: Sequence[Field], sources: Sequence[Source]) -> tuple[Field, ...]:
    """The fields that the program's own calls of input functions took, in order."""
    start = declared_size(sources)
    return tuple(field for field in fields if field.offset >= start and field.kind is not FieldKind.PROCESS)


def field_bytes(input: bytes, field: Field) -> bytes:
    """What the program got for a field: zeros past the end of the input, and of a truth value the lowest bit."""
    found = padded(input[field.offset : field.offset + field.size], field.size)
    return bytes([found[0] & 1]) if field.kind is FieldKind.BOOL and found else found
