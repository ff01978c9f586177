"""A stretch of an input replaced by a longer or a shorter one: what follows moves, lengths of streams are set anew."""

from __future__ import annotations

from collections.abc import Sequence

from untaken.model.input import Field, FieldKind

_STREAMS = (FieldKind.STDIN, FieldKind.FILE)
_CONTAINERS = (FieldKind.ARGUMENT, FieldKind.LENGTH, *_STREAMS)  # nothing moves from these into the next field


def spliced(input: bytes, fields: Sequence[Field], stretch: slice, text: bytes) -> bytes:
    """The input with the text in the place of the stretch. The field that it is in keeps its size, a stream gets its
    new length. Of single numbers and of several fields the input as a whole is changed; so it is where an array is left
    out, or a text put in before it that would fill it: arrays that a program asks for in a loop are records."""
    number = next((i for i, f in enumerate(fields) if f.offset <= stretch.start < f.offset + f.size), None)
    if number is None:
        return input
    part = fields[number]
    is_array = part.kind is FieldKind.BYTES and stretch.stop <= part.offset + part.size
    if part.kind not in _CONTAINERS and (not is_array or _is_record(part, stretch, text)):
        return input[: stretch.start].ljust(stretch.start, b"\0") + text + input[stretch.stop :]
    return _within(input, fields, number, stretch, text)


def _is_record(part: Field, stretch: slice, text: bytes) -> bool:
    """Whether a whole array is left out, or at least one put in before it."""
    if stretch.start != part.offset:
        return False
    is_put_in, is_left_out = stretch.stop == part.offset, stretch.stop == part.offset + part.size and not text
    return is_left_out or (is_put_in and len(text) >= part.size)


def cleared(input: bytes, fields: Sequence[Field], end: int) -> bytes:
    """The input with zeros from there on, up to the end of the same stream, argument or array, or of all."""
    part = next((f for f in fields if f.size > 1 and f.offset < end <= f.offset + f.size), None)
    stop = len(input) if part is None else part.offset + part.size
    return input[:end] + bytes(max(0, stop - end)) + input[stop:]


def ended(input: bytes, fields: Sequence[Field], end: int) -> bytes:
    """The input with its stream ending there; as it was if it is in no stream."""
    number = next((i for i, f in enumerate(fields) if f.offset < end <= f.offset + f.size), None)
    length = None if number is None else _length_field(fields, number)
    if number is None or length is None:
        return input
    data = bytearray(input)
    data[length.offset : length.offset + length.size] = (end - fields[number].offset).to_bytes(length.size, "little")
    return bytes(data)


def lacking(input: bytes, fields: Sequence[Field]) -> int:
    """How many bytes more the streams of an input could have."""
    short = 0
    for number, part in enumerate(fields):
        length = _length_field(fields, number)
        if length is not None:
            short += max(0, part.size - _number(input, length))
    return short


def stream_end(input: bytes, fields: Sequence[Field], place: int) -> int:
    """Where what the input has of the field around a place ends; of no field, where the input ends."""
    number = next((i for i, f in enumerate(fields) if f.offset <= place < f.offset + f.size), None)
    return len(input) if number is None else fields[number].offset + filled(input, fields, number)


def filled(input: bytes | bytearray, fields: Sequence[Field], number: int) -> int:
    """How many bytes of a field the input has: of a stream as many as its length says."""
    length = _length_field(fields, number)
    size = fields[number].size
    return size if length is None else min(size, _number(input, length))


def _within(input: bytes, fields: Sequence[Field], number: int, stretch: slice, text: bytes) -> bytes:
    part = fields[number]
    data = bytearray(input.ljust(part.offset + part.size, b"\0"))
    length, had = _length_field(fields, number), filled(data, fields, number)
    old = data[part.offset : part.offset + had]
    new = (old[: stretch.start - part.offset] + text + old[stretch.stop - part.offset :])[: part.size]
    data[part.offset : part.offset + part.size] = new.ljust(part.size, b"\0")
    if length is not None:
        size = len(new) if had < part.size else part.size  # one that is full stays so: what is behind it is zero
        data[length.offset : length.offset + length.size] = size.to_bytes(length.size, "little")
    return bytes(data)


def _length_field(fields: Sequence[Field], number: int) -> Field | None:
    """Of a stream: the field before it."""
    before = fields[number - 1] if number else None
    is_stream = fields[number].kind in _STREAMS
    return before if is_stream and before is not None and before.kind is FieldKind.LENGTH else None


def _number(data: bytes | bytearray, part: Field) -> int:
    return int.from_bytes(data[part.offset : part.offset + part.size], "little")
