"""Single functions of executables as compilers make them: shared libraries, calls that never return, pointers."""

from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.executables.images import needs, what_was_found
from untaken.cli.main import run

PROGRAM = """
#include <stdlib.h>
__attribute__((noinline)) int checked(int a) { if (a == 42) abort(); return a; }
__attribute__((noinline)) int behind(int a) { if (a == 1) return 7; if (a == 2) return 9; return a * a; }
__attribute__((noinline)) int first(const char *text) { return text[0] == 'a'; }
__attribute__((noinline)) int chosen(int which, int a)
{
    switch (which) {
    case 0: return a + 1;
    case 1: return a * 7;
    case 2: return a ^ 3;
    case 3: return a - 9;
    case 4: return a / 3;
    case 5: return a << 2;
    case 6: return -a;
    }
    return 0;
}
int main(int count, char **words) { return checked(count) + behind(count) + first(words[0]) + chosen(count, count); }
"""
pytestmark = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="compiles for x86-64"),
    needs("gcc", packages="gcc"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-O2", "-w", "program.c", "-o", "program.elf"], cwd=folder, check=True)
    return folder / "program.elf"


def explored(program: Path, function: str, out: Path) -> dict[str, Any]:
    words = ["unit", str(program), function, "--iterations", "100", "--quiet", "--out", str(out)]
    run(words)
    found: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return found


def test_functions_of_shared_libraries_are_named_and_end_the_run(program: Path, tmp_path: Path) -> None:
    summary = explored(program, "checked", tmp_path / "out")
    (found,) = what_was_found(summary)
    assert found.startswith("the instruction at 0x") and "it calls abort, of a shared library" in found


def test_code_behind_a_call_that_never_returns_is_another_function(program: Path, tmp_path: Path) -> None:
    summary = explored(program, "checked", tmp_path / "out")
    assert summary["branches_total"] == summary["branches_covered"] == 2


def test_one_instruction_with_many_wrong_pointers_is_one_finding(program: Path, tmp_path: Path) -> None:
    found = what_was_found(explored(program, "first", tmp_path / "out"))
    assert sum(text.startswith("read outside known memory at 0x") for text in found) == 1


def test_a_jump_table_is_learnt_and_leaves_no_finding(program: Path, tmp_path: Path) -> None:
    assert what_was_found(explored(program, "chosen", tmp_path / "out")) == set()


def test_a_guard_of_the_stack_is_found_through_the_thread_pointer(tmp_path: Path) -> None:
    """At fs:0x28: without position independence nothing else lies at this address."""
    text = "int sum(int a) { volatile char kept[16]; kept[a & 15] = 3; return kept[2] == 3 ? 5 : a; }\n"
    (tmp_path / "guarded.c").write_text(text + "int main(int count, char **words) { return sum(count); }\n")
    words = ["gcc", "-O0", "-w", "-no-pie", "-fstack-protector-all", "guarded.c", "-o", "guarded.elf"]
    subprocess.run(words, cwd=tmp_path, check=True)
    summary = explored(tmp_path / "guarded.elf", "sum", tmp_path / "out")
    assert what_was_found(summary) == set()
    assert (summary["branches_covered"], summary["branches_total"]) == (3, 4)  # the guard was never overwritten
