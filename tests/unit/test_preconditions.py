"""What functions take for granted: learnt from others that look first, and told apart from findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import written
from tests.unit.test_project import untaken
from untaken.unit.arrays import WalkFacts, guessed_arrays
from untaken.unit.project.sources import ProjectOptions, find_project
from untaken.unit.project.survey import Survey, survey

ITEMS_C = """
#include <stdlib.h>
enum kind { EMPTY, NUMBER, LIST, TEXT };
struct item { enum kind kind; int marks; };
struct number { struct item base; long value; };
struct list { struct item base; int *all; int count; };
static struct number *as_number(struct item *item) { return (void *)item; }
static struct list *as_list(struct item *item) { return (void *)item; }

struct item *item_new_number(long value) {
    struct number *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->base.kind = NUMBER;
    made->value = value;
    return &made->base;
}
struct item *item_new_list(void) {
    struct list *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->base.kind = LIST;
    made->all = calloc(4, sizeof(int));
    return &made->base;
}
static enum kind item_kind(const struct item *item) { return item->kind; }
int item_is_text(struct item *item) { return item->kind == TEXT || item->kind == EMPTY; }
int list_length(struct item *item) { return item_kind(item) == LIST ? as_list(item)->count : -1; }
int list_add(struct item *item, int number) {
    if (item->kind != LIST || as_list(item)->count == 4) return -1;
    as_list(item)->all[as_list(item)->count++] = number;
    return 0;
}
int list_last(struct item *item) { return *as_list(item)->all + as_list(item)->count; }
long number_get(struct item *item) { return item->kind == NUMBER ? as_number(item)->value : 0; }
int item_size(struct item *item) {
    switch (item_kind(item)) {
    case NUMBER: return 8;
    case LIST: return as_list(item)->count;
    default: return 0;
    }
}
int *list_all(struct item *item) {
    switch (item->kind) {
    case LIST: return as_list(item)->all;
    default: return NULL;
    }
}
int list_first(struct item *item) { return *list_all(item); }
int list_first_or(struct item *item, int other) { int *all = list_all(item); return all ? *all : other; }
"""

TABLES_C = """
static const char *const names[4] = {"none", "one", "two", "many"};
const char *count_name(int count) { return names[count + 1]; }
const char *short_name(int count) { return count_name(count); }
const char *safe_name(int count) { return count < -1 || count > 2 ? "" : names[count + 1]; }
int last_of(int number) { return names[2 - number][0]; }
"""

SHARES_C = """
#include <stddef.h>
unsigned text_hash(const char *text, unsigned size) {
    unsigned found = 0;
    for (; *text; text++) found = found * 31 + *text;
    return found % size;
}
int sum_of(const int *all, int count) { int sum = 0; for (int i = 0; i < count; i++) sum += all[i]; return sum; }
size_t rows(size_t bytes, size_t size) { return bytes / size; }
size_t int_rows(size_t bytes) { return rows(bytes, sizeof(int)); }
char *fill(char *into, size_t size) { if (size) into[0] = 0; return into; }
char *fill_none(void) { return fill(NULL, 0); }
size_t convert(const void *from, size_t size, void *to) { (void)to; return from ? size : 0; }
int texts(char **all) { int count = 0; while (*all++) count++; return count; }
int longest(char **all, int count) { int most = 0; for (int i = 0; i < count; i++) most += all[i] != 0; return most; }
"""

VISITORS_H = """
struct node { void *data; int level; };
typedef int visitor(struct node *node, int flags, void *told);
int visit(struct node *node, visitor *each, void *told);
"""
VISITORS_C = """
#include "visitors.h"
int visit(struct node *node, visitor *each, void *told) { return each(node, 0, told); }
int level_of_data(struct node *node, int flags, void *told) { return *(int *)node->data + flags; }
int level_above(struct node *node, int flags, void *told) { return node->level > flags || told != 0; }
"""


def surveyed(folder: Path, text: str) -> Survey:
    source = written(folder, text, "given.c")
    return survey(find_project(ProjectOptions((source,), None, (), ()), print).all, print)


def granted(known: Survey, function: str) -> list[str]:
    """The conditions that the drivers of a file of its own let hold."""
    (source,) = known.modules
    module = known.modules[source]
    info = module.function(function)
    assert info is not None
    table = module.types.table
    walked, no_lengths = known.walks.uses.of(function), known.kinds.only_divides(function)
    arrays = guessed_arrays(info, table, walked, no_lengths)
    return [each.condition for each in known.preconditions(info, table, arrays)]


def test_a_kind_is_learnt_from_functions_that_look(tmp_path: Path) -> None:
    known = surveyed(tmp_path, ITEMS_C)
    assert granted(known, "list_last") == ["(!@item || @item->kind == 2)"]
    for looking in ("list_length", "list_add", "number_get", "item_size", "item_is_text"):
        assert not granted(known, looking)


def test_what_a_getter_says_that_looks_at_the_kind_is_there(tmp_path: Path) -> None:
    known = surveyed(tmp_path, ITEMS_C)
    assert granted(known, "list_first") == ["(!@item || list_all(@item) != 0)"]
    assert not granted(known, "list_first_or")


def test_an_index_that_nobody_looks_at_lies_in_its_table(tmp_path: Path) -> None:
    known = surveyed(tmp_path, TABLES_C)
    within = ["(((long long)@count >= -1) & ((long long)@count <= 2))"]
    assert granted(known, "count_name") == granted(known, "short_name") == within
    assert granted(known, "last_of") == ["(((long long)@number >= -1) & ((long long)@number <= 2))"]
    assert not granted(known, "safe_name")


def test_what_callers_pass_is_granted_where_nobody_asks(tmp_path: Path) -> None:
    known = surveyed(tmp_path, SHARES_C)
    assert granted(known, "rows") == ["(@size != 0)"]
    assert granted(known, "fill") == ["(@into || !@size)"]
    assert not granted(known, "text_hash")


@pytest.mark.parametrize(
    ("function", "lengths"),
    [
        ("text_hash", {}),
        ("sum_of", {"all": "count"}),
        ("convert", {"from": "size", "to": None}),
        ("texts", {"all": None}),
        ("longest", {"all": "count"}),
    ],
)
def test_a_number_counts_what_stands_before_it(function: str, lengths: dict[str, str | None], tmp_path: Path) -> None:
    known = surveyed(tmp_path, SHARES_C)
    (module,) = known.modules.values()
    info, walks = module.function(function), WalkFacts()
    assert info is not None
    walks.add(module.functions.values())
    found = guessed_arrays(info, module.types.table, walks.uses.of(function), known.kinds.only_divides(function))
    assert {name: extent.length for name, extent in found.items()} == lengths
    assert all(extent.ended == (function == "texts") for extent in found.values())


def test_a_callback_has_more_than_it_uses(tmp_path: Path) -> None:
    written(tmp_path, VISITORS_H, "visitors.h")
    known = surveyed(tmp_path, VISITORS_C)
    (source,) = known.modules
    assert known.is_callback(source, "level_of_data")
    assert not known.is_callback(source, "level_above")
    assert not known.is_callback(source, "visit")


def test_what_breaks_them_is_told_apart(tmp_path: Path) -> None:
    source = written(tmp_path, ITEMS_C + TABLES_C, "given.c")
    out = tmp_path / "out"
    done = untaken("unit", str(source), "--all", "--out", str(out), "--iterations", "60", "--json")
    told = json.loads(done.printed)
    assert not [each for each in told["findings"] if each["reached"] == "exported"], done.printed
    apart = {name for each in told["findings"] if each["reached"] == "arguments" for name in each["functions"]}
    assert "list_last" in apart
