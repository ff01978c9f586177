"""Values of the input that were lost: the page says where, and which branches that hides."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from tests.report.pages import embedded, explored, sides
from untaken.report.page import write_page

LOST = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <untaken.h>
struct settings { int mode; };
static struct settings settings = { .mode = 2 };
static int mixed(int c) {
    int out;
    __asm__("lea 3(%1), %0" : "=r"(out) : "r"(c));
    return out;
}
int main(void) {
    char from[300] = {0}, to[300];
    int x, n;
    untaken_int(&x);
    untaken_int(&n);
    int half = mixed(x) / 2;
    if (half == 123456) {
        if (x > 5) return 1;
        return 2;
    }
    if (settings.mode == 3) return 4;
    if (n > 100 && n < 200) memcpy(to, from, n);
    const char *text = l64a(x);
    if (text[0] == '?') return 3;
    return 0;
}
"""
ASM, STORED, COMPARED, MODE, COPY, CALL, READ = 10, 7, 19, 23, 24, 25, 26


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return explored(tmp_path_factory.mktemp("lost"), LOST)


def test_each_place_is_told_with_what_it_hides(out: Path) -> None:
    data = embedded(out)
    branches = sides(data)
    rows = {(row["line"], row["function"]): row for row in data["head"]["lost"]}
    assembly = rows[ASM, "mixed"]
    assert assembly["exact"] and "assembly" in assembly["kind"]
    assert assembly["hides"] == [branches[COMPARED, 0, True]["id"]]  # by way of `return`, a call and another name
    assert assembly["behind"] == 3
    call = rows[CALL, "main"]
    assert call["exact"] and "l64a" in call["kind"] and call["hides"] == [branches[READ, 0, True]["id"]]
    pin = rows[COPY, "main"]
    assert not pin["exact"] and "size" in pin["kind"]
    assert data["head"]["lost"][0] == assembly  # it hides most


def test_what_no_lost_value_decides_is_hidden_by_none(out: Path) -> None:
    data = embedded(out)
    mode = sides(data)[MODE, 0, True]["id"]
    assert not any(mode in row["hides"] for row in data["head"]["lost"])


def test_initialisers_of_members_are_stores(out: Path) -> None:
    data = embedded(out)
    ((name, _, places, _),) = data["branches"]["reads"][str(sides(data)[MODE, 0, True]["id"])]
    assert name == "settings.mode" and [line for _, line, _ in places] == [STORED]


def test_places_are_kept_when_a_campaign_goes_on_and_come_from_workers(tmp_path: Path) -> None:
    program = written(tmp_path, LOST)
    for words in (("--iterations", 60, "--jobs", 2), ("--iterations", 1)):
        campaign(program, *words, "--out", tmp_path / "out")
        write_page(tmp_path / "out")
        assert ASM in {row["line"] for row in embedded(tmp_path / "out")["head"]["lost"]}
