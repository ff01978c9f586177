"""`untaken replay --sanitize`: the tests of a campaign under AddressSanitizer and UBSan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, untaken, written
from tests.compilers import has_runtime_library
from untaken.build.plain import CHECKED, plain_compiler
from untaken.build.toolchain.compilers import front_end
from untaken.suite.replay.sanitized import errors_in

NEEDS_CHECKED_PROGRAMS = pytest.mark.skipif(
    not has_runtime_library(plain_compiler(front_end(), CHECKED.options), "-fsanitize=address,undefined"),
    reason="needs a compiler with AddressSanitizer and UBSan: apt-get install gcc, or clang libclang-rt-dev",
)
# Each error alone ends the program as if nothing were wrong.
SILENT = """
#include <stdio.h>
#include <stdlib.h>
static void put(char *text, int place) { text[place] = 'a'; }
static void look(char c) { (void)c; }
int main(void)
{
    int c = getchar();
    char *text = malloc(10);
    if (c == 'x')
        put(text, 12);
    if (c == 's' || c == 't')
        printf("%d", c << 28);
    free(text);
    if (c == 't')
        look(text[0]);
    return 0;
}
"""
LINES = {"heap-buffer-overflow": 4, "left": 13, "heap-use-after-free": 16}


@NEEDS_CHECKED_PROGRAMS
def test_what_tests_do_wrong_without_a_word_is_shown_once(tmp_path: Path) -> None:
    source = written(tmp_path, SILENT)
    summary = campaign(source, "--stdin", 1, "--iterations", 300, "--seed", 1, "--out", tmp_path / "out")
    assert summary.covered == summary.total
    assert not summary.findings and untaken("replay", tmp_path / "out").code == 0
    answer = untaken("replay", tmp_path / "out", "--sanitize")
    assert answer.code == 1
    errors = [line.partition("  ")[2] for line in answer.printed.splitlines() if line.startswith("error ")]
    assert len(errors) == len(LINES)
    told = untaken("replay", tmp_path / "out", "--sanitize", "--json")
    assert told.code == 1
    found = [error for run in json.loads(told.printed) for error in run["errors"]]
    assert {error["what"].partition(" ")[0] for error in found} == set(LINES)
    for error in found:  # without llvm-symbolizer clang's AddressSanitizer knows no lines
        line = LINES[error["what"].partition(" ")[0]]
        assert error["place"].endswith(f".c:{line}") or not error["place"]


@NEEDS_CHECKED_PROGRAMS
def test_sound_programs_are_said_to_be(tmp_path: Path) -> None:
    source = written(tmp_path, "#include <stdio.h>\nint main(void) { return getchar() == 'a'; }\n")
    campaign(source, "--stdin", 1, "--iterations", 60, "--out", tmp_path / "out")
    answer = untaken("replay", tmp_path / "out", "--sanitize")
    assert (answer.code, answer.printed) == (0, "1 test: AddressSanitizer and UBSan have nothing to say.\n")


def test_one_way_to_replay_at_a_time(tmp_path: Path) -> None:
    answer = untaken("replay", tmp_path, "--sanitize", "--instrumented")
    assert answer.code == 2
    assert "not allowed with" in answer.said


def test_reports_are_told_apart_by_what_and_where() -> None:
    output = b"""f.c:3:9: runtime error: left shift of 115 by 28 places cannot be represented in type 'int'
f.c:3:9: runtime error: left shift of 117 by 28 places cannot be represented in type 'int'
f.c:5:9: runtime error: left shift of 117 by 28 places cannot be represented in type 'int'
==2==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200000001c at pc 0x5
"""
    assert [(each.what.partition(" ")[0], each.place) for each in errors_in(output)] == [
        ("left", "f.c:3"),
        ("left", "f.c:5"),
        ("heap-use-after-free", ""),
    ]
