"""Values as C: how objects are declared and handed over."""

from __future__ import annotations

from untaken.unit.export.objects import ObjectWriter
from untaken.unit.export.values import MadeBy
from untaken.unit.places import CPlace
from untaken.unit.shape import ArrayShape, Fields, Made, MakerCall, Scalar

PAIR = Fields((("code", Scalar("int", 4)), ("size", Scalar("int", 4))))


def writer() -> ObjectWriter:
    return ObjectWriter(heap=False, names=set(), callbacks={})


def test_what_is_made_as_a_larger_struct_is_handed_over_as_the_declared_one() -> None:
    maker = MakerCall("state_init", (), given=True)
    setter = MakerCall("state_reset", (), given=True)
    shape = Made("struct state @", False, (maker,), (setter,), None, given_as="struct handle *")
    ours = writer()
    assert ours.expression(shape, MadeBy(0, (), ((0, ()),)), CPlace("file")) == "(struct handle *)file"
    assert ours.lines == [
        "struct state *file = calloc(1, sizeof *file);",
        "state_init(file);",
        "state_reset(file);",
    ]


def test_structs_of_zeros_in_an_array_are_left_out() -> None:
    """Where a struct begins with another, `{0}` is a warning."""
    text = writer().expression(ArrayShape(PAIR, 4), ((0, 0), (0, 0), (7, 0), (0, 0)), CPlace("tree"))
    assert text == "{[2] = {.code = 7, .size = 0}}"


def test_an_array_without_zeros_is_written_in_order() -> None:
    text = writer().expression(ArrayShape(PAIR, 2), ((1, 0), (7, 0)), CPlace("tree"))
    assert text == "{{.code = 1, .size = 0}, {.code = 7, .size = 0}}"
