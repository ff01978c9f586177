"""`untaken unit --all`: tests that a maintainer would commit. They look at what callers can see."""

from __future__ import annotations

import subprocess

import pytest

from tests.campaign.commands import written
from tests.unit.test_project import untaken
from tests.unit.test_project_states import Explored

SHELF_H = """
#ifndef SHELF_H
#define SHELF_H
enum shelf_kind { SHELF_EMPTY, SHELF_SOME, SHELF_FULL };
struct shelf;
/* All members are private. */
struct cursor { int at; int steps; };
struct size { int width; int height; };
struct shelf *shelf_new(int room);
int shelf_put(struct shelf *s, int n);
void shelf_drop(struct shelf *s, int n);
int shelf_count(const struct shelf *s);
enum shelf_kind shelf_kind(const struct shelf *s);
int shelf_refcount(const struct shelf *s);
int shelf_next(struct shelf *s);
const char *shelf_label(int n);
int cursor_move(struct cursor *c, int by);
void cursor_turn(struct cursor *c, int by);
void size_turn(struct size *s, int by);
#endif
"""
SHELF_C = """
#include "shelf.h"
#include <stdlib.h>
struct shelf { int count, room, refs, reads; };
struct shelf *shelf_new(int room) {
    if (room < 0) return NULL;
    struct shelf *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->room = room;
    s->refs = 1;
    return s;
}
int shelf_count(const struct shelf *s) { return s->count; }
enum shelf_kind shelf_kind(const struct shelf *s) {
    return s->count == 0 ? SHELF_EMPTY : s->count < s->room ? SHELF_SOME : SHELF_FULL;
}
int shelf_refcount(const struct shelf *s) { return s->refs; }
int shelf_next(struct shelf *s) { return s->reads++; }
int shelf_put(struct shelf *s, int n) {
    if (n > 3) return -1;
    s->count++;
    return 0;
}
void shelf_drop(struct shelf *s, int n) { if (n > 7) s->count = 5; }
const char *shelf_label(int n) {
    if (n == 44) return "forty-four";
    return n > 9 ? "many" : NULL;
}
int cursor_move(struct cursor *c, int by) {
    c->at += by;
    return by > 5 ? 2 : 1;
}
void cursor_turn(struct cursor *c, int by) { if (by > 5) c->at = 3; }
void size_turn(struct size *s, int by) { if (by > 5) s->width = 3; }
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Explored:
    """A library with a type that nobody sees into."""
    folder = tmp_path_factory.mktemp("shelf")
    written(folder, SHELF_H, "shelf.h")
    source = written(folder, SHELF_C, "shelf.c")
    out = folder / "out"
    told = untaken("unit", "--all", source, "--iterations", 80, "--out", out, "--json")
    return out, told.summary


def text_of(explored: Explored) -> str:
    return (explored[0] / "tests" / "test_shelf.c").read_text()


def test_what_the_projects_functions_say_of_an_object_is_pinned_and_not_its_members(shelf: Explored) -> None:
    text = text_of(shelf)
    assert "result != NULL);\n    assert(shelf_kind(result) == SHELF_" in text
    assert "assert(shelf_count(s) == 1);" in text and "assert(shelf_kind(s) == SHELF_" in text
    assert "->count ==" not in text and "->reads ==" not in text
    assert "assert(shelf_refcount" not in text and "assert(shelf_next" not in text


def test_a_text_that_is_returned_is_pinned(shelf: Explored) -> None:
    text = text_of(shelf)
    assert 'shelf_label(44);\n    assert(strcmp(result, "forty-four") == 0);' in text
    assert 'assert(strcmp(result, "many") == 0);' in text and "assert(result == NULL);" in text


def test_private_members_are_pinned_only_where_nothing_else_shows_an_effect(shelf: Explored) -> None:
    text = text_of(shelf)
    assert "cursor_move(&c, 10);\n    assert(result == 2);\n}" in text
    assert "cursor_turn(&c, 10);\n    assert(c.at == 3);\n}" in text


def test_they_are_built_without_a_warning_and_pass(shelf: Explored) -> None:
    command = ["make", "-C", str(shelf[0] / "tests"), "CFLAGS=-Wall -Wextra -Werror", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
