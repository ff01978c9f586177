"""Concrete conditions: what they read, and who stores it."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.commands import written
from tests.report.pages import embedded, explored
from untaken.execute.target import find_target
from untaken.report.stores import ReadName, StoreIndex

TEXT = """
#include <stdio.h>
#include <untaken.h>
struct mode { int level, seen; };
static struct mode mode = {0, 0};
static int total;
static void raise(struct mode *m) {
    m->level = 2; /* total = 7; */
    m->seen++;
}
static int count(int limit) {
    int n = 0;
    if (n > limit) n = 3;
    return n;
}
int main(int argc, char **argv) {
    int x, other;
    untaken_int(&x);
    other = 3;
    if (argc > 7) raise(&mode);
    if (mode.level == 2 && other) puts("total = 9");
    if (total) puts(argv[0]);
    return count(x & 0) ? 1 : 0;
}
"""


def lines_of(read: tuple[ReadName, ...]) -> dict[str, list[int]]:
    return {each.text: [place.line for place in each.places] for each in read}


def test_what_is_read_and_where_it_is_stored(tmp_path: Path) -> None:
    file = str(written(tmp_path, TEXT))
    program = find_target([file]).map
    index = StoreIndex(program, [file], [TEXT])
    found = {(branch.location.line, branch.location.column): lines_of(index.read_by(branch)) for branch in program}
    at = {line: [names for (where, _), names in sorted(found.items()) if where == line] for line in (13, 20, 21, 22)}
    assert at[13] == [{"n": [12, 13], "limit": []}]
    assert at[20] == [{"argc": []}]
    assert sorted(at[21], key=str) == [{"mode.level": [8]}, {"other": [19]}]
    assert at[22] == [{"total": []}]
    read = [each for branch in program if branch.location.line == 20 for each in index.read_by(branch)]
    assert all(each.parameter for each in read)
    of_line = [each for branch in program if branch.location.line == 21 for each in index.read_by(branch)]
    owners = {program.functions[place.function].name for each in of_line for place in each.places}
    assert owners == {"raise", "main"}


def test_the_page_says_it_for_concrete_branches_alone(tmp_path: Path) -> None:
    data = embedded(explored(tmp_path, TEXT))
    conditions, reads = data["branches"]["conditions"], data["branches"]["reads"]
    every = [id | side for id in conditions["id"] for side in (0, 1)]
    why = dict(zip(every, conditions["why"], strict=True))
    assert reads
    assert all(why[int(branch)] == "concrete" for branch in reads)
    named = {name for entry in reads.values() for name, *_ in entry}
    assert {"mode.level", "argc", "total"} <= named
