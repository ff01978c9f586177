"""Runs are forked ahead, and map the pages that runs use while they wait (runtime/process/prefault.c)."""

from __future__ import annotations

from pathlib import Path

import pytest

from untaken.build.driver import build_program
from untaken.execute.sandbox import Sandbox
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.path import Exit, ExitKind

FEW = 30
# Its exit code: how often it had to stop for the kernel, while it wrote to 100 pages and read 100 others.
COUNTS_FAULTS = """
#include <sys/resource.h>
#include <untaken.h>
static volatile char written[100][4096], read[100][4096] = {{1}};
static long faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}
int main(void) {
    char x;
    long before = faults();
    untaken_input_char(&x, "x");
    for (int i = 0; i < 100; i++) written[i][7] = read[i][9];
    long after = faults();
    return after - before < 250 ? (int)(after - before) : 250;
}
"""
# The same, while it stores labels in 50 pages, and blocks of the heap beside them.
SPREADS_LABELS = """
#include <stdlib.h>
#include <sys/resource.h>
#include <untaken.h>
static char written[50][4096];
static long faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}
int main(void) {
    char x, *block = NULL;
    long before = faults();
    untaken_input_char(&x, "x");
    for (int i = 0; i < 50; i++) {
        written[i][7] = x;
        block = malloc(40);
        block[3] = x;
    }
    if (block[3] == written[9][7] + 1) return 255;
    long after = faults();
    return after - before < 250 ? (int)(after - before) : 250;
}
"""
# A file that was mapped before the first run is gone when it is asked to empty it.
EMPTIES_A_FILE = """
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <untaken.h>
static int file;
static volatile char *mapped;
__attribute__((constructor)) static void map(void) {
    file = open(FILE_NAME, O_RDWR);
    mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
}
int main(void) {
    struct stat status;
    char x;
    untaken_input_char(&x, "x");
    fstat(file, &status);
    if (status.st_size > 0) mapped[5] = x;
    if (x == 'e') ftruncate(file, 0);
    return status.st_size > 0;
}
"""


def session_of(folder: Path, text: str) -> Session:
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    build_program([source], program)
    return Session(program, SessionSettings(sandbox=Sandbox(enabled=False)))


def without_lessons(faults: list[int]) -> list[int]:
    """Two runs are learnt from here: they touch nothing ahead."""
    return sorted(faults)[:-2]


@pytest.mark.skipif(not Path("/proc/self/pagemap").exists(), reason="the kernel tells nothing about pages")
def test_a_run_finds_the_pages_that_runs_use(tmp_path: Path) -> None:
    with session_of(tmp_path, COUNTS_FAULTS) as session:
        faults = [session.run(b"x").exit.code for _ in range(20)]
    assert faults[0] >= 100
    assert max(without_lessons(faults[10:])) < FEW


@pytest.mark.skipif(not Path("/proc/self/pagemap").exists(), reason="the kernel tells nothing about pages")
def test_concrete_runs_between_do_not_make_it_forget_the_labels(tmp_path: Path) -> None:
    with session_of(tmp_path, SPREADS_LABELS) as session:
        faults = [session.run(b"x", concrete=number % 2 == 1).exit.code for number in range(40)]
    assert faults[0] >= 50
    assert max(without_lessons(faults[20::2])) < FEW


def test_a_page_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"some text")
    with session_of(tmp_path, EMPTIES_A_FILE.replace("FILE_NAME", f'"{file}"')) as session:
        ends = [session.run(data).exit for data in (*8 * [b"x"], b"e", *8 * [b"x"])]
        restarts = session.counters.restarts
    full, empty = (Exit(ExitKind.CODE, code) for code in (1, 0))
    assert ends[:9] == 9 * [full]
    assert ends[11:] == 6 * [empty]
    assert restarts == 0
