"""What people try first: small programs whose every branch a campaign should reach, and messages when they fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from untaken.build.library import runtime as runtime_library
from untaken.cli.main import guarded, run

Captured = pytest.CaptureFixture[str]

FUNCTION_TABLE = """
#include <stdio.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int divide(int a, int b) { if (b == 0) return -1; return a / b; }
static int (*const operations[])(int, int) = {add, sub, divide};
int main(void) {
    int c = getchar(), a = getchar(), b = getchar();
    if (c < '0' || c > '2') return 1;
    return operations[c - '0'](a, b) == 7;
}
"""
COMPUTED_GOTO = """
#include <stdio.h>
int main(void) {
    static void *const labels[] = {&&one, &&two, &&three};
    int c = getchar(), d = getchar();
    if (c < 0 || c > 2) return 1;
    goto *labels[c];
one:
    return d == 'a';
two:
    if (d == 'b') return 2;
    return 3;
three:
    if (d == 'c') return 4;
    return 5;
}
"""
NULL_WRITE = """
#include <stdio.h>
int main(void) { char *p = 0; if (getchar() == 'a') *p = 1; return 0; }
"""
VARIADIC = """
#include <stdarg.h>
#include <stdio.h>
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int total = 0;
    for (int i = 0; i < n; i++) total += va_arg(list, int);
    va_end(list);
    return total;
}
int main(void) { return sum(2, getchar(), getchar()) == 200; }
"""
SQUARE_ROOT = """
#include <math.h>
#include <stdio.h>
int main(void) { int c = getchar(); if (c == 'x') printf("%g", sqrt(c)); return 0; }
"""


def explored(text: str, folder: Path, code: int = 0) -> dict[str, Any]:
    """The summary of a short campaign."""
    source, out = folder / "program.c", folder / "out"
    source.write_text(text)
    words = ["run", str(source), "--stdin", "3", "--iterations", "120", "--seed", "1", "--out", str(out)]
    assert guarded(run, words) == code
    summary: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return summary


@pytest.mark.parametrize("text", [FUNCTION_TABLE, COMPUTED_GOTO, VARIADIC, SQUARE_ROOT])
def test_every_branch_is_reached(text: str, tmp_path: Path) -> None:
    summary = explored(text, tmp_path)
    assert summary["branches_covered"] == summary["branches_total"]


def test_va_arg_is_no_branch_of_the_source(tmp_path: Path) -> None:
    assert explored(VARIADIC, tmp_path)["branches_total"] == 2


def test_a_write_through_a_null_pointer_is_found(tmp_path: Path) -> None:
    (crash,) = explored(NULL_WRITE, tmp_path, code=1)["crashes"]
    assert "SIGSEGV" in json.dumps(crash)


def test_a_failed_link_names_the_source_and_says_what_to_do(tmp_path: Path, capsys: Captured) -> None:
    source = tmp_path / "half.c"
    source.write_text("int other(int); int main(void) { return other(3); }")
    assert guarded(run, ["run", str(source), "--out", str(tmp_path / "out")]) == 2
    *linker, message = capsys.readouterr().err.splitlines()
    assert message.startswith("untaken: half.c could not be linked") and "--cflags" in message
    assert any("other" in line for line in linker), "the messages above"


def test_without_main_it_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "part.c"
    source.write_text("int twice(int x) { return 2 * x; }")
    assert guarded(run, ["run", str(source), "--out", str(tmp_path / "out")]) == 2
    message = capfd.readouterr().err  # the linker was not even asked
    assert message.startswith("untaken: part.c has no main") and "untaken unit" in message


def test_no_room_for_the_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(runtime_library, "FLAGS", ("--no-such-option",))
    monkeypatch.setattr(runtime_library, "_ROOM", 1 << 62)
    source = tmp_path / "any.c"
    source.write_text("int main(void) { return 0; }")
    assert guarded(run, ["run", str(source), "--out", str(tmp_path / "out")]) == 2
    message = capsys.readouterr().err
    assert "no room" in message and "XDG_CACHE_HOME" in message and message.count("\n") == 1
