"""Inputs as people read them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from untaken.json_records import checked, decoded
from untaken.model.input import Field, FieldKind
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.suite.fields import canonical_input, described_fields, live_bytes
from untaken.suite.records import FieldRecord, read_fields


def path_of(input: bytes, *fields: Field) -> Path:
    used = max((field.offset + field.size for field in fields), default=0)
    return Path(input, np.zeros(0, np.uint32), np.zeros(0, CONSTRAINT_DTYPE), Exit(ExitKind.CODE), fields, used)


def values(path: Path) -> list[object]:
    return [field["value"] for field in described_fields(path)]


def test_numbers_are_numbers() -> None:
    path = path_of(
        b"\xff\xff\xff\xff\xff\xff\x03\x00\x00\x80\x3f",
        Field("a", FieldKind.SIGNED, 0, 4),
        Field("b", FieldKind.UNSIGNED, 4, 2),
        Field("c", FieldKind.BOOL, 6, 1),
        Field("d", FieldKind.FLOAT, 7, 4),
    )
    assert values(path) == [-1, 65535, True, 1.0]


def test_what_is_not_there_reads_as_zero() -> None:
    path = path_of(b"\x05", Field("a", FieldKind.SIGNED, 0, 4), Field("b", FieldKind.BYTES, 4, 2))
    assert values(path) == [5, "\\0\\0"]
    assert canonical_input(path) == b"\x05\0\0\0\0\0"


def test_of_a_stream_only_what_is_there() -> None:
    fields = (Field("stdin", FieldKind.LENGTH, 0, 4), Field("stdin", FieldKind.STDIN, 4, 8))
    short = path_of(b"\x03\0\0\0a\n\x80bcdef", *fields)
    assert values(short) == [3, "a\\n\\x80"]
    assert live_bytes(short) == 3
    # A length beyond the end means all there can be.
    assert live_bytes(path_of(b"\xff\xff\xff\xffabc", *fields)) == 8


def test_an_argument_ends_at_its_zero() -> None:
    path = path_of(b"-x\0junk", Field("argv[1]", FieldKind.ARGUMENT, 0, 7))
    assert values(path) == ["-x"]
    assert live_bytes(path) == 2


def test_more_than_was_asked_for_is_cut() -> None:
    assert canonical_input(path_of(b"abcdef", Field("a", FieldKind.BYTES, 0, 2))) == b"ab"


def test_infinities_are_told_in_words() -> None:
    path = path_of(b"\0\0\x80\x7f", Field("x", FieldKind.FLOAT, 0, 4))
    assert values(path) == ["inf"]


def many(*shapes: tuple[str, FieldKind, int], times: int) -> tuple[Field, ...]:
    """So many fields of these shapes, one behind the other."""
    fields: list[Field] = []
    for name, kind, size in shapes * times:
        offset = fields[-1].offset + fields[-1].size if fields else 0
        fields.append(Field(name, kind, offset, size))
    return tuple(fields)


@pytest.mark.parametrize(
    "fields",
    [
        many(("x", FieldKind.SIGNED, 4), times=5_000),
        many(("c", FieldKind.CHARACTER, 1), times=4_430),
        many(("kind", FieldKind.UNSIGNED, 1), ("value", FieldKind.SIGNED, 8), ("last", FieldKind.BOOL, 1), times=900),
        (*many(("a", FieldKind.SIGNED, 4), times=70), Field("b", FieldKind.FLOAT, 280, 8)),
    ],
)
def test_a_description_is_no_larger_than_its_input_and_can_be_read_back(fields: tuple[Field, ...]) -> None:
    path = path_of(bytes(range(256)) * 200, *fields)
    described = described_fields(path)
    assert read_fields(decoded(json.dumps(described), tuple[FieldRecord, ...])) == fields
    assert len(json.dumps(described)) < 8_000 + 2 * path.input_used


def test_fields_that_lie_apart_are_no_pattern() -> None:
    apart = tuple(Field("x", FieldKind.SIGNED, 10 * n * n, 4) for n in range(80))
    assert read_fields(checked(described_fields(path_of(b"", *apart)), tuple[FieldRecord, ...])) == apart


def test_long_noise_is_written_in_hexadecimal() -> None:
    noise = bytes(range(128, 256)) * 2
    (entry,) = described_fields(path_of(noise, Field("x", FieldKind.BYTES, 0, len(noise))))
    assert bytes.fromhex(entry["hex"]) == noise
