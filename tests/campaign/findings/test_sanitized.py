"""Campaigns on programs that are built with sanitizers: their checks cost no expressions, and stand in no one's way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from tests.compilers import NEEDS_SANITIZERS

COPIES = """
#include <string.h>
#include <unistd.h>
static unsigned char table[256];
int main(void) {
    unsigned char read_here[8], copy[8], moved[8];
    if (read(0, read_here, 8) != 8) return 1;
    memset(copy, 1, 8);
    memcpy(copy, read_here, 8);
    memmove(moved, copy, 8);
    table[copy[0]] = 1;
    if (table[copy[1] & 15]) return 2;
    if (moved[2] == 77 && copy[3] == 99 && copy[4] == moved[5] + 100) return 3;
    memset(copy, 7, 8);
    return copy[2] == 77;
}
"""
# Nothing of the program's own decides on the text; the C library reads it up to its end.
UNENDED = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char *text = calloc(4, 1);
    read(0, text, 4);
    ASK
    free(text);
    return 0;
}
"""


@NEEDS_SANITIZERS
@pytest.mark.parametrize("ask", ['printf("%zu", strlen(text));', "puts(strdup(text));", "return atoi(text);"])
def test_a_text_without_an_end_in_its_block_is_found(tmp_path: Path, ask: str) -> None:
    program = written(tmp_path, UNENDED.replace("ASK", ask))
    options = "--stdin", 4, "--iterations", 60, "--strategy", "dfs", "--cflags=-fsanitize=address"
    summary = campaign(program, *options, "--out", tmp_path / "out")
    assert [finding.what for finding in summary.findings] == ["heap-buffer-overflow"]


@NEEDS_SANITIZERS
def test_copies_are_followed_and_checks_lose_nothing(tmp_path: Path) -> None:
    program = written(tmp_path, COPIES)
    options = "--stdin", 8, "--iterations", 600, "--after-coverage", 0, "--cflags=-fsanitize=address,undefined"
    summary = campaign(program, *options, "--out", tmp_path / "out")
    assert summary.covered == summary.total
    assert not summary.limits.externals
