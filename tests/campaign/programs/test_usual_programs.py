"""What programs from elsewhere do: ask for numbers by scanf, look at the clock, write files beside their input."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import untaken

NUMBERS = r"""
#include <stdio.h>
int main(void) {
    int first, second;
    if (scanf("%d", &first) != 1)
        return 1;
    if (scanf("%d", &second) != 1)
        return 2;
    return first < 0 && first + second == 1000 ? 3 : 0;
}
"""

WORDS = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char name[4];
    unsigned value;
    if (scanf(" %3[a-z] =%x", name, &value) != 2)
        return 1;
    return strcmp(name, "ok") == 0 && value == 0xbeef ? 2 : 0;
}
"""

FRACTIONS = r"""
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char line[20];
    char *end;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    double value = strtod(line, &end);
    if (end == line)
        return 2;
    return *end == '%' ? 3 : value < 0 ? 4 : value > 100 ? 5 : value != (int)value ? 6 : 0;
}
"""

# As grep, cmp and tar do: who throws the output away need not be told much.
PRINTING = r"""
#include <stdio.h>
#include <sys/stat.h>
int main(void) {
    struct stat out, nothing;
    int c = getchar();
    if (!fstat(1, &out) && !stat("/dev/null", &nothing) && out.st_dev == nothing.st_dev && out.st_ino == nothing.st_ino)
        return 1;
    return c == 'p' ? printf("%c\n", c) < 0 : 0;
}
"""

# Words of other lengths than what is there: no flip gives them, and each character that they have more is another path.
KEYWORDS = r"""
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
static char word[12];
static int next_word(void) {
    int c, size = 0;
    while ((c = getchar()) == ' ')
        ;
    for (; isalpha(c) && size < 11; c = getchar())
        word[size++] = (char)tolower(c);
    word[size] = 0;
    return size;
}
int main(void) {
    if (!next_word())
        return 1;
    if (strcmp(word, "function") != 0)
        return 2;
    if (next_word() && strcasecmp("RETURN", word) == 0)
        return 3;
    return strncmp(word, "otherwise", 5) == 0 ? 4 : 0;
}
"""

ARGUMENTS = r"""
#include <argp.h>
#include <stdlib.h>
#include <string.h>
static int verbose, fast;
static long level;
static const struct argp_option more[] = {{"fast", 'f', 0, 0, "", 0}, {"quick", 0, 0, OPTION_ALIAS, 0, 0}, {0}};
static const struct argp_option options[] = {
    {"verbose", 'v', 0, 0, "", 0}, {"level", 300, "N", OPTION_ARG_OPTIONAL, "", 0}, {0}};
static error_t parse_more(int key, char *text, struct argp_state *state) {
    return key == 'f' ? (fast = 1, 0) : ARGP_ERR_UNKNOWN;
}
static error_t parse(int key, char *text, struct argp_state *state) {
    switch (key) {
    case 'v': verbose++; return 0;
    case 300: level = text ? atol(text) : 1; return 0;
    case ARGP_KEY_ARG: if (strcmp(text, "in") != 0) argp_usage(state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}
int main(int argc, char **argv) {
    static const struct argp child = {more, parse_more, 0, 0, 0, 0, 0};
    static const struct argp_child children[] = {{&child, 0, 0, 0}, {0}};
    static const struct argp all = {options, parse, 0, 0, children, 0, 0};
    argp_parse(&all, argc, argv, 0, 0, 0);
    return verbose > 1 ? 1 : level == 7 ? 2 : fast ? 3 : 0;
}
"""

LINES = r"""
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *line = NULL;
    size_t room = 0;
    int lines = 0;
    while (getline(&line, &room, stdin) > 0)
        lines++;
    free(line);
    return lines == 3;
}
"""

# Text that is put together before it is looked at.
FORMATS = r"""
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *made(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length ? text : NULL;
}
int main(void) {
    char name[8] = "", path[32];
    short number[2];
    if (fread(number, 1, 4, stdin) != 4 || fread(name, 1, 4, stdin) != 4)
        return 1;
    snprintf(path, sizeof path, "/%s.%c", name, number[0]);
    if (strcmp(path, "/abcd.x") == 0)
        return 2;
    sprintf(path, "%5d", number[0]);
    if (strcmp(path, " -123") == 0)
        return 3;
    char *key = made("%04x-%s", (unsigned short)number[1], name + 2);
    return strcmp(key, "00ff-cd") == 0 ? 4 : strcmp(key, "beef-") == 0 ? 5 : 0;
}
"""

# No condition of the source says when these fail.
DIVISIONS = r"""
#include <stdint.h>
#include <unistd.h>
int main(void) {
    int32_t n[3];
    if (read(0, n, sizeof n) != sizeof n)
        return 1;
    if (n[0] == 1)
        return 1000 / (n[1] - 777);
    if (n[0] == 2)
        return n[1] % (n[2] | 1);
    if (n[0] == 3)
        return (int)((uint32_t)n[1] / ((uint32_t)n[2] ^ 0xdeadbeef));
    return 0;
}
"""

# What the program wrote comes back to it without expressions.
PIPES = r"""
#include <unistd.h>
int main(int argc, char **argv) {
    int ends[2];
    char received;
    if (pipe(ends) || write(ends[1], argv[argc - 1], 1) != 1 || read(ends[0], &received, 1) != 1)
        return 1;
    return received == 7;
}
"""

# What a function that we have no model of makes of the input.
UNKNOWN = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[8] = "";
    fread(line, 1, 7, stdin);
    return strverscmp("1.10", line) == 0;
}
"""

# What no run with random bits comes to. The program names no library for sqrt.
FLOATS = r"""
#include <math.h>
#include <untaken.h>
struct point { float x; double y; };
static double length(struct point p) { return sqrt(p.x * p.x + p.y * p.y); }
int main(void) {
    struct point p;
    int n;
    untaken_input(&p, sizeof p, "p");
    untaken_int(&n);
    if (!(p.x > 3.5f && p.y < -1e3))
        return 1;
    if (length(p) < 1500)
        return 2;
    if (floor(p.y) != p.y && -p.y * 0.5 > 1e6)
        return 3;
    if ((double)n * 1.25 == 1000000)
        return 4;
    return (int)p.x == 42 ? isinf(p.y) ? 5 : 6 : 0;
}
"""

# The clock is not an input: what depends on it must be the same in all runs.
CLOCKS = r"""
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
int main(void) {
    struct timeval day;
    struct timespec moment;
    gettimeofday(&day, NULL);
    clock_gettime(CLOCK_MONOTONIC, &moment);
    unsigned seed = (unsigned)(time(NULL) + day.tv_usec + moment.tv_nsec + clock());
    for (int c; (c = getchar()) != EOF; seed = seed * 31 + 7)
        if ((seed >> 5 & 1 ? c == 'a' : c == 'b') && seed >> 9 & 1)
            return 1;
    while (time(NULL) - day.tv_sec < 2)
        ;
    return 0;
}
"""

FILES = r"""
#include <stdio.h>
int main(void) {
    FILE *copy = fopen("copy.txt", "w+"), *more = tmpfile(); int both = 0;
    if (!copy || !more)
        return 1;
    for (int c; (c = getchar()) != EOF;)
        fputc(c, copy);
    rewind(copy);
    return fread(&both, 3, 1, copy) && both == 0x5a7193 ? 2 : 0; /* nobody guesses that */
}
"""


def explored(folder: Path, source: str, iterations: int, *, size: int = 24, more: Sequence[str] = ()) -> dict[str, Any]:
    """What a short campaign on the program came to."""
    program = folder / "program.c"
    program.write_text(source)
    words = ("--stdin", size, "--iterations", iterations, "--seed", 3, "--json", "--out", folder / "out", *more)
    return untaken("run", program, *words).summary


@pytest.mark.parametrize(("source", "iterations"), [(NUMBERS, 6000), (WORDS, 6000)], ids=["numbers", "words"])
def test_what_scanf_reads_is_explored(tmp_path: Path, source: str, iterations: int) -> None:
    summary = explored(tmp_path, source, iterations)
    assert summary["branches_covered"] == summary["branches_total"]
    assert summary["limits"]["externals"] == {}


def test_words_that_are_longer_than_what_is_there_are_found(tmp_path: Path) -> None:
    summary = explored(tmp_path, KEYWORDS, 1000, more=("--strategy", "words"))
    assert all(place["function"] != "main" for place in summary["uncovered"])
    assert summary["solver"]["queries"] == 0


def test_options_that_argp_reads_are_explored(tmp_path: Path) -> None:
    summary = explored(tmp_path, ARGUMENTS, 4000, more=("--arg", "10", "--arg", "5"))
    assert summary["branches_covered"] == summary["branches_total"], summary["uncovered"]


def test_what_goes_into_an_unknown_function_is_told(tmp_path: Path) -> None:
    summary = explored(tmp_path, UNKNOWN, 20)
    assert list(summary["limits"]["externals"]) == ["strverscmp"]
    assert not summary["exhausted"]


def test_lines_that_getline_reads_are_explored(tmp_path: Path) -> None:
    summary = explored(tmp_path, LINES, 300)
    assert summary["branches_covered"] == summary["branches_total"]
    assert summary["divergences"] == 0


def test_text_that_printf_puts_together_is_explored(tmp_path: Path) -> None:
    summary = explored(tmp_path, FORMATS, 5000, size=8)
    assert [place["function"] for place in summary["uncovered"]] == ["made"]
    assert summary["limits"]["externals"] == {} and summary["divergences"] == 0


def test_divisions_that_fail_are_found(tmp_path: Path) -> None:
    summary = explored(tmp_path, DIVISIONS, 400, size=12)
    found = {crash["location"].rpartition(":")[2] for crash in summary["crashes"]}
    assert found == {"8", "10", "12"} and summary["divergences"] == 0


def test_what_comes_back_through_a_pipe_is_told(tmp_path: Path) -> None:
    summary = explored(tmp_path, PIPES, 20, more=("--arg", "1"))
    assert list(summary["limits"]["externals"]) == ["read"]
    assert not summary["exhausted"]


def test_how_a_fraction_is_written_is_explored(tmp_path: Path) -> None:
    summary = explored(tmp_path, FRACTIONS, 2000)
    assert summary["branches_covered"] == summary["branches_total"]


def test_floats_are_explored(tmp_path: Path) -> None:
    summary = explored(tmp_path, FLOATS, 1000)
    assert summary["branches_covered"] == summary["branches_total"]
    assert summary["divergences"] == 0
    assert summary["limits"]["externals"] == {} and summary["limits"]["concretised"] == {}


def test_the_clock_says_the_same_in_all_runs(tmp_path: Path) -> None:
    summary = explored(tmp_path, CLOCKS, 300, size=12)
    assert summary["divergences"] == 0 and summary["crashes"] == []
    assert summary["solver"]["sat"] > 10


def test_a_program_may_write_to_its_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    summary = explored(tmp_path, FILES, 60)
    assert summary["divergences"] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "program.c"]
    refused = [place for place in summary["uncovered"] if ":5:" in place["at"] and not place["side"]]
    if refused:
        pytest.skip("this kernel does not allow overlays to an ordinary user")
    assert any(":10:" in place["at"] for place in summary["uncovered"]), "what is written loses its expression"


def test_programs_are_not_told_that_nobody_reads_what_they_print(tmp_path: Path) -> None:
    (tmp_path / "printing.c").write_text(PRINTING)
    words = tmp_path / "printing.c", "--stdin", 1, "--iterations", 20, "--out", tmp_path / "out", "--json"
    answer = untaken("run", *words)
    assert answer.code == 0, answer.said
    assert answer.summary["branches_covered"] >= 5, "both sides of the last condition, and one way through the first"
