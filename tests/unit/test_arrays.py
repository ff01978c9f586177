"""Pointers that the code goes along lead to more than one element, though nobody says how many."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import written
from tests.unit.commands import unit
from untaken.unit.options import Extent, UnitOptions
from untaken.unit.planning import make_plan
from untaken.unit.shape import Buffer, Objects

SOURCE = """
int header(const unsigned char *b) {
    if (b[0] != 'R' || b[1] != 'F') return -1;
    return b[40] == 7;
}
int walk(const unsigned char *p) { int n = 0; while (*p) n += *p++ == '%'; return n; }
static int item(int *all, int at) { return all[at]; }
int handed(int *numbers, int at) { return item(numbers, at & 3) == 77; }
int through(const void *data) { const unsigned char *at = data; return at[3] == 1; }
int alone(int *one, char *text) { return *one == 5 && text[1] == 'x'; }
"""


@pytest.mark.parametrize(
    ("function", "count"), [("header", 41), ("walk", 16), ("handed", 8), ("through", 16), ("alone", None)]
)
def test_what_is_gone_along_is_an_array(function: str, count: int | None, tmp_path: Path) -> None:
    planned = make_plan(UnitOptions(written(tmp_path, SOURCE), function))
    shape = planned.plan.parameters[0].shape
    assert isinstance(shape, Objects | Buffer)
    assert (shape.size if isinstance(shape, Buffer) else shape.count) == count
    assert any("is gone along" in note for note in planned.notes) == (count is not None)


def test_what_the_user_says_counts(tmp_path: Path) -> None:
    planned = make_plan(UnitOptions(written(tmp_path, SOURCE), "walk", arrays={"p": Extent(3)}))
    shape = planned.plan.parameters[0].shape
    assert isinstance(shape, Objects) and shape.count == 3 and not planned.notes


def test_a_header_is_read_to_its_end(tmp_path: Path) -> None:
    explored = unit(written(tmp_path, SOURCE), "header", tmp_path / "out")
    assert explored.covered == explored.total
