"""Conditions of decisions as the source writes them, at the places that the compiler gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from untaken.model.program import Location
from untaken.suite.condition_texts import condition_texts

SOURCE = """\
int f(int a, int b, int c) {
    if (!a) x = 1;
    if (!(a > 3 && !b) || c == 2) x += 2; // && ||
    while (x < 3 /* || 1 */ && g(a, b && c)) x++;
    for (int i = 0; i < c && x; i++) x += a ? 1 : !b;
    x = a == '|' || !c;
    return a && (b ||
                 c == 4);
    y = (a || b) + 1;
    if (BOTH(a, b)) return 1;
}
"""


@pytest.mark.parametrize(
    ("places", "texts"),
    [
        ([(2, 9)], ("!a",)),
        ([(3, 13), (3, 21), (3, 9)], ("a > 3", "!b", "c == 2")),
        ([(4, 14), (4, 12)], ("x < 3", "g(a, b && c)")),
        ([(4, 37), (4, 39)], ("b", "c")),
        ([(5, 23), (5, 27)], ("i < c", "x")),
        ([(5, 43)], ("a",)),
        ([(5, 5), (5, 27)], ("i < c", "x")),
        ([(6, 11), (6, 21)], ("a == '|'", "!c")),
        ([(7, 12), (7, 18), (8, 20)], ("a", "b", "c == 4")),
        ([(9, 10), (9, 15)], ("a", "b")),
        ([(10, 9), (10, 9)], None),
        ([(99, 1)], None),
    ],
)
def test_operands_are_conditions(tmp_path: Path, places: list[tuple[int, int]], texts: tuple[str, ...] | None) -> None:
    file = tmp_path / "f.c"
    file.write_text(SOURCE)
    assert condition_texts([Location(str(file), *place) for place in places]) == texts
