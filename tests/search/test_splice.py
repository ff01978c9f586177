"""Stretches of an input that are replaced by others."""

from __future__ import annotations

from untaken.model.input import Field, FieldKind
from untaken.search.splice import cleared, ended, spliced

LENGTH = Field("size of stdin", FieldKind.LENGTH, 0, 4)
STDIN = Field("stdin", FieldKind.STDIN, 4, 6)
NUMBER = Field("n", FieldKind.SIGNED, 10, 2)
FIELDS = (LENGTH, STDIN, NUMBER)


def given(text: bytes, rest: bytes = b"NN") -> bytes:
    return len(text).to_bytes(4, "little") + text.ljust(6, b"\0") + rest


def test_what_follows_moves_within_its_stream_only() -> None:
    assert spliced(given(b"abcd"), FIELDS, slice(5, 6), b"xyz") == given(b"axyzcd")
    assert spliced(given(b"abcd"), FIELDS, slice(5, 7), b"") == given(b"ad")


def test_a_stream_that_is_full_stays_full() -> None:
    """Else flips from there on could never make it longer: lengths are not flipped."""
    assert spliced(given(b"abcdef"), FIELDS, slice(5, 9), b"") == given(b"af\0\0\0\0")


def test_a_stretch_over_plain_fields_moves_all_that_follows() -> None:
    fields = tuple(Field("byte", FieldKind.UNSIGNED, number, 1) for number in range(6))
    assert spliced(b"abcdef", fields, slice(1, 3), b"xyz") == b"axyzdef"
    assert spliced(b"abcdef", fields, slice(2, 2), b"xy") == b"abxycdef"


def test_what_follows_is_cleared_or_the_stream_ends() -> None:
    assert cleared(given(b"abcdef"), FIELDS, 6) == given(b"ab\0\0\0\0")
    assert ended(given(b"abcdef"), FIELDS, 6) == given(b"abcdef").replace(b"\6\0\0\0", b"\2\0\0\0", 1)
    assert ended(given(b"ab", b"NN"), FIELDS, 12) == given(b"ab", b"NN"), "no stream"
    assert cleared(b"abcdef", tuple(Field("b", FieldKind.UNSIGNED, n, 1) for n in range(6)), 2) == b"ab\0\0\0\0"
