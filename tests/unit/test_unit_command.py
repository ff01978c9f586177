"""`untaken unit`: drivers for functions of varied signatures, and what it says of what it cannot build."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import untaken, written
from tests.unit.commands import FUNCTIONS, unit
from untaken.cli.main import guarded, run
from untaken.suite.replay.runners import ReplayManner, native_runner
from untaken.suite.tests import read_suite

# function and options, its branches, and how many of them can be taken
SIGNATURES = [
    ("integers", 10, 10),
    ("colors", 8, 8),
    ("colors --strict-enums", 8, 7),  # the default case is for no enumerator
    ("flags", 6, 6),
    ("reals", 8, 8),
    ("by_value", 4, 4),
    ("by_pointer", 4, 4),
    ("nested", 6, 6),
    ("unions", 4, 4),
    ("bit_fields", 14, 14),
    ("array_with_length --array items=n", 6, 6),
    ("fixed_array --array key=4", 8, 8),
    ("inner_arrays", 6, 6),
    ("text", 4, 4),
    ("text --strings 3", 4, 3),  # too short for what it is compared with
    ("list_sum", 4, 4),
    ("tree_height", 4, 4),
    ("double_pointer", 6, 6),
    ("words --array argv=argc", 8, 8),
    ("callbacks", 4, 4),
    ("with_global --global limit --global origin", 4, 4),
    ("raw", 4, 4),
    ("hidden", 2, 2),
    ("stream", 4, 4),
    ("output", 4, 4),
    ("drop", 2, 2),
    ("divide", 2, 2),
    ("consistent", 12, 12),  # parts point back to their owner
]


@pytest.mark.parametrize(("words", "total", "covered"), SIGNATURES, ids=[words for words, _, _ in SIGNATURES])
def test_every_signature_is_driven(words: str, total: int, covered: int, tmp_path: Path) -> None:
    function, *options = words.split()
    explored = unit(FUNCTIONS, function, tmp_path / "out", *options)
    assert (explored.covered, explored.total) == (covered, total)
    assert explored.summary.tests > 0


def test_the_drivers_own_branches_do_not_count(tmp_path: Path) -> None:
    explored = unit(FUNCTIONS, "list_sum", tmp_path / "out")
    names = {each.name for each in explored.summary.functions}
    assert "list_sum" in names
    assert not any(name.startswith("untaken") or name == "main" for name in names)


def test_it_ends_when_the_function_is_covered_or_all_that_it_calls(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "static int deep(int x) { return x == 123456 ? 1 : 0; }\n"
        "int top(int y) { if (y > 5) return deep(y); return 0; }\n",
    )
    at_once = ("--after-coverage", 0)
    alone = unit(source, "top", tmp_path / "alone", *at_once)
    whole = unit(source, "top", tmp_path / "whole", "--no-goal-function-only", *at_once)
    assert alone.summary.ended_by == whole.summary.ended_by == "full coverage"
    assert (alone.covered, alone.summary.covered) == (2, 3)
    assert whole.summary.covered == whole.summary.total == 4


def test_a_function_without_branches_has_a_test(tmp_path: Path) -> None:
    explored = unit(written(tmp_path, "int twice(int x) { return 2 * x; }"), "twice", tmp_path / "out")
    assert (explored.total, explored.summary.tests) == (0, 1)


def test_findings_resume_and_replay_are_those_of_any_campaign(tmp_path: Path) -> None:
    out = tmp_path / "out"
    explored = unit(FUNCTIONS, "divide", out, "--after-coverage", 50)
    assert [finding.what for finding in explored.summary.findings] == ["SIGFPE"]
    again = unit(FUNCTIONS, "divide", out)
    assert again.summary.tests >= explored.summary.tests
    suite = read_suite(out)
    assert {field.name for test in suite.tests for field in test.fields} == {"a", "b"}
    with native_runner(suite, ReplayManner()) as runner:
        assert all(runner.run(test).same for test in suite.tests)


def test_the_same_seed_gives_the_same_tests(tmp_path: Path) -> None:
    def inputs(out: Path) -> list[bytes]:
        unit(FUNCTIONS, "bit_fields", out, "--seed", 3)
        return [test.input for test in read_suite(out).tests]

    assert inputs(tmp_path / "one") == inputs(tmp_path / "two")


UNDEFINED = """
struct item { int id; struct item *up; };
extern int fetch(int key);
extern struct item *find(const char *name);
extern void die(void) __attribute__((noreturn));
extern int verbosity;
extern void unrelated(void);
void other(void) { unrelated(); }
int top(int key) {
    if (fetch(key) == 17 && fetch(key) == 18) {
        struct item *found = find("x");
        if (!found) die();
        return found->id == 5 ? 2 : 1;
    }
    return verbosity > 3 ? 9 : 0;
}
"""


def test_undefined_functions_get_stubs_on_request(tmp_path: Path) -> None:
    source = written(tmp_path, UNDEFINED)
    explored = unit(source, "top", tmp_path / "out", "--stub", "all", "--global", "all")
    assert (explored.covered, explored.total) == (10, 10)


def test_files_that_define_them_can_be_named(tmp_path: Path) -> None:
    source = written(tmp_path, "int helper(int);\nint top(int x) { if (helper(x) == 7) return 1; return 0; }")
    other = written(tmp_path, "int helper(int x) { return x ^ 0x5555; }", "helper.c")
    assert unit(source, "top", tmp_path / "out", "--with", other).covered == 2


def refused(*words: object, capsys: pytest.CaptureFixture[str]) -> str:
    assert guarded(run, ["unit", *map(str, words)]) == 2
    return capsys.readouterr().err.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("nowhere", "defines no function nowhere; it has: "),
        ("nowhere", " more"),
        ("integer", "defines no function integer; it has: integers"),
        ("main", "main is explored with `untaken run"),
        ("variadic", "takes a variable number of arguments, which is not built: write a function"),
        ("complexes", "parameter c of complexes has a type that is not built"),
        ("by_pointer --array q=3", "--array q: by_pointer has no pointer of that name; there are: p"),
        ("by_pointer --non-null q", "--non-null q: by_pointer has no pointer of that name; there are: p"),
        ("array_with_length --array items=m", "m is no integer parameter of array_with_length; there are: n"),
        ("by_pointer --array p", "--array wants POINTER=NUMBER"),
        ("with_global --global limits", "has no such variable; it has: limit"),
        ("by_pointer --stub p", "--stub p: the program has no undefined function of that name"),
        ("by_pointer --depth x", "--depth wants a whole number"),
        ("by_pointer --compile-commands /nowhere.json", "cannot read /nowhere.json"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(
    words: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sentence in refused(FUNCTIONS, *words.split(), "--out", tmp_path / "out", capsys=capsys)


def test_a_missing_callee_is_named_with_the_options_that_help(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(written(tmp_path, UNDEFINED), "top", "--out", tmp_path / "out", capsys=capsys)
    assert "top needs die, fetch, find, verbosity, which program.c does not define" in said
    assert "--with" in said and "--stub all" in said


def test_what_cannot_be_built_is_noted(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "struct hidden; struct wide { __int128 w; };\n"
        "int top(struct hidden *h, void *v, struct wide c) { return h == v && c.w == 0; }\n",
    )
    notes = unit(source, "top", tmp_path / "out").notes
    assert any(
        "h points to struct hidden, which this file does not define: it is always NULL" in note for note in notes
    )
    assert any("v is a void pointer: it points to 8 bytes; --array v=N gives it N" in note for note in notes)
    assert any("c.w is" in note and "it stays zero" in note for note in notes)


def test_the_command_says_how_much_of_the_function_is_covered(tmp_path: Path) -> None:
    answer = untaken("unit", FUNCTIONS, "hidden", "--out", tmp_path / "out", "--iterations", 200, "--json")
    assert answer.code == 0
    assert json.loads(answer.printed)["unit"] == {"function": "hidden", "branches_covered": 2, "branches_total": 2}


def test_the_closing_words_are_about_the_function_and_what_it_led_to(tmp_path: Path) -> None:
    answer = untaken("unit", FUNCTIONS, "list_sum", "--out", tmp_path / "out", "--iterations", 3, "--after-coverage", 0)
    assert "of 4 branches covered" in answer.printed
    assert "never entered" not in answer.printed and "tree_height" not in answer.printed


def test_another_function_does_not_overwrite_the_first_ones_plan(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert untaken("unit", FUNCTIONS, "integers", "--iterations", 50, "--out", out).code == 0
    plan = (out / "unit" / "unit.json").read_bytes()
    answer = untaken("unit", FUNCTIONS, "colors", "--iterations", 50, "--out", out)
    assert answer.code == 2
    assert "holds tests of integers: choose another --out for colors," in answer.said
    assert (out / "unit" / "unit.json").read_bytes() == plan
    assert not (out / "unit" / "colors.untaken.c").exists()


def test_of_a_function_without_branches_nothing_is_said_about_others(tmp_path: Path) -> None:
    text = (
        "#include <stdlib.h>\nint other(int x) { return x > 3 ? 1 : 2; }\nvoid make(void) { *(int *)malloc(4) = 3; }\n"
    )
    answer = untaken("unit", written(tmp_path, text), "make", "--fail-malloc", "--out", tmp_path / "out")
    assert answer.code == 1 and "fails" in answer.printed  # the allocation
    assert "There are no branches to cover" in answer.printed and "make itself: no branches." in answer.printed
    assert "0 of" not in answer.printed and "other" not in answer.printed
    assert "--non-null" not in answer.printed  # no NULL was passed
    assert untaken("export", tmp_path / "out", "--format", "mcdc").code == 0
    assert (tmp_path / "out/export-mcdc/mcdc.md").read_text().startswith("# MC/DC of make\n")
