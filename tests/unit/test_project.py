"""`untaken unit --all`: every function of a small project, its tests as C, and what is found."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import Answer, command, written

PATIENCE = 400  # seconds: some commands compile a dozen times, and the machine may be busy
LIST_H = "struct list { int value; struct list *next; };\nint total(const struct list *l);\nint share(int a, int b);\n"
LIST_C = """
#include "list.h"
#define value_of(l) ((l)->value)
int total(const struct list *l) {
    int sum = 0;
    for (; l; l = l->next) {
        if (value_of(l) > 1000) return -1;
        sum += value_of(l);
    }
    return sum;
}
int share(int a, int b) { if (b == 0 && a == 7) return a / b; return b ? a / b : 0; }
"""
USE_C = """
#include <stdlib.h>
#include <string.h>
#include "list.h"
static int clamp(int x, int most) { return x > most ? most : x; }
int half(int a) { if (a < 0) return -1; return share(a, 2) + clamp(a, 7); }
int quotient(int a, int b) { return share(a, b); }
int initial(const char *word) { return word[0] == 'u' && word[1] == 'n'; }
int sum_bytes(const unsigned char *data, unsigned len) {
    int sum = 0;
    for (unsigned i = 0; i < len; i++) sum += data[i];
    return sum == 100;
}
int longer(const char *format, ...) { return format[0] == 'w' ? 1 : format[0] == '%'; }
int much(void) {
    volatile long most = -1;
    void *p = malloc(most);
    if (!p) return 1;
    free(p);
    return 0;
}
int elsewhere(const struct list *l) { return total(l) == 42; }
int main(void) { return half(4); }
"""

STACK_H = """
struct stack;
struct stack *stack_new(int room);
void stack_push(struct stack *s, int value);
int stack_top(const struct stack *s);
"""
STACK_C = """
#include <stdlib.h>
#include "stack.h"
struct stack { int room; int used; int *values; };
struct stack *stack_new(int room) {
    if (room < 1 || room > 8) return NULL;
    struct stack *s = calloc(1, sizeof *s);
    s->room = room;
    s->values = calloc(room, sizeof *s->values);
    return s;
}
void stack_push(struct stack *s, int value) { if (s->used < s->room) s->values[s->used++] = value; }
int stack_top(const struct stack *s) { return s->used ? s->values[s->used - 1] : -1; }
"""
CLIENT_C = """
#include "stack.h"
int is_deep(const struct stack *s) {
    if (!s) return -1;
    if (stack_top(s) == 77) return 1;
    return 0;
}
"""


def untaken(*words: object, folder: Path | None = None) -> Answer:
    """Runs a command to its end, in a folder."""
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=folder)
    return Answer(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True, slots=True)
class Explored:
    """A project that was explored."""

    out: Path
    code: int
    told: dict[str, Any]

    @property
    def functions(self) -> dict[str, tuple[int, int]]:
        return {each["function"]: (each["branches_covered"], each["branches_total"]) for each in self.told["functions"]}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name, text in (("list.h", LIST_H), ("list.c", LIST_C), ("use.c", USE_C)):
        written(folder, text, name)
    entries = [{"directory": str(folder), "file": name, "command": f"cc -c {name}"} for name in ("list.c", "use.c")]
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return folder


def explored(project: Path, out: Path, *words: object) -> Explored:
    database = project / "compile_commands.json"
    answer = untaken(
        "unit", "--all", "--compile-commands", database, "--iterations", 150, "--out", out, "--json", *words
    )
    return Explored(out, answer.code, json.loads(answer.printed))


@pytest.fixture(scope="module")
def done(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Explored:
    return explored(project, tmp_path_factory.mktemp("done") / "out", "--jobs", 2)


def test_every_function_of_every_file_is_explored_with_what_it_needs_of_the_others(done: Explored) -> None:
    found = done.functions
    listed = {"total", "share", "clamp", "half", "quotient", "initial", "sum_bytes", "longer", "much", "elsewhere"}
    assert set(found) == listed
    assert found["total"] == (4, 4) and found["half"] == (2, 2) and found["clamp"] == (2, 2)
    assert found["longer"] == (2, 2)  # called without further arguments, with texts that ask for none
    assert found["elsewhere"] == (0, 0) and found["sum_bytes"] == (2, 2)


def test_one_cause_is_one_finding_and_says_how_it_is_reached(done: Explored) -> None:
    divisions = [each for each in done.told["findings"] if each["what"] == "SIGFPE"]
    assert [each["functions"] for each in divisions] == [["share", "quotient"]]  # which only hands on
    assert divisions[0]["reached"] == "exported"
    assert divisions[0]["call"][-1].startswith("int result = share(")
    assert done.code == 1


def test_pointers_that_nobody_passes_as_null_are_no_findings(done: Explored) -> None:
    assert not any("SIGSEGV" in each["what"] for each in done.told["findings"])


def build_and_run(tests: Path, tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A copy beside the original, so that relative paths hold."""
    folder = tests.with_name(f"tests-{tmp_path.name}")
    shutil.copytree(tests, folder)
    command = ["make", "-s", "-C", str(folder), *words, "check"]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_the_tests_are_built_and_pass_without_a_warning(done: Explored, tmp_path: Path) -> None:
    ran = build_and_run(done.out / "tests", tmp_path, "CC=cc", "CFLAGS=-Wall -Wextra -Wno-sign-compare")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count("ok test_") == sum(len(each["tests"]) for each in done.told["tests"])


def test_the_tests_are_clean_under_sanitizers(done: Explored, tmp_path: Path) -> None:
    if not done.told["sanitized"]:
        pytest.skip("no compiler here has sanitizers: apt-get install gcc")
    ran = build_and_run(done.out / "tests", tmp_path, "CC=cc", "CFLAGS=-g -fsanitize=address,undefined")
    assert ran.returncode == 0
    assert "ERROR" not in ran.stderr and "runtime error" not in ran.stderr


def test_names_come_from_what_is_covered(done: Explored) -> None:
    text = (done.out / "tests" / "test_list.c").read_text()
    assert "test_total_value_of_l_above_1000" in text
    assert "/home" not in text and "0x" not in text
    assert str(done.out) not in (done.out / "tests" / "Makefile").read_text()


def test_ctest_knows_each_by_its_name(done: Explored) -> None:
    lists = (done.out / "tests" / "CMakeLists.txt").read_text()
    names = [name for each in done.told["tests"] for name in each["tests"]]
    assert all(f"add_test(NAME {name} COMMAND" in lists for name in names)


def test_a_second_run_goes_on_where_the_first_one_ended(done: Explored, project: Path) -> None:
    again = explored(project, done.out)
    assert again.functions == done.functions
    assert again.told["tests"] == done.told["tests"]


def test_opaque_objects_are_made_by_the_projects_own_functions(tmp_path: Path) -> None:
    for name, text in (("stack.h", STACK_H), ("stack.c", STACK_C), ("client.c", CLIENT_C)):
        written(tmp_path, text, name)
    words = ("unit", "--all", tmp_path / "client.c", tmp_path / "stack.c", "--iterations", 400)
    answer = untaken(*words, "--out", tmp_path / "out", "--json")
    told = Explored(tmp_path / "out", answer.code, json.loads(answer.printed))
    assert told.functions["is_deep"] == (4, 4)
    text = (tmp_path / "out" / "tests" / "test_client.c").read_text()
    assert "struct stack *s = stack_new(" in text and "stack_push(s, 77);" in text
    assert not [each for each in told.told["findings"] if each["reached"] == "exported"]
    ran = build_and_run(tmp_path / "out" / "tests", tmp_path, "CC=cc", "CFLAGS=-Wall -Wextra")
    assert (ran.returncode, ran.stderr) == (0, "")


GROWING = """
#include <string.h>
int twelfth(const unsigned short *key) { if (key[11] == 99) return 1; return 0; }
void greet(char *out) { strcpy(out, "a longer text"); }
int behind(const unsigned char *data, unsigned len) { if (len > 3 && data[0] == 'x') return data[len]; return 0; }
"""


def test_memory_that_a_run_goes_past_is_larger_the_next_time(tmp_path: Path) -> None:
    source = written(tmp_path, GROWING)
    answer = untaken("unit", "--all", source, "--iterations", 80, "--out", tmp_path / "out", "--json")
    told = Explored(tmp_path / "out", answer.code, json.loads(answer.printed))
    if not told.told["sanitized"]:
        pytest.skip("no compiler here has sanitizers: apt-get install gcc")
    text = (tmp_path / "out" / "tests" / "test_program.c").read_text()
    assert "unsigned short key[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 99};" in text
    assert 'assert(strcmp(out, "a longer text") == 0);' in text
    assert [each["functions"] for each in told.told["findings"]] == [["behind"]]  # a length was given: that is a fault


def test_named_files_only(project: Path, tmp_path: Path) -> None:
    answer = untaken("unit", "--all", project / "list.c", "--iterations", 50, "--out", tmp_path / "out", "--quiet")
    assert answer.code == 1
    assert (tmp_path / "out" / "tests" / "test_list.c").exists()
    assert not (tmp_path / "out" / "tests" / "test_use.c").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--all",), "there is nothing to explore: name C files, or a compile_commands.json"),
        (("use.c",), "unit wants FILE.c and FUNCTION; or --all"),
        (("--all", "nowhere.c"), "nowhere.c: no such file"),
    ],
)
def test_what_is_missing_is_said(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = untaken("unit", *words, "--out", tmp_path / "out")
    assert answer.code == 2
    assert sentence in answer.said
