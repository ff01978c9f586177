"""`untaken export --format script`: tests that anybody can run on a build of their own, by a shell or by pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, untaken, written

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv) {
    if (argc < 3) return 9;
    char line[16] = "", stored[8] = "";
    FILE *file = fopen("settings.ini", "r");
    if (file) fread(stored, 1, 7, file);
    fread(line, 1, 15, stdin);
    if (line[0] == 'x') abort();
    if (line[0] == 'e') { fputs("error\n", stderr); return 3; }
    if (line[0] == 'c') {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return printf("%ld", now.tv_nsec) < 0;
    }
    if (stored[0] == 's') {
        file = fopen("settings.ini", "w");
        fputs("changed", file);
        return fclose(file) + puts("stored") < 0;
    }
    if (argv[2][0] == '\'') return puts("quoted") < 0;
    if (argv[2][0] == '\xff') return puts("no text") < 0;
    if (argv[2][0] == 'n') return puts(argv[0]) < 0;
    return 0;
}
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("script")
    inputs = ("--arg", 3, "--stdin", 4, "--file", "settings.ini=4")
    here = Path.cwd()
    try:
        os.chdir(folder)
        campaign(written(folder, PROGRAM), *inputs, "--iterations", 200, "--out", folder / "out", "--", "fixed word")
    finally:
        os.chdir(here)
    assert untaken("export", folder / "out", "--format", "script", "--out", folder / "suite").code == 0
    return folder / "suite"


def built(folder: Path, text: str = PROGRAM) -> Path:
    """The user's own build."""
    source = written(folder, text, "own.c")
    subprocess.run(["cc", "-w", str(source), "-o", str(folder / "own")], check=True)
    return folder / "own"


def by_shell(suite: Path, program: Path, *cases: str) -> tuple[int, str]:
    done = subprocess.run(["sh", suite / "run.sh", program, *cases], capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


def by_pytest(suite: Path, program: Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(suite), str(suite)]
    environment = {**os.environ, "PROGRAM": str(program)}
    done = subprocess.run(command, env=environment, cwd=suite, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout


def cases_with(suite: Path, output: bytes) -> list[Path]:
    return [file.parent for file in sorted(suite.glob("cases/*/output")) if output in file.read_bytes()]


def test_the_same_program_passes_but_for_what_was_found(exported: Path, tmp_path: Path) -> None:
    program = built(tmp_path)
    code, told = by_shell(exported, program)
    failed = [line for line in told.splitlines() if line.startswith("FAIL")]
    assert code == 1 and failed and all("still shows: SIGABRT" in line for line in failed), told
    code, told = by_pytest(exported, program)
    assert code == 1 and f"{len(failed)} failed" in told and "still shows: SIGABRT" in told


def test_a_program_that_is_mended_passes_all(exported: Path, tmp_path: Path) -> None:
    program = built(tmp_path, PROGRAM.replace("abort();", "return 0;"))
    assert by_shell(exported, program)[0] == 0
    code, told = by_pytest(exported, program)
    assert code == 0, told


@pytest.mark.parametrize("change", [("return 3", "return 4"), ('"error', '"another'), ('"quoted"', '"quota"')])
def test_a_program_that_does_something_else_fails(exported: Path, tmp_path: Path, change: tuple[str, str]) -> None:
    program = built(tmp_path, PROGRAM.replace("abort();", "return 0;").replace(*change))
    code, told = by_shell(exported, program)
    assert code == 1 and "FAIL" in told
    assert by_pytest(exported, program)[0] == 1


def test_what_differs_from_run_to_run_is_not_compared(exported: Path) -> None:
    clocks = [case for case in exported.glob("cases/*") if (case / "stdin").read_bytes()[:1] == b"c"]
    assert clocks and not any((case / "output").exists() for case in clocks)
    named = [case for case in exported.glob("cases/*") if b"'n" in (case / "run").read_bytes().split(b"fixed word")[1]]
    assert named and not any((case / "output").exists() for case in named)


def test_arguments_of_any_bytes_and_files_reach_the_program(exported: Path, tmp_path: Path) -> None:
    quoted, strange, stored = (cases_with(exported, word) for word in (b"quoted", b"no text", b"stored"))
    assert quoted and strange and stored
    before = [(case / "files" / "settings.ini").read_bytes() for case in stored]
    program = built(tmp_path)
    for case in (quoted[0], strange[0], stored[0], stored[0]):
        assert by_shell(exported, program, case.name) == (0, "1 of 1 tests pass\n")
    assert [(case / "files" / "settings.ini").read_bytes() for case in stored] == before


def test_what_cannot_be_run_is_told(exported: Path, tmp_path: Path) -> None:
    assert by_shell(exported, tmp_path / "nothing")[0] == 2
    assert by_shell(exported, built(tmp_path), "no-such-case")[0] == 2


# Where its output goes to depends on what is there already, and so does what it says.
LEAVES = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    char name[300];
    const char *folder = getenv("TMPDIR");
    snprintf(name, sizeof name, "%s/part", folder ? folder : "/nowhere");
    FILE *part = fopen(name, access(name, F_OK) == 0 ? "r" : "w");
    if (access("left.txt", F_OK) == 0) return puts("there is one") < 0;
    FILE *left = fopen("left.txt", "w");
    puts(getchar() == 'x' ? "x" : "y");
    if (!left || !part) return puts("cannot write") < 0;
    return fputs("x", left) + fclose(left) + fputs("x", part) + fclose(part) < 0;
}
"""


def test_what_programs_write_is_not_there_for_the_next_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    campaign(written(tmp_path, LEAVES), "--stdin", 2, "--iterations", 60, "--out", tmp_path / "out")
    assert untaken("export", tmp_path / "out", "--format", "script", "--out", tmp_path / "suite").code == 0
    code, said = by_shell(tmp_path / "suite", built(tmp_path, LEAVES))
    assert code == 0, said
    assert not list(tmp_path.rglob("left.txt"))
    words = [sys.executable, "-m", "pytest", "-q", str(tmp_path / "suite" / "test_cases.py")]
    by_pytest = subprocess.run(words, env={**os.environ, "PROGRAM": str(tmp_path / "own")}, capture_output=True)
    assert by_pytest.returncode == 0, by_pytest.stdout
