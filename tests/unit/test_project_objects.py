"""`untaken unit --all`: what functions are given is made as the project makes it, and tests say what that was."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import written
from tests.unit.test_project import untaken

OBJECTS_C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct { int kind; union { char *text; double number; } u; } value;
value value_null(void) { value v = {0, {0}}; return v; }
value value_number(double d) { value v = {1, {0}}; v.u.number = d; return v; }
value value_text(const char *t) { value v = {2, {0}}; v.u.text = strdup(t); return v; }
int value_is_magic(value v) {
    if (v.kind == 2) return strcmp(v.u.text, "magic") == 0 ? 2 : 1;
    return 0;
}

struct setting { int type; struct setting *parent; int count; struct setting *items[4]; };
struct config { struct setting *root; };
void config_init(struct config *c) { c->root = calloc(1, sizeof *c->root); c->root->type = 9; }
struct setting *setting_add(struct setting *parent, int type) {
    struct setting *s = calloc(1, sizeof *s);
    s->parent = parent;
    s->type = type;
    if (parent->count < 4) parent->items[parent->count++] = s;
    return s;
}
int setting_index(struct setting *s) {
    if (!s->parent) return -1;
    if (s->type == 5) return s->parent->type == 9 ? 3 : 2;
    return 0;
}

struct scanner { int state; char *name; struct scanner *up; };
int scan_one(void *handle) {
    struct scanner *own = (struct scanner *)handle;
    if (own->state == 77) return 1;
    if (!own->up) return 2;
    return own->name[0] == 'x';
}
static int scan_again(void *handle) { return scan_one(handle); }

int header(FILE *in) {
    char word[8];
    if (!fgets(word, sizeof word, in)) return -1;
    if (strcmp(word, "magic\\n") == 0 && fgetc(in) == EOF) return 1;
    return 0;
}

int greeting(int fd) {
    char word[4];
    if (recv(fd, word, 4, 0) != 4) return -1;
    return memcmp(word, "HELO", 4) == 0 ? 1 : 0;
}
int hang_up(int sock) {
    if (sock > 3) return close(sock);
    return 1;
}

int note(const char *name) {
    FILE *out = fopen(name, "w");
    return out ? fputs("kept", out) : -1;
}

# 1 "objects.y"
int from_grammar(int n) { if (n >= 3) return 1; return 2; }
"""
LINE = '#line 1 "objects.y"'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("objects")
    source = written(folder, OBJECTS_C.replace('# 1 "objects.y"', LINE), "objects.c")
    answer = untaken("unit", "--all", source, "--iterations", 400, "--out", folder / "out", "--json")
    return folder / "out", json.loads(answer.printed)


def covered(told: dict[str, Any], function: str) -> tuple[int, int]:
    found = next(each for each in told["functions"] if each["function"] == function)
    return found["branches_covered"], found["branches_total"]


def text_of(made: tuple[Path, dict[str, Any]]) -> str:
    return (made[0] / "tests" / "test_objects.c").read_text()


def test_structs_that_are_passed_themselves_are_what_functions_return(made: tuple[Path, dict[str, Any]]) -> None:
    assert covered(made[1], "value_is_magic") == (4, 4)
    assert 'value_is_magic(value_text("magic"))' in text_of(made)


def test_members_of_made_objects_and_what_takes_those_make_objects(made: tuple[Path, dict[str, Any]]) -> None:
    assert covered(made[1], "setting_index") == (6, 6)
    text = text_of(made)
    assert "struct setting *s = root_owner->root;" in text
    assert "struct setting *s = setting_add(parent, 5);" in text


def test_void_pointers_are_what_the_code_takes_them_for(made: tuple[Path, dict[str, Any]]) -> None:
    assert covered(made[1], "scan_one") == (4, 4)
    text = text_of(made)
    assert "struct scanner handle = {.state = 77" in text
    assert "int result = scan_again(&handle);" in text
    assert ".name = NULL" not in text and not [each for each in made[1]["findings"] if each["reached"] == "exported"]


def test_streams_have_content(made: tuple[Path, dict[str, Any]]) -> None:
    assert covered(made[1], "header") == (6, 6)
    assert 'stream_of("magic\\n", 6)' in text_of(made)
    assert covered(made[1], "greeting") == (4, 4)
    assert 'int fd = descriptor_of("HELO' in text_of(made)


def test_descriptors_of_others_are_left_alone(made: tuple[Path, dict[str, Any]]) -> None:
    assert covered(made[1], "hang_up") == (2, 2)
    given = [int(number) for number in re.findall(r"hang_up\((\d+)\)", text_of(made))]
    assert given and min(given) >= 1 << 20


def test_functions_of_generated_files_are_their_own(made: tuple[Path, dict[str, Any]]) -> None:
    assert covered(made[1], "from_grammar")[1] >= 2


def test_names_say_what_holds(made: tuple[Path, dict[str, Any]]) -> None:
    text = text_of(made)
    for name in ("own_state_is_77", "own_state_is_not_77", "no_s_parent", "fgetc_in_is_eof"):
        assert f"_{name}(void)" in text


def test_they_are_built_without_a_warning_and_pass(made: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    flags = "CFLAGS=-g -Wall -Wextra -Wno-unused-function"
    ran = subprocess.run(
        ["make", "-C", made[0] / "tests", "check", "CC=cc", flags], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    left = {each.name for each in (made[0] / "tests").iterdir() if not each.suffix}
    assert left == {"Makefile", "test_objects"}  # what tests write does not stay


FAILING_C = """
#include <stdlib.h>
int elsewhere(int n);
struct box { int n; char *text; };
struct box *box_new(int n) {
    struct box *b = malloc(sizeof *b);
    if (!b) return NULL;
    b->text = malloc(8);
    if (!b->text) { free(b); return NULL; }
    b->n = n;
    return b;
}
int box_fill(struct box *b) { b->text = malloc(4); b->text[0] = 1; return elsewhere(b->n); }
"""
ELSEWHERE_C = "#include <stdlib.h>\nint elsewhere(int n) { int *p = malloc(4); if (!p) return 0; *p = n; return *p; }\n"


def test_allocations_of_the_file_fail(tmp_path: Path) -> None:
    box, other = written(tmp_path, FAILING_C, "box.c"), written(tmp_path, ELSEWHERE_C, "elsewhere.c")
    words = ("unit", "--all", box, other, "--fail-malloc", "--iterations", 80, "--json", "--out", tmp_path / "out")
    answer = untaken(*words)
    told = json.loads(answer.printed)
    assert covered(told, "box_new") == (4, 4) and covered(told, "elsewhere") == (2, 2)
    text = (tmp_path / "out" / "tests" / "test_box.c").read_text()
    assert 'allocations_fail("F");' in text and 'allocations_fail(".F");' in text
    found = [each for each in told["findings"] if each["reached"] == "exported"]
    assert [each["functions"] for each in found] == [["box_fill"]]
    assert 'allocations_fail("F");' in found[0]["call"]
    ran = subprocess.run(["make", "-C", tmp_path / "out" / "tests", "check"], capture_output=True, check=False)
    assert ran.returncode == 0


# What makes a box may end the program, and what changes one may crash, before the function is called.
BOX_C = """
#include <stdio.h>
#include <stdlib.h>
struct box { int n; int *cells; FILE *log; };
struct box *box_new(FILE *log, int n) {
    if (n > 50 || n < 1) exit(3);
    struct box *b = malloc(sizeof *b);
    b->n = n;
    b->cells = calloc((size_t)n, sizeof(int));
    b->log = log;
    return b;
}
void box_set(struct box *b, int at, int value) { b->cells[at] = value; }
int box_read(struct box *b) { return fgetc(b->log); }
int box_first(struct box *b) { return b->cells[0]; }
"""
SHARES_C = """
#include <stdio.h>
struct box;
struct box *box_new(FILE *log, int n);
void box_set(struct box *b, int at, int value);
int box_first(struct box *b);
int box_read(struct box *b);
int share(struct box *b, int among) { if (among == 9) return box_read(b) == 'x'; return 100 / among + box_first(b); }
int plain(struct box *b) { return box_first(b) + 1; }
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any], int]:
    folder = tmp_path_factory.mktemp("box")
    box, user = written(folder, BOX_C, "box.c"), written(folder, SHARES_C, "user.c")
    answer = untaken("unit", "--all", box, user, "--iterations", 200, "--json", "--out", folder / "out")
    return (folder / "out" / "tests" / "test_user.c").read_text(), json.loads(answer.printed), answer.code


def test_runs_that_end_before_the_call_hide_no_finding(shared: tuple[str, dict[str, Any], int]) -> None:
    _, told, code = shared
    found = [each for each in told["findings"] if each["what"] == "SIGFPE"]
    assert code == 1 and [(each["reached"], each["functions"]) for each in found] == [("exported", ["share"])]
    assert found[0]["call"][-1] == "int result = share(b, 0);"
    assert not any(each["problems"] for each in told["tests"])


def test_tests_are_of_runs_that_call_the_function(shared: tuple[str, dict[str, Any], int]) -> None:
    assert "int result = plain(b);" in shared[0]


def test_objects_are_made_of_streams(shared: tuple[str, dict[str, Any], int]) -> None:
    assert covered(shared[1], "share") == (2, 2)
    assert "struct box *b = box_new(log, " in shared[0]
