"""`untaken unit --all`: how the objects that a function is given go together, and names with capitals."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import written
from tests.unit.test_project import untaken

RELATIONS_C = r"""
#include <stdlib.h>
#include <string.h>
#include "kind.h"

typedef struct item {
    struct item *parent, *child, *next;
    int kind, color, weight, height, width, depth, age, price, place, marks;
} item;

item *itemNew(item *parent, int kind) {
    item *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->kind = kind;
    if (parent) {
        made->parent = parent;
        made->next = parent->child;
        parent->child = made;
    }
    return made;
}
item *itemGetNext(item *of) { return of ? of->next : NULL; }
int itemRemove(item *from, item *what) {
    if (from == what) return -1;
    if (!from->child) return 0;
    if (from->child == what) {
        from->child = what->next;
        return 1;
    }
    return 2;
}
void itemSetColor(item *of, int n) { of->color = n; }
void itemSetWeight(item *of, int n) { of->weight = n; }
void itemSetHeight(item *of, int n) { of->height = n; }
void itemSetWidth(item *of, int n) { of->width = n; }
void itemSetDepth(item *of, int n) { of->depth = n; }
void itemSetAge(item *of, int n) { of->age = n; }
void itemSetPrice(item *of, int n) { of->price = n; }
void itemSetMarks(item *of, int n, int more) { of->marks = n > 5 ? 77 * more : 0; }
int itemMarked(const item *of) { return of->marks == 77; }

typedef struct { int kind; double n; } value;
value value_one(void) { value v = {1, 0}; return v; }
value value_two(int n) { value v = {2, n}; return v; }
value value_three(int n) { value v = {3, n}; return v; }
value value_four(int n) { value v = {4, n}; return v; }
value value_five(int n) { value v = {5, n}; return v; }
value value_six(int n) { value v = {6, n}; return v; }
int value_compare(value a, value b) {
    if (a.kind != b.kind) return KIND_DIFFERS;
    if (a.kind == 5) return a.n > b.n ? 1 : 0;
    if (a.kind == 6) return a.n < b.n ? 1 : 0;
    return 0;
}

typedef struct { unsigned hash; int value; } table;
static unsigned hash_of(const char *key) {
    unsigned hash = 2166136261u;
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash % 65521;
}
table *table_new(void) { return calloc(1, sizeof(table)); }
void table_put(table *in, const char *key, int number) { in->hash = hash_of(key) * *key; in->value = number; }
int table_find(const table *in, const char *key) {
    if (!*key) return -2;
    if (in->hash != hash_of(key) * *key) return -1;
    return in->value;
}

typedef struct { char *text; int used; } buffer;
MUST_USE int buffer_init(buffer *b) { b->text = calloc(1, 16); b->used = 0; return b->text ? 0 : -1; }
int buffer_print(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
int buffer_print(buffer *b, const char *format, ...) {
    if (b->used > 15) return -1;
    b->used += *format != 0;
    return 0;
}

int table_swap(table **in, unsigned char *bytes, int lenBytes) {
    if (*in == NULL) return -1;
    (*in)->value = lenBytes > 3 ? bytes[lenBytes - 1] : 0;
    return (*in)->value > 7;
}

int table_first(table **in) { return (*in)->value; }

int lead(char byte) {
    if (((unsigned char)byte & 0xe0) == 0xc0) return 2;
    return byte == '\n' ? 3 : 1;
}

int feed(int (*ask)(int), unsigned times) {
    int sum = 0;
    for (unsigned i = 0; i < times && i < 3000; i++) sum += ask((int)i);
    if (times > 100) return -1;
    return sum == 5 ? 1 : 0;
}
"""


KIND_H = """
#define KIND_DIFFERS 2
#define MUST_USE __attribute__((warn_unused_result))
"""


@pytest.fixture(scope="module")
def related(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("relations")
    written(folder, RELATIONS_C, "relations.c")
    (folder / "include").mkdir()
    written(folder / "include", KIND_H, "kind.h")
    words = ("--iterations", 300, "--out", "out", "--cflags", "-Iinclude", "--json")
    answer = untaken("unit", "--all", "relations.c", *words, folder=folder)
    return folder / "out", json.loads(answer.printed)


def text_of(out: Path) -> str:
    return (out / "tests" / "test_relations.c").read_text()


def written_for(out: Path, function: str) -> str:
    """All tests of a function."""
    return "\n".join(re.findall(rf"static void test_{function}\w*\(void\) {{.*?^}}", text_of(out), re.S | re.M))


def covered(told: dict[str, Any], function: str) -> tuple[int, int]:
    found = next(each for each in told["functions"] if each["function"] == function)
    return found["branches_covered"], found["branches_total"]


def test_flags_with_relative_folders_hold_where_the_tests_are_compiled(related: tuple[Path, dict[str, Any]]) -> None:
    out, _ = related
    assert "KIND_DIFFERS" in (out.parent / "relations.c").read_text()
    assert "value_compare(" in text_of(out)


def test_the_tests_compile_without_a_warning_and_pass(related: tuple[Path, dict[str, Any]]) -> None:
    """Also where a result must be used that a preparing call does not look at, and with empty formats."""
    words = ["make", "-C", str(related[0] / "tests"), "CFLAGS=-Wall -Wextra -Werror", "check"]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def test_an_object_may_be_the_same_as_another_or_a_part_of_it(related: tuple[Path, dict[str, Any]]) -> None:
    out, told = related
    assert covered(told, "itemRemove") == (6, 6)
    assert re.search(r"itemRemove\((&?\w+), \1\)", written_for(out, "itemRemove"))
    assert re.search(r"itemRemove\(&?(\w+), \1(->|\.)child\)", written_for(out, "itemRemove"))


def test_functions_that_make_objects_are_given_none_where_they_do_without(
    related: tuple[Path, dict[str, Any]],
) -> None:
    assert "from = itemNew(NULL, " in written_for(related[0], "itemRemove")
    assert "itemGetNext(NULL)" not in written_for(related[0], "itemRemove")  # that makes nothing


def test_setters_are_those_that_have_to_do_with_the_function(related: tuple[Path, dict[str, Any]]) -> None:
    """Not the first ones with few parameters."""
    drivers = (related[0] / "drivers" / "relations.untaken.c").read_text()
    marked = drivers.partition("static void untaken_drive_itemMarked(void) {")[2].partition("\n}\n")[0]
    assert "itemSetMarks(" in marked


def test_two_values_are_often_made_alike(related: tuple[Path, dict[str, Any]]) -> None:
    assert covered(related[1], "value_compare") == (10, 10)


def test_a_key_may_be_the_one_that_was_put_in(related: tuple[Path, dict[str, Any]]) -> None:
    out, told = related
    assert covered(told, "table_find") == (4, 4)
    assert '"key");' in written_for(out, "table_find")


def test_a_pointer_to_a_pointer_leads_to_what_the_project_makes(related: tuple[Path, dict[str, Any]]) -> None:
    out, told = related
    assert covered(told, "table_swap")[0] >= 3
    assert "= table_new();" in written_for(out, "table_swap")
    assert [each for each in told["findings"] if each["reached"] == "exported"] == []  # the length is one


def test_bytes_are_written_as_characters(related: tuple[Path, dict[str, Any]]) -> None:
    assert re.search(r"lead\('\\x[cd][0-9a-f]'\)", written_for(related[0], "lead"))
    assert r"lead('\n')" in written_for(related[0], "lead")


def test_zeros_that_a_stub_returns_by_itself_are_not_listed(related: tuple[Path, dict[str, Any]]) -> None:
    """However often it was called."""
    tests = written_for(related[0], "feed")
    assert covered(related[1], "feed")[0] >= 7
    assert all(int(count) <= 101 for count in re.findall(r"_results\[(\d+)\]", tests))


WORDS_C = """
#include "words.h"
#include "words-private.h"
int words_first(const int *all) { return all[0] > 3 ? 100 / (all[0] - 7) : 0; }
int words_inner(const int *all) { return all[0] > 3 ? 100 / (all[0] - 8) : 0; }
"""
WORDS_H = "int words_first(const int *all);\n"
PRIVATE_H = "int words_inner(const int *all); /* and words_first() is in words.h */\n"


def test_what_only_a_private_header_declares_is_not_for_callers(tmp_path: Path) -> None:
    for name, text in (("words.c", WORDS_C), ("words.h", WORDS_H), ("words-private.h", PRIVATE_H)):
        written(tmp_path, text, name)
    words = ("--iterations", 100, "--out", tmp_path / "out", "--json")
    told = json.loads(untaken("unit", "--all", tmp_path / "words.c", *words).printed)
    reached = {each["functions"][0]: each["reached"] for each in told["findings"]}
    assert reached == {"words_first": "exported", "words_inner": "driver"}
