"""Sizes and places of memory that no decision of the program asks for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from tests.compilers import NEEDS_SANITIZERS

# How large a block is, no condition on the input asks.
SIZES = r"""
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned char d[4];
    if (fread(d, 1, 4, stdin) != 4) return 1;
    size_t n = (d[0] | d[1] << 8 | (size_t)d[2] << 16) ^ 0x5eed42;
    char *p = ALLOCATED;
    size_t room = malloc_usable_size(p);
    if (room < 100) puts("small");
    free(p);
    return 0;
}
"""


@pytest.mark.parametrize("allocated", ["malloc(n)", "calloc(n, 2)", "realloc(malloc(1), n + 1)"])
def test_small_sizes_are_tried_though_no_condition_asks_for_them(allocated: str, tmp_path: Path) -> None:
    source = written(tmp_path, SIZES.replace("ALLOCATED", allocated))
    out = tmp_path / "out"
    summary = campaign(source, "--stdin", 4, "--iterations", 1000, "--after-coverage", 0, "--out", out)
    assert summary.covered == summary.total


def test_there_is_a_run_that_gets_no_memory(tmp_path: Path) -> None:
    text = r"""
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int main(void) {
        char line[24] = "";
        if (fread(line, 1, 20, stdin) < 1) return 1;
        char *p = malloc(strtoul(line, NULL, 10) * 16);
        if (p == NULL) puts("none");
        free(p);
        return 0;
    }
    """
    source = written(tmp_path, text)
    summary = campaign(source, "--stdin", 20, "--iterations", 400, "--after-coverage", 0, "--out", tmp_path / "out")
    assert summary.covered == summary.total


# Two of 65,536 indices are behind the end.
OVERRUN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned char d[4];
    if (fread(d, 1, 4, stdin) != 4) return 1;
    unsigned a = d[0] | d[1] << 8, index = a * 40503u & 0xffff;
    unsigned char *p = calloc(65534, 1);
    ACCESS
    free(p);
    return 0;
}
"""
ACCESSES = {
    "store": "p[index] = d[2];",
    "load": 'if (p[index]) puts("set");',
    "memset": "memset(p, 1, index + 1);",
}


@NEEDS_SANITIZERS
@pytest.mark.parametrize("access", ACCESSES)
def test_a_place_behind_the_end_of_a_block_is_found(access: str, tmp_path: Path) -> None:
    source = written(tmp_path, OVERRUN.replace("ACCESS", ACCESSES[access]))
    options = ["--stdin", 4, "--iterations", 400, "--cflags=-fsanitize=address", "--out", tmp_path / "out"]
    campaign(source, *options)
    crashes = json.loads((tmp_path / "out" / "summary.json").read_text())["crashes"]
    assert [(each["what"], each["confirmed"]) for each in crashes] == [("heap-buffer-overflow", True)]


def test_what_is_asked_of_a_size_later_is_still_a_decision(tmp_path: Path) -> None:
    text = r"""
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) {
        unsigned char n;
        if (fread(&n, 1, 1, stdin) != 1) return 1;
        char *p = malloc(n);
        if (n == 0) puts("empty");
        if (n < 64) puts("small");
        free(p);
        return 0;
    }
    """
    source = written(tmp_path, text)
    options = ["--iterations", 12, "--strategy", "dfs", "--after-coverage", 0, "--out", tmp_path / "out"]
    summary = campaign(source, "--stdin", 1, *options)
    assert summary.covered == summary.total
