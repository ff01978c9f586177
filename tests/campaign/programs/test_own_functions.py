"""Programs that define functions of the C library: the runtime has the library's own, and theirs are explored."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.campaign.commands import campaign, command
from untaken.build.library.private_names import PREFIX
from untaken.build.library.runtime import runtime_library
from untaken.build.objects.archive import archive, members
from untaken.build.objects.symbols import global_symbols
from untaken.build.toolchain.compilers import front_end
from untaken.campaign.summary import Summary

# The C library itself calls the program's own, so these have to work.
ALLOCATING = frozenset("malloc calloc realloc free memalign aligned_alloc posix_memalign valloc reallocarray".split())
MAIN = "int getchar(void);\nint main(void) { return getchar() == 'x' ? 3 : 0; }\n"
ALLOCATOR = """
#include <stdio.h>
#include <string.h>
static char room[1 << 20];
static unsigned long used;
void *malloc(unsigned long size) {
    unsigned long *block = (unsigned long *)(room + used);
    used += (size + 31) / 16 * 16;
    *block = size;
    return block + 2;
}
void free(void *block) { (void)block; }
void *calloc(unsigned long count, unsigned long size) { return memset(malloc(count * size), 0, count * size); }
void *realloc(void *old, unsigned long size) {
    void *block = malloc(size);
    if (old) memcpy(block, old, ((unsigned long *)old)[-2] < size ? ((unsigned long *)old)[-2] : size);
    return block;
}
int main(void) {
    char *line = malloc(8);
    if (!fgets(line, 8, stdin)) return 1;
    return line[0] == 'x' && line[1] == 'y' ? 3 : 0;
}
"""
OWN = """
unsigned long strlen(const char *text) {
    unsigned long size = 0;
    while (text[size]) {
        if (text[size] == '#') return 77;
        size++;
    }
    return size;
}
int atoi(const char *text) { return text[0] == 'Q' ? 4242 : 1; }
"""
CALLS_THEM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char line[8];
    if (!fgets(line, sizeof line, stdin)) return 1;
    if (strlen(line) == 77) return 2;
    return atoi(line) == 4242 ? 3 : 0;
}
"""


def explored(program: Path, *words: object, iterations: int = 40) -> Summary:
    out = program.with_suffix(".out")
    given = ("--stdin", 6, "--strategy", "dfs", "--iterations", iterations, "--out", out, *words)
    return campaign(program, *given)


def built(folder: Path, sources: Mapping[str, str], *words: str) -> Path:
    for name, text in sources.items():
        (folder / name).write_text(text)
    program = folder / "program"
    given = command("cc", "-fno-builtin", "-w", *(words or sources), "-o", program)
    subprocess.run(given, cwd=folder, check=True)
    return program


def called_by_the_runtime() -> list[str]:
    library = Path(runtime_library(front_end()).archive).read_bytes()
    names = {name for data in members(library) for name in global_symbols(data)}
    return sorted(name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX))


def test_the_runtime_calls_nothing_that_the_program_defines(tmp_path: Path) -> None:
    names = called_by_the_runtime()
    assert {"read", "write", "open", "close", "mmap", "memcpy", "strlen", "getpid", "fork", "waitpid"} <= set(names)
    traps = "".join(f"long {name}(void) {{ __builtin_trap(); }}\n" for name in names if name not in ALLOCATING)
    summary = explored(built(tmp_path, {"main.c": MAIN, "traps.c": traps}))
    assert summary.covered == summary.total == 2 and not summary.findings


def test_a_program_may_have_its_own_allocator(tmp_path: Path) -> None:
    summary = explored(built(tmp_path, {"main.c": ALLOCATOR}))
    (main,) = (function for function in summary.functions if function.name == "main")
    assert main.covered == main.total and not summary.findings and not summary.totals.divergences


def test_functions_of_the_program_are_explored_and_not_our_models_of_their_names(tmp_path: Path) -> None:
    summary = explored(built(tmp_path, {"main.c": CALLS_THEM, "own.c": OWN}), iterations=60)
    assert summary.covered == summary.total and not summary.totals.divergences


def test_so_are_functions_of_an_archive(tmp_path: Path) -> None:
    (tmp_path / "own.c").write_text(OWN)
    (tmp_path / "main.c").write_text(CALLS_THEM)
    for name in ("own", "main"):
        subprocess.run(command("cc", "-fno-builtin", "-w", "-c", f"{name}.c"), cwd=tmp_path, check=True)
    for name in ("own", "main"):
        (tmp_path / f"{name}.a").write_bytes(archive({f"{name}.o": (tmp_path / f"{name}.o").read_bytes()}))
    program = tmp_path / "program"
    words = ("cc", "-Wl,-u,main", "main.a", "own.a", "-o", os.fspath(program))
    subprocess.run(command(*words), cwd=tmp_path, check=True)
    summary = explored(program, iterations=60)
    assert summary.covered == summary.total and not summary.totals.divergences
