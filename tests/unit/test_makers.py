"""Which functions of a project make, fill and change its objects, as their types and names say."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.commands import written
from untaken.unit.project.makers import MakerCandidate
from untaken.unit.project.sources import ProjectOptions, find_project
from untaken.unit.project.survey import survey

GATE_C = """
struct gate { int is_open; int *room; };
int gate_initialize(struct gate *gate) { gate->is_open = 0; return 1; }
int gate_open(struct gate *gate) { gate->is_open = *gate->room; return 1; }
struct door { int is_open; };
int door_open(struct door *door) { door->is_open = 1; return 1; }
"""

DESK_C = """
#include <stdlib.h>
struct desk { int height; };
struct desk *desk_new(void) { return 0; }
void desk_set_height(struct desk *desk, int height) { desk->height = height; }
void desk_put(struct desk *desk) { free(desk); }
int desk_write_file(struct desk *desk, const char *filename) { return desk->height == filename[0]; }
"""


def made(folder: Path, text: str) -> dict[str, list[MakerCandidate]]:
    source = written(folder, text, "made.c")
    project = find_project(ProjectOptions((source,), None, (), ()), print)
    return dict(survey(project.all, print).makers)


def test_what_is_initialised_is_opened_afterwards(tmp_path: Path) -> None:
    found = made(tmp_path, GATE_C)
    assert {each.function: each.changes for each in found["struct gate"]} == {
        "gate_initialize": False,
        "gate_open": True,
    }
    assert {each.function: each.changes for each in found["struct door"]} == {"door_open": False}


def test_what_frees_an_object_or_is_about_a_named_file_changes_none(tmp_path: Path) -> None:
    found = made(tmp_path, DESK_C)
    assert [each.function for each in found["struct desk"]] == ["desk_new", "desk_set_height"]


def test_what_is_hidden_from_who_links_is_not_for_callers(tmp_path: Path) -> None:
    text = (
        '__attribute__((visibility("hidden"))) int inner(int n) { return n; }\nint outer(int n) { return inner(n); }\n'
    )
    source = written(tmp_path, text, "hidden.c")
    project = find_project(ProjectOptions((source,), None, (), ()), print)
    known = survey(project.all, print)
    assert not known.is_for_callers(project.all[0], "inner")
    assert known.is_for_callers(project.all[0], "outer")


def test_what_uses_the_result_of_a_call_only_looks(tmp_path: Path) -> None:
    text = """
    struct crate { int size; };
    static const struct crate *same(const struct crate *crate) { return crate; }
    int crate_size(const struct crate *crate) { return same(crate)->size; }
    int crate_grow(struct crate *crate) { return crate->size++; }
    """
    source = written(tmp_path, text, "crate.c")
    known = survey(find_project(ProjectOptions((source,), None, (), ()), print).all, print)
    assert known.looking.only_looks("crate_size")
    assert not known.looking.only_looks("crate_grow")
