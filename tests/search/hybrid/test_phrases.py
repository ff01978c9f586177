"""Hybrid search from what a program is known to understand: on programs with a language of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written

# Reads a line character by character. Its words are known only from comparisons, those of the second only where
# a line has one.
TALKER = """
#include <untaken.h>
#include <ctype.h>
#include <string.h>
static int line(char *to) {
    for (int n = 0;;) {
        char c;
        untaken_char(&c);
        if (c == '\\n') { to[n] = 0; return n; }
        if (n < 15 && isprint((unsigned char)c)) to[n++] = c;
    }
}
int main(void) {
    int mode = 0;
    for (;;) {
        char text[16];
        int n = 0;
        line(text);
        while (isalpha((unsigned char)text[n])) n++;
        char *rest = text + n;
        while (*rest == ' ') *rest++ = 0;
        if (strcmp(text, "mode") == 0) {
            if (strcmp(rest, "on") == 0) mode = 1;
            else if (strcmp(rest, "off") == 0) mode = 0;
        } else if (strcmp(text, "go") == 0) {
            if (mode == 1) mode = 2;
        }
    }
}
"""


@pytest.mark.parametrize("seed", [0, 2])
def test_words_after_words_are_found(seed: int, tmp_path: Path) -> None:
    words = ("--saturation", 200, "--inputs-per-search", 12, "--seed", seed, "--iterations", 5000, "--coverage", 100)
    summary = campaign(written(tmp_path, TALKER), "--strategy", "hybrid", *words, "--out", tmp_path / "out")
    assert (summary.covered, summary.ended_by) == (summary.total, "enough coverage")
