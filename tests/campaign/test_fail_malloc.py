"""`--fail-malloc` on compiled programs: which allocation fails is explored, told, and the same in every build."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.campaign.commands import untaken, written
from untaken.campaign.findings.causes import CAUSES

# A member called malloc, an allocation through a pointer, one that is not looked at, and a function of its own.
PROGRAM = """
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct hooks { void *(*malloc)(size_t); };
char *strndup(const char *text, size_t most) { (void)most; return (char *)text; }
static char *copy(const char *text) {
    char *made = malloc(strlen(text) + 1);
    return strcpy(made, text);
}
int main(void) {
    char line[16] = "";
    struct hooks hooks = {malloc};
    char *first = hooks.malloc(4);
    if (!first) return errno == ENOMEM ? 1 : 9;
    void *aligned = NULL;
    if (posix_memalign(&aligned, 16, 32) != 0) return 2;
    char *second = strdup(strndup("hello", 3));
    if (!second) return 3;
    if (!fgets(line, sizeof line, stdin)) return 4;
    if (line[0] == 'x') puts(copy(line));
    char *larger = realloc(second, 100);
    if (!larger) return strcmp(second, "hello") ? 8 : 5;
    int *table = calloc(3, sizeof *table);
    if (!table) return 6;
    return 0;
}
"""
UNIT = """
#include <stdlib.h>
#include <string.h>
struct pair { char *name; int *values; };
struct pair *make(const char *name, int count) {
    if (!name || count < 0 || count > 10) return NULL;
    struct pair *made = malloc(sizeof *made);
    if (!made) return NULL;
    made->name = strdup(name);
    if (!made->name) { free(made); return NULL; }
    made->values = calloc((size_t)count + 1, sizeof *made->values);
    made->values[count] = 7;
    return made;
}
"""
PLACE = 1 + UNIT[: UNIT.index("calloc")].count("\n")


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("allocations")
    program = written(folder, PROGRAM)
    words = ("--fail-malloc", "--stdin", 8, "--iterations", 500, "--out", folder / "out")
    assert untaken("run", program, *words).code == 1
    return folder / "out"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    program = written(folder, UNIT)
    words = ("--fail-malloc", "--iterations", 600, "--out", folder / "out")
    assert untaken("unit", program, "make", *words).code == 1
    return folder / "out"


def are_the_same(replayed: str) -> bool:
    """All tests do what they did in the campaign, a finding included."""
    return re.search(r"^(\d+) of \1 tests do .*, 1 of them findings", replayed, re.MULTILINE) is not None


def ends(out: Path) -> set[int]:
    found = (json.loads(path.read_text())["exit"] for path in (out / "tests").glob("*.json"))
    return {exit["code"] for exit in found if exit["kind"] == "code"}


def test_every_allocation_fails_in_some_test(explored: Path) -> None:
    assert ends(explored) >= {0, 1, 2, 3, 5, 6}
    assert not ends(explored) & {8, 9}  # errno is set, and a block that could not be moved is as it was


def test_a_finding_says_which_allocation_fails(explored: Path) -> None:
    line = 1 + PROGRAM[: PROGRAM.index("malloc(strlen")].count("\n")
    crashes = json.loads((explored / "summary.json").read_text())["crashes"]
    assert [crash["cause"] for crash in crashes] == [f"{CAUSES['null']} when allocation 4 at program.c:{line} fails"]
    assert crashes[0]["confirmed_on"] == "the plain program"


@pytest.mark.parametrize("words", [(), ("--instrumented",)])
def test_tests_make_the_same_fail_in_every_build(explored: Path, words: tuple[str, ...]) -> None:
    assert are_the_same(untaken("replay", explored, *words).printed)


def test_branches_of_ours_do_not_count(explored: Path) -> None:
    summary = json.loads((explored / "summary.json").read_text())
    assert {function["name"] for function in summary["functions"]} == {"main"}


def test_a_program_that_reads_nothing_is_explored(tmp_path: Path) -> None:
    program = written(tmp_path, "#include <stdlib.h>\nint main(void) { return malloc(3) ? 0 : 7; }\n")
    answer = untaken("run", program, "--fail-malloc", "--iterations", 50, "--json", "--out", tmp_path / "out")
    assert answer.summary["branches_covered"] == 2
    assert "has one test" not in answer.said


def test_a_function_is_explored_with_failing_allocations(made: Path) -> None:
    crashes = json.loads((made / "summary.json").read_text())["crashes"]
    assert [crash["cause"] for crash in crashes] == [f"{CAUSES['null']} when allocation 3 at program.c:{PLACE} fails"]
    assert are_the_same(untaken("replay", made).printed)


@pytest.mark.parametrize("compiler", ["cc", "clang"])
def test_exported_tests_make_them_fail_without_us(made: Path, tmp_path: Path, compiler: str) -> None:
    target = tmp_path / "c"
    answer = untaken("export", made, "--format", "c", "--out", target)
    assert answer.code == 0 and "lost" not in answer.printed
    text = (target / "test_make.c").read_text()
    assert 'allocations_fail("F");' in text and 'allocations_fail(".F");' in text
    if subprocess.run(["which", compiler], capture_output=True, check=False).returncode:
        pytest.skip(f"there is no {compiler}")
    command = [compiler, "-Wall", "-Wextra", "-Werror", f"-I{made.parent}", "test_make.c", "-o", "tests"]
    subprocess.run(command, cwd=target, check=True)
    assert subprocess.run([target / "tests"], check=True, capture_output=True, text=True).stdout.count("ok ") >= 5


def test_where_it_cannot_be_is_told(tmp_path: Path) -> None:
    program = written(tmp_path, PROGRAM)
    built = tmp_path / "built"
    assert untaken("cc", "-w", program, "-o", built).code == 0
    answer = untaken("run", built, "--fail-malloc")
    assert answer.code == 2 and "build this program with `untaken cc -include" in answer.said
