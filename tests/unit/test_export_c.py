"""`untaken export --format c`: the tests are compiled and run, cover what the campaign covered, and can fail."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import cast

import pytest

from tests.campaign.commands import campaign, written
from tests.unit.commands import FUNCTIONS, unit
from tests.unit.test_unit_command import UNDEFINED
from untaken.campaign.folder.output_folder import OthersTests
from untaken.cli.main import guarded, run
from untaken.unit import driver
from untaken.unit.export import choose, observe
from untaken.unit.export.cases import Case, make_case
from untaken.unit.export.programs import Workshop
from untaken.unit.export.text import RETURNED
from untaken.unit.export.values import Given
from untaken.unit.shape import UnitPlan

PATIENCE = 100
Captured = pytest.CaptureFixture[str]
EXPORTED = [
    "reals",
    "bit_fields",
    "words --array argv=argc",
    "callbacks",
    "with_global --global limit --global origin",
    "drop",
    "consistent",
]


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with a crash."""
    out = tmp_path_factory.mktemp("divide")
    unit(FUNCTIONS, "divide", out)
    return out


def export(out: Path, *words: object) -> Path:
    """Writes the tests; exit code 0 says that they were compiled and run."""
    assert guarded(run, ["export", str(out), "--format", "c", *map(str, words)]) == 0
    return out / "export-c"


def test_a_plan_of_somebody_else_is_not_compiled(divided: Path, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(divided, folder)
    plan = folder / "unit" / "unit.json"
    harm = tmp_path / "harm"
    plan.write_text(plan.read_text().replace('"-w"', f'"-w", "-ftime-trace={harm}"'))
    assert guarded(run, ["export", str(folder), "--format", "c"]) == 2
    assert "unit.json was not written here" in capsys.readouterr().err
    assert not harm.exists()


@pytest.mark.parametrize("text", ["", "[]", "3", '{"node": "Zero"}', '{"node": 4}', "[" * 100_000])
def test_a_plan_that_is_none_is_told_in_a_sentence(text: str, divided: Path, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(divided, folder)
    (folder / "unit" / "unit.json").write_text(text)
    assert guarded(run, ["export", str(folder), "--format", "c", "--trust"]) == 2
    assert "run `untaken unit` again" in capsys.readouterr().err


def test_inputs_that_another_version_drew_are_refused(
    divided: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = shutil.copytree(divided, tmp_path / "out")
    monkeypatch.setattr(driver, "SUPPORT", f"{driver.SUPPORT}/* it draws in another way */\n")
    assert guarded(run, ["export", str(out), "--format", "c", "--trust"]) == 2
    said = capsys.readouterr().err
    assert f"{out} holds tests that another version of untaken made" in said and "choose another --out" in said
    with pytest.raises(OthersTests, match="another version of untaken"):
        unit(FUNCTIONS, "divide", out, "--iterations", 5)


def text_of(folder: Path, function: str) -> str:
    return (folder / f"test_{function}.c").read_text()


def count_of_tests(text: str) -> int:
    return len(re.findall(r"^static void test_\w+\(void\) \{$", text, re.MULTILINE))


def compiled(file: Path, *words: object) -> Path:
    """By the system's compiler: nothing in the file needs ours."""
    program = file.with_suffix(".program")
    command = ["cc", "-w", f"-I{FUNCTIONS.parent}", str(file), *map(str, words), "-o", str(program)]
    subprocess.run(command, check=True, timeout=PATIENCE)
    return program


@pytest.mark.parametrize("words", EXPORTED)
def test_exported_tests_cover_what_the_campaign_covered(words: str, tmp_path: Path, capsys: Captured) -> None:
    """The export finds that out itself: here only what it says."""
    function, *options = words.split()
    explored = unit(FUNCTIONS, function, tmp_path / "out", *options)
    assert explored.covered == explored.total
    export(tmp_path / "out")
    said = capsys.readouterr().out
    assert f"test_{function}.c was compiled and run: all pass" in said
    assert "lost" not in said and "found out" not in said


def test_stubs_return_again_what_they_returned(tmp_path: Path) -> None:
    source = written(tmp_path, UNDEFINED)
    out = tmp_path / "out"
    unit(source, "top", out, "--stub", "all", "--global", "verbosity")
    text = text_of(export(out), "top")
    assert re.search(r"int fetch_results\[2\] = \{17, 18\};", text)
    assert "find_left = 1;" in text
    # A stub that stands for a function which never returns ends the program, and with it the test.
    assert "ends_top" in (out / "export-c" / "crashes_top.c").read_text()
    assert (out / "export-c" / "rest.c").read_text() == "void unrelated(void) { __builtin_trap(); }\n"


ERRORS = """
#include <errno.h>
int settle(int code) {
    if (errno == EINTR) { errno = 0; return 1; }
    if (code < 0) { errno = ERANGE; return -1; }
    return 0;
}
"""


def test_errno_is_an_input_and_is_checked(tmp_path: Path) -> None:
    out = tmp_path / "out"
    explored = unit(written(tmp_path, ERRORS), "settle", out, "--global", "errno")
    assert (explored.covered, explored.total) == (4, 4)
    text = text_of(export(out), "settle")
    assert "errno = 4;" in text and "assert(errno == 0);" in text and "assert(errno == 34);" in text


CALLING = """
int fetch(int which, char mode);
void note(int level, const char *text);
int top(int a) { int x = fetch(a + 1, 'r'); if (x > 5) { note(3, "big"); return fetch(x, 'w'); } return x; }
"""


WRITING = """
#include <stddef.h>
int level(int channel, int *value, const int *limit, double *scale);
void measure(size_t *count);
int top(int channel) {
    int value = 0, most = 3;
    double scale = 1;
    size_t count = 0;
    if (level(channel, &value, &most, &scale) != 0) return -1;
    if (value == 90 && scale == 0.5) return 2;
    measure(&count);
    if (count == 12345) return 3;
    return level(channel, NULL, &most, &scale) == 4 ? most : 0;
}
"""


def test_stubs_write_again_what_they_wrote(tmp_path: Path) -> None:
    source, out = written(tmp_path, WRITING), tmp_path / "out"
    unit(source, "top", out, "--stub", "all")
    text = (export(out) / "test_top.c").read_text()
    assert "int level_argument2_values[1] = {90};" in text and "double level_argument4_values[1] = {0.5};" in text
    assert "size_t measure_argument1_values[1] = {12345};" in text
    assert "argument3_next" not in text  # that one is const
    assert "assert(result == 2);" in text and "assert(result == 3);" in text


def test_stubs_check_what_they_were_called_with(tmp_path: Path) -> None:
    source = written(tmp_path, CALLING)
    out = tmp_path / "out"
    unit(source, "top", out, "--stub", "all")
    folder = export(out)
    text = text_of(folder, "top")
    assert "assert(fetch_calls == 2);" in text and "assert(fetch_argument2 == 'w');" in text
    assert "assert(note_calls == 1);" in text and "assert(note_argument1 == 3);" in text
    words = ["-Wall", "-Wextra", "-Werror", f"-I{tmp_path}"]
    for changed, code in ((CALLING, 0), (CALLING.replace("'w'", "'v'"), 1), (CALLING.replace("note(3,", "note(4,"), 1)):
        source.write_text(changed)
        program = compiled(folder / "test_top.c", *words)
        assert bool(subprocess.run([program], capture_output=True, check=False).returncode) == bool(code)


def test_values_are_written_as_a_person_would(tmp_path: Path) -> None:
    out = tmp_path / "out"
    unit(FUNCTIONS, "colors", out)
    text = text_of(export(out), "colors")
    assert "colors(RED, " in text and "colors(GREEN, HIGH)" in text
    assert "assert(result == 2);" in text
    assert re.search(r"/\* Is the first to cover\n \*   functions.c:\d+:\d+ (not )?taken \(case in colors\)", text)


def test_what_a_function_writes_is_pinned_too(tmp_path: Path) -> None:
    out = tmp_path / "out"
    unit(FUNCTIONS, "output", out)
    assert "assert(result_2 == 9);" in text_of(export(out), "output")


def test_a_changed_function_fails_its_tests(tmp_path: Path) -> None:
    source = written(tmp_path, "int sign(int x) { if (x > 0) return 1; return x < 0 ? -1 : 0; }\n", "sign.c")
    out = tmp_path / "out"
    unit(source, "sign", out)
    file = export(out) / "test_sign.c"
    assert subprocess.run([compiled(file, f"-I{tmp_path}")], timeout=PATIENCE).returncode == 0
    source.write_text(source.read_text().replace("? -1", "? -2"))
    changed = subprocess.run([compiled(file, f"-I{tmp_path}")], capture_output=True, timeout=PATIENCE)
    assert changed.returncode == -signal.SIGABRT
    assert b"result == -1" in changed.stderr


def test_crashing_inputs_are_kept_apart(divided: Path, capsys: Captured) -> None:
    folder = export(divided)
    said = capsys.readouterr().out
    assert "kept apart in crashes_divide.c: 1 input with which divide does not return" in said
    assert "test_divide.c was compiled and run: all pass" in said
    assert "12345, 0" not in text_of(folder, "divide")
    apart = (folder / "crashes_divide.c").read_text()
    assert "divide(12345, 0)" in apart and "SIGFPE in divide, functions.c:" in apart
    done = subprocess.run([compiled(folder / "crashes_divide.c"), "crash_divide_0001_sigfpe"], timeout=PATIENCE)
    assert done.returncode == -signal.SIGFPE


@pytest.mark.parametrize("strategy", ["dfs", "cfg"])
def test_a_branch_that_crashes_first_has_a_test_that_returns(strategy: str, tmp_path: Path) -> None:
    text = "int f(int a, int b) { if (a == 12345) return a / b; return 0; }"
    found = unit(written(tmp_path, text, "f.c"), "f", tmp_path / "out", "--iterations", 60, "--strategy", strategy)
    assert [finding.what for finding in found.summary.findings] == ["SIGFPE"]
    assert "f(12345, 1)" in text_of(export(tmp_path / "out"), "f")


def test_what_only_crashes_cover_is_said(tmp_path: Path, capsys: Captured) -> None:
    text = "#include <stdlib.h>\nint f(int n) { if (n == 77) abort(); return n > 5 ? 1 : 2; }"
    unit(written(tmp_path, text, "ends.c"), "f", tmp_path / "out", "--iterations", 60)
    assert "never true" not in capsys.readouterr().out
    assert count_of_tests(text_of(export(tmp_path / "out"), "f")) == 2
    assert "not covered by them: 1 branch that only runs reach which do not return" in capsys.readouterr().out


def test_what_depends_on_earlier_calls_is_not_pinned_and_coverage_that_is_lost_is_said(
    tmp_path: Path, capsys: Captured
) -> None:
    out = tmp_path / "out"
    unit(FUNCTIONS, "counting", out)
    assert "result is not pinned: it depends on what ran before" in text_of(export(out), "counting")
    assert "1 of the 3 branches that they covered in the campaign are lost" in capsys.readouterr().out


def test_what_is_not_the_same_twice_is_not_pinned(tmp_path: Path) -> None:
    """Here the name of the program: it is another one when the tests are run than when they were observed."""
    source = written(
        tmp_path,
        "#define _GNU_SOURCE\n#include <errno.h>\n"
        "int who(int x) { if (x > 3) return program_invocation_short_name[0]; return 7; }\n",
    )
    out = tmp_path / "out"
    unit(source, "who", out)
    text = text_of(export(out), "who")
    assert "result is not pinned: it was not the same a second time" in text
    assert "assert(result == 7);" in text


def test_objects_that_are_not_needed_are_left_out(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "struct part { int a; char *name; };\n"
        "struct whole { struct part *left, *right; int kind; };\n"
        "int kind_of(struct whole *w) { if (!w) return -1; if (w->kind == 7) return 1;\n"
        "  return w->right && w->right->a == 9 ? 2 : 0; }\n",
    )
    unit(source, "kind_of", tmp_path / "out", "--seed", 4)
    text = text_of(export(tmp_path / "out"), "kind_of")
    assert "w_left" not in text and "w_right_name" not in text
    assert ".right = &w_right" in text


def test_minimising_drops_tests_and_keeps_coverage(tmp_path: Path) -> None:
    out = tmp_path / "out"
    unit(FUNCTIONS, "tree_height", out)
    few = text_of(export(out), "tree_height")
    all_of_them = text_of(export(out, "--no-minimise"), "tree_height")
    assert count_of_tests(few) < count_of_tests(all_of_them)


UNITY = """
#include <setjmp.h>
extern int unity_failures;
extern jmp_buf unity_here;
#define UNITY_BEGIN() (unity_failures = 0)
#define UNITY_END() unity_failures
#define RUN_TEST(test) do { setUp(); if (!setjmp(unity_here)) test(); tearDown(); } while (0)
#define TEST_ASSERT_TRUE(condition) \\
    do { if (!(condition)) { unity_failures++; longjmp(unity_here, 1); } } while (0)
"""


@pytest.fixture
def unity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands in for Unity: the words of its interface that tests use. Debian has no package of it."""
    folder = tmp_path / "unity"
    folder.mkdir()
    (folder / "unity.h").write_text(UNITY)
    source = written(folder, '#include "unity.h"\nint unity_failures;\njmp_buf unity_here;\n', "unity.c")
    subprocess.run(["cc", "-c", str(source), "-o", str(folder / "unity.o")], check=True, timeout=PATIENCE)
    subprocess.run(["ar", "rcs", str(folder / "libunity.a"), str(folder / "unity.o")], check=True, timeout=PATIENCE)
    monkeypatch.setenv("C_INCLUDE_PATH", str(folder))
    monkeypatch.setenv("LIBRARY_PATH", str(folder))


def test_unity(unity: None, divided: Path, capsys: Captured) -> None:
    text = text_of(export(divided, "--framework", "unity"), "divide")
    assert "TEST_ASSERT_TRUE(result == 0);" in text and "RUN_TEST(test_divide_" in text
    assert "test_divide.c was compiled and run: all pass" in capsys.readouterr().out


@pytest.mark.parametrize(("framework", "header"), [("cmocka", "cmocka.h"), ("gtest", "gtest/gtest.h")])
def test_frameworks_that_are_installed(framework: str, header: str, divided: Path, capsys: Captured) -> None:
    export(divided, "--framework", framework)
    said = capsys.readouterr().out
    if f"written, but not compiled: {header} is not here" in said:
        pytest.skip(f"apt-get install lib{framework}-dev")
    assert "test_divide.c was compiled and run: all pass" in said


def test_ctest_runs_them_by_name(divided: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("apt-get install cmake")
    folder = export(divided)
    environment = {**os.environ, "CC": "cc"}
    for command in (["cmake", "-B", "build"], ["cmake", "--build", "build"]):
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=PATIENCE, env=environment)
    done = subprocess.run(["ctest"], cwd=folder / "build", capture_output=True, text=True, timeout=PATIENCE)
    assert "100% tests passed" in done.stdout
    assert "crash_divide_0001_sigfpe (Disabled)" in done.stdout


def test_other_campaigns_and_options_are_refused(tmp_path: Path, capsys: Captured) -> None:
    program = written(tmp_path, "int main(void) { return 0; }")
    campaign(program, "--stdin", 4, "--iterations", 5, "--out", tmp_path / "out")
    assert guarded(run, ["export", str(tmp_path / "out"), "--format", "c"]) == 2
    assert "holds no campaign of `untaken unit`, and only those are written as C" in capsys.readouterr().err
    assert guarded(run, ["export", str(tmp_path / "out"), "--format", "files", "--framework", "unity"]) == 2
    assert "--framework and --no-minimise are for --format c" in capsys.readouterr().err


def test_calls_that_the_compiler_refuses_are_left_out_and_the_others_are_written(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Case] = []
    divide = "int divide(int a, int b) { if (a == 12345) return a / b; return b > 5 ? 1 : 2; }"
    unit(written(tmp_path, divide, "divide.c"), "divide", tmp_path / "out")

    def first_is_no_c(plan: UnitPlan, given: Given) -> Case:
        case = make_case(plan, given)
        made.append(case)
        return replace(case, call="no_such_type result;") if len(made) == 1 else case

    monkeypatch.setattr(choose, "make_case", first_is_no_c)
    assert guarded(run, ["export", str(tmp_path / "out"), "--format", "c", "--out", str(tmp_path / "c")]) == 0
    said = capsys.readouterr().out
    assert "1 test of divide cannot be compiled" in said and "no_such_type" in said
    assert count_of_tests(text_of(tmp_path / "c", "divide")) == len(made) - 2  # one of them crashes


def test_the_program_may_use_the_words_of_the_tests(tmp_path: Path) -> None:
    text = (
        "#include <stdlib.h>\nstatic int failed, fails, tests[2];\n"
        "static void *real_calloc(int n) { return malloc(n); }\n"
        "int f(int n) { char *p = real_calloc(8); if (!p) { failed = 1; return fails; } return n == 5 ? tests[1] : 1; }"
    )
    unit(written(tmp_path, text, "words.c"), "f", tmp_path / "out", "--fail-malloc", "--iterations", 60)
    assert count_of_tests(text_of(export(tmp_path / "out"), "f")) == 3


def test_crashes_in_stubs_are_kept(tmp_path: Path, capsys: Captured) -> None:
    text = "int get(int *); int f(int n) { int v = 0; return get(n == 3 ? (int *)8L : &v) + v > 5; }"
    unit(written(tmp_path, text, "stub.c"), "f", tmp_path / "out", "--stub", "all", "--iterations", 60)
    crashes = export(tmp_path / "out") / "crashes_f.c"
    assert "kept apart in crashes_f.c: 1 input" in capsys.readouterr().out
    subprocess.run(["cc", "-w", f"-I{tmp_path}", crashes, "-o", tmp_path / "crashes"], check=True)
    ran = subprocess.run([tmp_path / "crashes"], capture_output=True, timeout=PATIENCE, check=False)
    assert ran.returncode == -signal.SIGSEGV


def test_allocations_that_were_not_made_fail_in_no_other_test(tmp_path: Path) -> None:
    text = (
        "#include <stdlib.h>\nstatic char *kept;\n"
        "int f(int n) { if (!kept) kept = malloc(8); if (!kept) return 1; char *p = malloc(4); return p ? n == 5 : 2; }"
    )
    unit(written(tmp_path, text, "kept.c"), "f", tmp_path / "out", "--fail-malloc", "--iterations", 60)
    exported = text_of(export(tmp_path / "out"), "f")
    calls = re.findall(r'(?:allocations_fail\("([.F]*)"\);\n)?.*= f\(.*\n(.*)', exported)
    assert {letters for letters, _ in calls} == {"", "F", ".F"}
    assert all(("allocations_fail" in after) == bool(letters) for letters, after in calls)


def test_streams_with_the_input_are_one_as_in_the_campaign(tmp_path: Path, capsys: Captured) -> None:
    text = "#include <stdio.h>\nint f(FILE *a, FILE *b) { if (a && a == b) return 1; return 2; }"
    unit(written(tmp_path, text, "streams.c"), "f", tmp_path / "out", "--iterations", 100)
    exported = text_of(export(tmp_path / "out"), "f")
    assert "FILE *b = a;" in exported and "assert(result == 1)" in exported
    assert "are lost" not in capsys.readouterr().out


def test_what_to_do_is_told_where_no_call_compiles(
    divided: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_c(plan: UnitPlan, given: Given) -> Case:
        return replace(make_case(plan, given), call="no_such_type result;")

    monkeypatch.setattr(choose, "make_case", no_c)
    assert guarded(run, ["export", str(divided), "--format", "c", "--out", str(tmp_path / "c")]) == 2
    said = capsys.readouterr().err
    assert "the tests of divide cannot be compiled with functions.c" in said
    assert "run `untaken unit` again if it has changed since; `--format files`" in said


def test_one_case_that_ends_the_program_costs_nothing_of_those_that_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was overwritten by earlier ones may end any of them: here the second."""
    rows: list[list[int]] = []

    def seen(workshop: object, program: Path, how: str, cases: Sequence[int]) -> observe.Seen:
        rows.append(list(cases))
        return {(case, RETURNED, 1): "" for case in takewhile(lambda each: each != 1, cases)}

    monkeypatch.setattr(observe, "_seen", seen)
    found = observe._seen_in_a_row(cast(Workshop, None), tmp_path, [0, 1, 2, 3])
    assert rows == [[0, 1, 2, 3], [2, 3]]
    assert {case for case, _, _ in found} == {0, 2, 3}


def test_bytes_that_are_text_are_written_as_text(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "struct tag { unsigned char name[8]; int n; };\n"
        "int named(const struct tag *t) { if (t && t->name[0] == 'x' && t->name[1] == 'y') return t->n == 3;\n"
        "  return 0; }\n",
    )
    unit(source, "named", tmp_path / "out", "--iterations", 80)
    assert '.name = "xy"' in text_of(export(tmp_path / "out"), "named")
