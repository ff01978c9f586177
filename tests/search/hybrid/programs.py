"""C programs that keep asking for input, and how the tests build them."""

from __future__ import annotations

from pathlib import Path

from untaken.execute.target import find_target

# Asks for one character after the other; four certain ones in a row reach the end.
LOCK = """
#include <untaken.h>
#include <stdlib.h>
int main(void) {
    int open = 0;
    for (;;) {
        char c;
        untaken_char(&c);
        if (c == "sesa"[open]) open++; else open = 0;
        if (open == 4) abort();
    }
}
"""

# Counts what it reads; the first byte says how.
READER = """
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int count = 0;
    for (;;) {
        char c;
#ifdef STDIO
        int got = getchar();
        if (got == EOF) return 0;
        c = (char)got;
#else
        if (read(0, &c, 1) != 1) return 0;
#endif
        count++;
        if (count > 100 && c == 'x') return 1;
    }
}
"""


def built(folder: Path, text: str, *cflags: str) -> Path:
    """The instrumented program."""
    source = folder / "program.c"
    source.write_text(text)
    return find_target([str(source)], " ".join(cflags)).program
