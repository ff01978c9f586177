"""`untaken unit --all`: allocations that fail where the code answers that, indices, and values with values in them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.campaign.commands import written
from tests.unit.test_project import untaken
from tests.unit.test_project_states import Explored, covered

# What calls the allocator is in another file; an index decides which element is looked at; values have values in them.
ALLOCATOR_C = """
#include <stdlib.h>
void *own_malloc(size_t size) { return malloc(size ? size : 1); }
"""
FATAL_C = """
#include <stdio.h>
#include <stdlib.h>
static void out_of_memory(void) { fputs("no memory", stderr); abort(); }
void *sure_malloc(size_t size) { void *p = malloc(size); if (!p) out_of_memory(); return p; }
"""
MODES_H = "#define MODE_READ 7247\n#define MODE_APPEND (-31153)\n#define REFUSED (-7)\n"
VALUES_C = """
#include <stdlib.h>
#include <string.h>
#include "modes.h"
void *own_malloc(size_t size);
void *sure_malloc(size_t size);

struct pair { int *first; int *second; };
int pair_fill(struct pair *p) {
    p->first = own_malloc(sizeof(int));
    if (p->first == NULL) return -1;
    p->second = own_malloc(sizeof(int));
    if (p->second == NULL) { free(p->first); return -2; }
    *p->first = *p->second = 0;
    return 0;
}
char *sure_copy(int n) { char *p = sure_malloc(4); p[0] = n > 3 ? 'a' : 'b'; return p; }

struct stream { int mode; char *name; };
int stream_state(const struct stream *s, int last) {
    if (s->mode == MODE_READ) return last - 5 > 100 ? REFUSED : 1;
    switch (s->mode) {
    case MODE_APPEND: return 2;
    }
    return 3;
}
int is_comment(const char *text, char last) {
    if (!strcmp(text, "//")) return 1;
    if (last == '*') return 2;
    return 0;
}

struct node { int kind; long weight; };
struct stack { int *start; int *end; int *top; };
struct nodes { struct node *start, *end, *top; };
int kind_at_top(struct stack *s, struct nodes *all) {
    if (s->top == s->start) return -1;
    int number = *(s->top - 1);
    struct node *found = &all->start[number - 1];
    switch (found->kind) {
    case 1: return 10;
    case 2: return found->weight > 5 ? 20 : 21;
    default: return 30;
    }
}

/* A value by itself; a hash hides what a key is compared with. */
typedef struct { int kind; unsigned key; int number; } value;
value value_null(void) { value v = {0, 0, 0}; return v; }
value value_number(int amount) { value v = {1, 0, amount}; return v; }
value value_text(const char *text) {
    value v = {2, 0, 0};
    for (int i = 0; text[i]; i++) v.key = v.key * 2654435761u + (unsigned char)text[i] * 40503u + (v.key >> 15);
    return v;
}
value value_object(void) { value v = {3, 0, 0}; return v; }
value value_object_set(value o, value key, value entry) {
    if (o.kind == 3 && key.kind == 2 && entry.kind == 1) { o.key = key.key; o.number = entry.number; }
    return o;
}
int starts_at(value o) {
    if (o.kind != 3) return -1;
    if (o.key == value_text("start").key) return o.number > 1000 ? 2 : 1;
    return 0;
}
"""


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Explored:
    folder = tmp_path_factory.mktemp("answered")
    texts = {"values.c": VALUES_C, "allocator.c": ALLOCATOR_C, "fatal.c": FATAL_C}
    files = [written(folder, text, name) for name, text in texts.items()]
    written(folder, MODES_H, "modes.h")
    answer = untaken("unit", "--all", *files, "--iterations", 150, "--json", "--out", folder / "out")
    return folder / "out", json.loads(answer.printed)


def test_allocations_fail_in_another_file_where_that_is_answered(answered: Explored) -> None:
    out, told = answered
    assert covered(answered, "pair_fill") == (4, 4)
    assert covered(answered, "sure_copy") == (2, 2)
    text = (out / "tests" / "test_values.c").read_text()
    assert "test_pair_fill_when_allocation_1_fails(void)" in text and 'allocations_fail(".F");' in text
    assert not [each for each in told["findings"] if "sure_copy" in each["functions"]]


def test_numbers_that_are_an_index_are_mostly_small(answered: Explored) -> None:
    assert covered(answered, "kind_at_top") == (8, 8)


def test_values_have_values_in_them_and_texts_that_the_function_mentions(answered: Explored) -> None:
    driver = (answered[0] / "drivers" / "values.untaken.c").read_text()
    assert covered(answered, "starts_at") == (6, 6)
    assert '"start"); break;' in driver


def test_numbers_have_the_names_that_the_source_means(answered: Explored) -> None:
    text = (answered[0] / "tests" / "test_values.c").read_text()
    assert ".mode = MODE_READ" in text and ".mode = MODE_APPEND" in text
    assert "assert(result == REFUSED);" in text and "7247" not in text


def test_names_are_conditions_in_words(answered: Explored) -> None:
    text = (answered[0] / "tests" / "test_values.c").read_text()
    for name in ("stream_state_last_minus_5_above_100", "stream_state_s_mode_is_mode_read", "is_comment_last_is_star"):
        assert f"test_{name}(void)" in text
    assert "test_is_comment_same_text" in text and "_taken(void)" not in text


def test_a_function_without_branches_costs_few_runs(answered: Explored) -> None:
    runs = {each["function"]: each["iterations"] for each in answered[1]["functions"]}
    assert runs["value_number"] < 30


def test_tests_with_failing_allocations_of_other_files_pass(answered: Explored) -> None:
    ran = subprocess.run(
        ["make", "-C", answered[0] / "tests", "check", "CC=cc", "CFLAGS=-g -Wall -Wextra"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")


def test_what_depends_on_the_environment_is_not_pinned(tmp_path: Path) -> None:
    text = (
        "#include <stdlib.h>\n#include <string.h>\nstruct answer { int length; int pad_; };\n"
        'struct answer home(int more) { struct answer a = {0, 0}; const char *h = getenv("HOME");\n'
        "    a.length = h ? (int)strlen(h) : -1; if (more > 5) a.length = 0; return a; }\n"
    )
    untaken("unit", "--all", written(tmp_path, text, "home.c"), "--iterations", 30, "--out", tmp_path / "out")
    tests = (tmp_path / "out" / "tests" / "test_home.c").read_text()
    assert "result.length is not pinned: it depends on the environment" in tests
    assert "assert(result.length == 0);" in tests and "pad_" not in tests
