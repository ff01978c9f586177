"""The words that a program's strings spell are in its map."""

from __future__ import annotations

from pathlib import Path

from tests.collection import build_instrumented
from untaken.build.objects.program_map import read_program_map

PROGRAM = r"""
#include <assert.h>
#include <stdio.h>
#include <string.h>
struct entry { int token; char name[12]; };
static const struct entry table[] = {{1, "begin"}, {2, "end"}};
static const char *more[] = {"while", "while", ":=", "two words", "%d", "x"};
int main(int argc, char **argv)
{
    assert(argc > 0);
    puts(__func__);
    printf("%s\n", more[argc % 6]);
    return memcmp(argv[0], table[argc & 1].name, 3);
}
"""


def test_words_are_short_and_have_letters(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    words = read_program_map(build_instrumented(source, tmp_path / "program", ["-w"])).words
    assert sorted(words) == [b"begin", b"end", b"while"]
