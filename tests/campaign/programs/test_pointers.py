"""Addresses that depend on the input: what they are, and what is read through them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from tests.compilers import NEEDS_SANITIZERS

HUGE_STEPS = """
#include <stdint.h>
#include <untaken.h>
int main(void) {
    INDEX i;
    char (*p)[SIZE] = (void *)0x1000;
    untaken_input(&i, sizeof i, "i");
    if ((uintptr_t)&p[i][3] == 0x1003 + 5 * SIZE) return 1;
    return 0;
}
"""


@pytest.mark.parametrize("size", ["(1UL << 32)", "((3UL << 40) + 16)"])
@pytest.mark.parametrize("index", ["unsigned char", "int", "long"])
def test_an_index_may_step_over_more_than_four_gigabytes(size: str, index: str, tmp_path: Path) -> None:
    source = written(tmp_path, HUGE_STEPS.replace("SIZE", size).replace("INDEX", index))
    summary = campaign(source, "--iterations", 5, "--strategy", "dfs", "--out", tmp_path / "out")
    assert summary.covered == summary.total


# What lies behind `table`, of which the program may read the first 96 entries.
TABLES = {
    "mprotect": "char *m = map(8192); mprotect(m + 4096, 4096, PROT_NONE); char *table = m + 4000;",
    "munmap": "char *m = map(8192); munmap(m + 4096, 4096); char *table = m + 4000;",
    "another mapping": "char *m = map(8192), *table = m + 4000; "
    "mmap(m + 4096, 4096, PROT_NONE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);",
    "mremap": "char *m = mremap(map(8192), 8192, 4096, 0), *table = m + 4000;",
    "the end of a file": "int f = fileno(tmpfile()); (void)!ftruncate(f, 10); "
    "char *m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0), *table = m + 4000;",
    "a file that was cut": "int f = fileno(tmpfile()); (void)!ftruncate(f, 8000); "
    "char *m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0), *table = m + 4000; "
    "(void)!ftruncate(f, 4000);",
    "a system call": "char *m = map(8192); syscall(SYS_mprotect, m + 4096, 4096, PROT_NONE); char *table = m + 4000;",
    "part of a block": "char *m = aligned_alloc(4096, 8192); memset(m, 0, 8192); "
    "mprotect(m + 4096, 4096, PROT_NONE); char *table = m + 4000;",
    "part of a global": "static _Alignas(4096) char m[8192]; mprotect(m + 4096, 4096, PROT_NONE); "
    "char *table = m + 4000;",
}
READS = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static char *map(size_t size) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
int main(void) {
    PREPARE
    unsigned char i = 0;
    if (fread(&i, 1, 1, stdin) != 1) return 1;
    table[42] = 7;
    if (i < 90 && table[i] == 7) return 3;
    return 0;
}
"""
CHECKED = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const int of_file[13] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
int main(void) {
    int of_frame[13], *of_heap = malloc(sizeof of_file);
    memcpy(of_frame, of_file, sizeof of_file);
    memcpy(of_heap, of_file, sizeof of_file);
    int c = getchar();
    if (c < 0 || c > 12) return 1;
    if (of_file[c] == 64) puts("six");
    if (of_frame[c] == 512) puts("nine");
    if (of_heap[c] == 4096) puts("twelve");
    free(of_heap);
    return 0;
}
"""


@pytest.mark.parametrize("what", TABLES)
def test_nothing_is_read_that_the_program_may_not_read(what: str, tmp_path: Path) -> None:
    source = written(tmp_path, READS.replace("PREPARE", TABLES[what]))
    words = ("--stdin", 1, "--iterations", 30, "--strategy", "dfs", "--out", tmp_path / "out")
    summary = campaign(source, *words)
    assert summary.findings == ()
    assert summary.covered == summary.total


# `own` and `given`, of which comparisons see the first difference, end with the page, and no zero ends them.
COMPARISONS = {
    "of what is no input": 'strncmp(own, "wxyz", 16)',
    "whose other side is one": "strncmp(line, own, 16)",
    "of an input": 'strncmp("xyz", given, 16)',
    "without a limit": 'strcmp(own, "ABCDEFGH")',
}
COMPARES = r"""
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
static char *at_end(const char *text) {
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + 4096, 4096, PROT_NONE);
    return memcpy(pages + 4096 - 4, text, 4);
}
int main(void) {
    char line[16] = "";
    if (!fgets(line, sizeof line, stdin) || line[0] != '=') return 1;
    char *own = at_end("abcd"), *given = at_end(line);
    return COMPARISON < 0 && own != given ? 2 : 3;
}
"""


@pytest.mark.parametrize("what", COMPARISONS)
def test_words_that_are_wanted_end_where_memory_does(what: str, tmp_path: Path) -> None:
    source = written(tmp_path, COMPARES.replace("COMPARISON", COMPARISONS[what]))
    summary = campaign(source, "--stdin", 8, "--iterations", 30, "--cflags=-fno-builtin", "--out", tmp_path / "out")
    assert summary.findings == summary.unconfirmed == ()


@NEEDS_SANITIZERS
def test_red_zones_are_no_part_of_a_table(tmp_path: Path) -> None:
    source = written(tmp_path, CHECKED)
    words = ("--stdin", 1, "--iterations", 100, "--cflags=-fsanitize=address", "--out", tmp_path / "out")
    summary = campaign(source, *words)
    assert summary.findings == ()
    assert summary.covered == summary.total


# A read, and a write after it that changes another place of the same table; `MORE` makes the function a large one.
OVERWRITTEN = """
#include <string.h>
#include <untaken.h>
static unsigned char table[8] = {1, 2, 3, 4, 5, 6, 7, 8}, other[8];
int main(void) {
    unsigned char i, j;
    untaken_uchar(&i); untaken_uchar(&j);
    if (i > 7 || j > 6) return 1;
    unsigned char before = table[i];
    WRITE;
    if (before == 9) return 2;
    MORE
    return 0;
}
"""
WRITES = {
    "a store": "table[j] = 9",
    "a swap": "table[i] = table[j], table[j] = before + 9",
    "a copy": "other[j] = 9, memcpy(table + j, other + j, 1)",
    "a fill": "memset(table + j, 9, 2)",
}


@pytest.mark.parametrize("lines", [0, 80])
@pytest.mark.parametrize("write", WRITES)
def test_what_was_read_is_what_lay_there_before(write: str, lines: int, tmp_path: Path) -> None:
    more = "".join(f"if (before + j == {100 + line}) return 3;\n" for line in range(lines))
    source = written(tmp_path, OVERWRITTEN.replace("WRITE", WRITES[write]).replace("MORE", more))
    campaign(source, "--iterations", 30, "--strategy", "dfs", "--out", tmp_path / "out")
    figures = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert figures["divergences"] == 0
    assert figures["limits"]["concretised"] == {}
