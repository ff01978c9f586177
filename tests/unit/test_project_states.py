"""`untaken unit --all`: objects in states that no single call makes, and memory that several pointers lead into."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import written
from tests.unit.test_project import untaken
from untaken.unit.project.objects import has_sanitizers

Explored = tuple[Path, dict[str, Any]]

STATES_C = """
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A handle: the struct that callers know begins a larger one. */
struct handle { unsigned have; long pos; };
struct state { struct handle x; int mode; int error; int fd; char *path; };
struct handle *handle_open(int fd) {
    struct state *s = calloc(1, sizeof *s);
    char first;
    s->fd = fd;
    s->mode = 1;
    if (read(fd, &first, 1) == 1 && first == '#') s->x.have = 5;
    return (struct handle *)s;
}
long handle_tell(struct handle *file) {
    struct state *s = (struct state *)file;
    if (s->mode != 1 && s->mode != 7247) return -1;
    if (s->error == -5) return -2;
    if (s->x.have == 5) return 3;
    return s->x.pos;
}

/* A buffer: three pointers into the same memory. */
struct buffer { unsigned char *start, *end, *pointer, *last; int line; void *unused; };
int buffer_next(struct buffer *b) {
    if (b->pointer >= b->last) return -1;
    if (*b->pointer == '\\n') { b->line++; return b->last == b->end; }
    return b->last - b->pointer > 2 ? b->pointer[1] : 0;
}

/* What an exported function asserts is for its callers' callers, too. */
int checked(int n) { assert(n >= 0); return n > 9 ? 3 : 1; }
int hands_on(int n) { return n > 50 ? 0 : checked(n); }
static int helper(int n) { assert(n != 7); return n; }
int computes(int n) { return n > 50 ? 0 : helper(n + 1); }

static char line[32];
int log_line(int level, const char *format, va_list arguments) {
    if (level > 3) return -1;
    return vsnprintf(line, sizeof line, format, arguments) > 4 ? 2 : 1;
}

struct box { int n; int err; char *text; };
void box_error(struct box *b, int err) {
    if (b->text) { free(b->text); b->text = 0; }
    if (err == -5) b->n = 0;
    b->err = err;
}
int box_drop(struct box *b, int how) { b->err = 3; if (how == 7) { free(b); return 1; } return 0; }

struct setting { int type; struct list *list; struct setting *parent; };
struct list { int length; struct setting **elements; };
int setting_find(struct setting *s, int wanted) {
    if (!s->list || !s->list->elements) return -1;
    if (s->list->length == 1 && s->list->elements[0] == s) { if (wanted == 77) free(s->list); return 7; }
    return wanted;
}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Explored:
    folder = tmp_path_factory.mktemp("states")
    source = written(folder, STATES_C, "states.c")
    answer = untaken("unit", "--all", source, "--iterations", 400, "--out", folder / "out", "--json")
    return folder / "out", json.loads(answer.printed)


def covered(made: Explored, function: str) -> tuple[int, int]:
    found = next(each for each in made[1]["functions"] if each["function"] == function)
    return found["branches_covered"], found["branches_total"]


def text_of(made: Explored) -> str:
    return (made[0] / "tests" / "test_states.c").read_text()


def test_what_begins_a_larger_struct_is_made_and_changed_as_that(made: Explored) -> None:
    assert covered(made, "handle_tell") == (8, 8)
    text = text_of(made)
    assert "= handle_open(" in text
    assert "((struct state *)file)->" in text or "(struct handle *)&file" in text


def test_functions_that_make_objects_read_from_descriptors(made: Explored) -> None:
    assert covered(made, "handle_open") == (4, 4)
    assert re.search(r'= handle_open\(descriptor_of\(|int fd = descriptor_of\("#', text_of(made))


def test_pointers_into_the_same_memory_belong_together(made: Explored) -> None:
    assert covered(made, "buffer_next") == (6, 6)
    text = text_of(made)
    assert ".end = b_start + 24" in text
    assert not [each for each in made[1]["findings"] if "buffer_next" in each["functions"]]


def test_what_no_code_looks_at_is_not_built(made: Explored) -> None:
    text = text_of(made)
    assert "unused" not in text and "s_parent" not in text


def test_a_pointer_back_may_be_all_that_an_object_is(made: Explored) -> None:
    assert covered(made, "setting_find") == (10, 10)
    assert "*s_list_elements = s;" in text_of(made)


def test_what_an_exported_function_asserts_is_a_precondition_of_who_hands_it_on(made: Explored) -> None:
    assertions = [each for each in made[1]["findings"] if "assertion" in each["what"]]
    assert [each["functions"] for each in assertions] == [["computes"]]


def test_lists_of_arguments_are_empty(made: Explored) -> None:
    assert covered(made, "log_line") == (4, 4)
    assert "static __builtin_va_list arguments;" in text_of(made)


@pytest.mark.skipif(not has_sanitizers(), reason="only a sanitizer tells what was freed")
def test_what_was_not_freed_is_looked_at(made: Explored) -> None:
    text = text_of(made)
    assert "box_error(b, -5);\n    assert(b->err == -5);" in text
    assert "box_drop(b, 0);\n    assert(result == 0);\n    assert(b->err == 3);" in text
    assert "box_drop(b, 7);\n    assert(result == 1);\n}" in text


def test_what_changes_nothing_says_what_it_left(made: Explored) -> None:
    assert "box_error(b, 0);\n    assert(b->n == 0);" in text_of(made)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_they_are_built_without_a_warning_and_pass(made: Explored, compiler: str, tmp_path: Path) -> None:
    command = ["make", "-C", str(made[0] / "tests"), f"CC={compiler}", "CFLAGS=-Wall -Wextra -Werror", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


SETTER_C = """
#include <string.h>
struct parser { int state; unsigned char delim; };
int parser_init(struct parser *p, int state) {
    if (!p) return -1;
    memset(p, 0, sizeof *p);
    p->state = state;
    p->delim = ',';
    return 0;
}
void parser_set_delim(struct parser *p, unsigned char c) { if (p) p->delim = c; }
"""


def test_what_a_setter_sets_is_pinned_though_it_may_be_given_null(tmp_path: Path) -> None:
    source = written(tmp_path, SETTER_C, "setter.c")
    untaken("unit", "--all", source, "--iterations", 60, "--out", tmp_path / "out")
    text = (tmp_path / "out" / "tests" / "test_setter.c").read_text()
    assert "parser_set_delim(NULL" in text and "assert(p->delim == 0);" in text


HANDLE_C = """
#include <stdlib.h>
struct part { int have; long pos; };
struct whole { struct part x; int mode; int error; char *path; };
static int whole_init(struct whole *w) { w->mode = 7; w->path = malloc(4); return w->path ? 0 : -1; }
int part_state(struct part *file) {
    struct whole *w = (struct whole *)file;
    if (w->mode != 7 && w->mode != 9) return -1;
    if (w->error == -5) { free(w->path); w->path = NULL; return -2; }
    w->error++;
    return w->x.have == 3 ? 1 : 0;
}
int part_start(struct part *file) { return whole_init((struct whole *)file); }
"""


def test_what_is_taken_for_a_larger_struct_is_always_cast(tmp_path: Path) -> None:
    source = written(tmp_path, HANDLE_C, "handle.c")
    untaken("unit", "--all", source, "--iterations", 100, "--out", tmp_path / "out")
    text = (tmp_path / "out" / "tests" / "test_handle.c").read_text()
    assert "whole_init(file);" in text and "part_state((struct part *)file)" in text
    assert not re.search(r"part_state\(&?file\)|\(struct part \*\)file->", text)
