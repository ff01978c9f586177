"""Random inputs: bytes of any kind, text, and integers of all sizes where a program asks for integers."""

from __future__ import annotations

from random import Random

from untaken.model.input import Field, FieldKind
from untaken.search.inputs import RandomInputs

INTEGERS = Field("n", FieldKind.SIGNED, 0, 4), Field("m", FieldKind.UNSIGNED, 4, 8)


def drawn(inputs: RandomInputs, field: Field, count: int = 400) -> list[int]:
    signed = field.kind is FieldKind.SIGNED
    place = slice(field.offset, field.offset + field.size)
    return [int.from_bytes(inputs.structured()[place], "little", signed=signed) for _ in range(count)]


def test_integers_are_of_all_sizes() -> None:
    inputs = RandomInputs(Random(1))
    inputs.saw(12, INTEGERS)
    for field in INTEGERS:
        values = drawn(inputs, field)
        assert sum(abs(value) < 16 for value in values) > 20, "small ones are what programs count up to"
        assert sum(abs(value) >= 1 << 8 * field.size - 4 for value in values) > 10, "others are large"
    assert min(drawn(inputs, INTEGERS[0])) < 0 <= min(drawn(inputs, INTEGERS[1]))


def test_what_is_no_integer_is_text() -> None:
    inputs = RandomInputs(Random(1))
    inputs.saw(40, (Field("text", FieldKind.BYTES, 0, 40),))
    assert all(len(inputs.structured()) == 40 for _ in range(20))
    assert any(inputs.structured().rstrip(b"\0").decode("latin-1").isprintable() for _ in range(20))


def test_fields_are_those_of_the_longest_input() -> None:
    inputs = RandomInputs(Random(1))
    inputs.saw(12, INTEGERS)
    inputs.saw(4, (Field("text", FieldKind.BYTES, 0, 4),))
    assert any(abs(value) > 1 << 30 for value in drawn(inputs, INTEGERS[0]))
