"""Numbers that the input spells out, and what would have to stand there instead."""

from __future__ import annotations

import pytest

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.model.word import Word
from untaken.solve.graph import Graph
from untaken.solve.values.written_numbers import NumberFinder


def number(make: FakeExpressions, first: int, digits: int, *, base: int = 10, width: int = 32) -> int:
    """As programs compute it: digit after digit."""
    value = make.constant(width, 0)
    for index in range(first, first + digits):
        digit = make.binary(Op.SUB, make.input(index), make.constant(8, ord("0")))
        shifted = make.binary(Op.MUL, value, make.constant(width, base)) if index > first else value
        value = make.binary(Op.ADD, shifted, make.extend(Op.ZEXT, digit, width))
    return value


def wanted(graph: Graph, input: bytes, goal: int) -> list[Word]:
    return NumberFinder(graph).wanted(goal, input)


@pytest.mark.parametrize(
    ("op", "side", "text"),
    [
        (Op.EQ, 1, b"1969"),
        (Op.EQ, 0, b"1970"),
        (Op.SLT, 1, b"1968"),
        (Op.SLT, 0, b"1969"),
        (Op.ULE, 1, b"1969"),
        (Op.ULE, 0, b"1970"),
    ],
)
def test_the_nearest_number_with_which_a_comparison_comes_out_otherwise(
    make: FakeExpressions, graph: Graph, op: Op, side: int, text: bytes
) -> None:
    year = number(make, 2, 1)
    code = 2 * make.binary(op, year, make.constant(32, 1969)) + side
    assert wanted(graph, b"y 7-1", code)[0] == Word(2, 1, 0, text)


def test_on_the_right_of_a_comparison_it_is_the_other_way_round(make: FakeExpressions, graph: Graph) -> None:
    size = number(make, 0, 2)
    assert wanted(graph, b"17;", 2 * make.binary(Op.ULT, make.constant(32, 300), size) + 1) == [
        Word(0, 2, 0, b"301"),
    ]


def test_what_was_computed_of_a_number_is_undone(make: FakeExpressions, graph: Graph) -> None:
    month = make.binary(Op.SUB, number(make, 0, 1), make.constant(32, 1))
    wide = make.extend(Op.SEXT, month, 64)
    bytes_ = make.binary(Op.MUL, wide, make.constant(64, 4))
    assert Word(0, 1, 0, b"12") in wanted(graph, b"3", 2 * make.binary(Op.EQ, bytes_, make.constant(64, 44)) + 1)
    assert not wanted(graph, b"3", 2 * make.binary(Op.EQ, bytes_, make.constant(64, 45)) + 1)


def test_the_sign_goes_with_the_digits(make: FakeExpressions, graph: Graph) -> None:
    value = make.binary(Op.SUB, make.constant(32, 0), number(make, 1, 1))
    is_wanted = 2 * make.binary(Op.EQ, value, make.constant(32, 100)) + 1
    assert wanted(graph, b"-5", is_wanted) == [Word(0, 2, 0, b"100")]
    is_less = 2 * make.binary(Op.SLT, value, make.constant(32, -20)) + 1
    assert wanted(graph, b"-5", is_less)[0] == Word(0, 2, 0, b"-21")


def test_digits_of_base_sixteen(make: FakeExpressions, graph: Graph) -> None:
    value = number(make, 0, 2, base=16)
    assert wanted(graph, b"10", 2 * make.binary(Op.EQ, value, make.constant(32, 0xDEADBEEF)) + 1) == [
        Word(0, 2, 0, b"deadbeef")
    ]


@pytest.mark.parametrize(("old", "new"), [(b"0A", b"1F"), (b"0b", b"1f"), (b"AA", b"1F"), (b"00", b"1f")])
def test_hexadecimal_digits_are_capitals_where_they_were(
    make: FakeExpressions, graph: Graph, old: bytes, new: bytes
) -> None:
    value = make.constant(32, 0)
    for index, digit in enumerate(old):
        first = ord("0") if digit <= ord("9") else (ord("A") if digit <= ord("F") else ord("a")) - 10
        byte = make.extend(Op.ZEXT, make.binary(Op.SUB, make.input(index), make.constant(8, first)), 32)
        value = make.binary(Op.ADD, make.binary(Op.MUL, value, make.constant(32, 16)), byte) if index else byte
    found = wanted(graph, old, 2 * make.binary(Op.EQ, value, make.constant(32, 31)) + 1)
    assert Word(0, 2, 0, new) in found


def test_what_is_no_number_is_none(make: FakeExpressions, graph: Graph) -> None:
    byte = make.extend(Op.ZEXT, make.input(0), 32)
    apart = make.binary(Op.ADD, number(make, 0, 1), number(make, 2, 1))
    mixed = make.binary(Op.XOR, number(make, 0, 2), make.extend(Op.ZEXT, make.input(2), 32))
    constant = make.constant(32, 500)
    for term in (byte, apart, mixed):
        assert not wanted(graph, b"123", 2 * make.binary(Op.EQ, term, constant) + 1)
    assert not wanted(graph, b"x23", 2 * make.binary(Op.EQ, number(make, 0, 1), constant) + 1)
