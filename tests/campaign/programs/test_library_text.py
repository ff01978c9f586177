"""Patterns, locales and wide characters: what is modelled is explored, and what is not is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written

EXPLORED = {
    "fnmatch": r"""
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[8] = "";
    if (!fgets(line, sizeof line, stdin)) return 1;
    line[strcspn(line, "\n")] = 0;
    if (fnmatch("a*[0-9].?", line, 0) == 0) return 2;
    return 0;
}""",
    "strcoll": r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[8] = "";
    if (fread(line, 1, 7, stdin) != 7) return 1;
    if (strcoll(line, "locales") == 0) return 2;
    return 0;
}""",
    "mbrtowc": r"""
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
int main(void) {
    char line[8] = "";
    wchar_t wide[8] = {0};
    mbstate_t state;
    memset(&state, 0, sizeof state);
    setlocale(LC_ALL, "C.UTF-8");
    if (fread(line, 1, 6, stdin) != 6) return 1;
    if (mbrtowc(wide, line, 6, &state) != 1) return 2;
    if (towupper(wide[0]) != L'X') return 3;
    if (!iswdigit(btowc(line[1]))) return 4;
    if (mbstowcs(wide, line + 2, 8) != 3) return 5;
    if (wcscmp(wide, L"abc") == 0) return 6;
    return 0;
}""",
    "fgetwc": r"""
#include <stdio.h>
#include <wchar.h>
int main(void) {
    if (fgetwc(stdin) != L'a') return 1;
    if (getwchar() != L'b') return 2;
    return ferror(stdin) ? 4 : 3;
}""",
    "fwrite, of as much as there is": r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[8];
    return fgets(line, 8, stdin) && fwrite(line, 1, strlen(line), stdout) == 5 ? 2 : 0;
}""",
    "sscanf, to fewer characters than it may take": r"""
#include <stdio.h>
int main(void) {
    char text[8];
    if (fread(text, 1, 7, stdin) != 7) return 1;
    sscanf("ab", "%7c", text);
    return text[4] == 'x' ? 2 : 0;
}""",
}
HIDDEN_NAME = r"""
#include <fnmatch.h>
#include <stdio.h>
int main(void) {
    char name[4] = "";
    if (fread(name, 1, 3, stdin) != 3 || name[0] != '.') return 1;
    return fnmatch("*.c", name, FNM_PERIOD) == 0 ? 2 : 0;
}"""
NAMED = {
    "regexec": r"""
#include <regex.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[16] = "key=";
    regex_t pattern;
    if (!fgets(line + 4, 8, stdin) || regcomp(&pattern, "^key=(ab|c)+$", REG_EXTENDED)) return 1;
    return regexec(&pattern, line, 0, NULL, 0) == 0 ? 2 : 0;
}""",
    "iconv": r"""
#include <iconv.h>
#include <stdio.h>
int main(void) {
    char line[8] = "", text[32], *in = line, *out = text;
    size_t have = 4, room = sizeof text;
    iconv_t converter = iconv_open("UTF-16LE", "UTF-8");
    if (fread(line, 1, 4, stdin) != 4) return 1;
    return iconv(converter, &in, &have, &out, &room) == (size_t)-1 ? 2 : 0;
}""",
    "strftime": r"""
#include <stdio.h>
#include <string.h>
#include <time.h>
int main(void) {
    struct tm time = {.tm_mday = 1};
    char text[32];
    int year = getchar();
    if (year == EOF) return 1;
    time.tm_year = year;
    strftime(text, sizeof text, "%Y", &time);
    return strcmp(text, "2001") == 0 ? 2 : 0;
}""",
    "gmtime": r"""
#include <stdio.h>
#include <time.h>
static time_t when;
int main(void) {
    if (fread((char *)&when + 3, 1, 1, stdin) != 1) return 1;
    return gmtime(&when)->tm_year == 99 ? 2 : 0;
}""",
    "mktime": r"""
#include <stdio.h>
#include <time.h>
int main(void) {
    struct tm day = {.tm_mday = 1};
    if ((day.tm_year = getchar()) == EOF) return 1;
    return mktime(&day) == 946684800 ? 2 : 0;
}""",
    "getpwnam": r"""
#include <pwd.h>
#include <stdio.h>
static char name[8];
int main(void) {
    if (!fgets(name, sizeof name, stdin)) return 1;
    return getpwnam(name) ? 2 : 0;
}""",
    "sprintf": r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[16];
    int number = getchar();
    sprintf(text, "%.1f", number / 2.0);
    return strcmp(text, "38.5") == 0 ? 2 : 0;
}""",
    "printf": r"""
#include <stdio.h>
int main(void) {
    char line[8];
    return fgets(line, 8, stdin) ? printf(line) > 6 : 3;
}""",
    "rand_r": r"""
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned seed = (unsigned)getchar();
    return rand_r(&seed) % 256 == 7 ? 2 : 0;
}""",
    "(names of files)": r"""
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char name[8] = "";
    return fread(name, 1, 7, stdin) == 7 && access(name, F_OK) == 0 ? 2 : 0;
}""",
    "fgetws": r"""
#include <stdio.h>
#include <wchar.h>
int main(void) {
    wchar_t line[8];
    if (!fgetws(line, 8, stdin)) return 1;
    return line[0] == L'x' ? 2 : 0;
}""",
}


@pytest.mark.parametrize("program", EXPLORED.values(), ids=EXPLORED)
def test_what_is_modelled_is_explored(tmp_path: Path, program: str) -> None:
    words = ("--stdin", 7, "--iterations", 300, "--coverage", 100, "--out", tmp_path / "out")
    found = campaign(written(tmp_path, program), *words)
    uncovered = [frontier for frontier in found.frontier if "ferror" not in program]
    assert not uncovered and found.limits.externals == {}


@pytest.mark.parametrize(("name", "program"), NAMED.items(), ids=NAMED)
def test_what_is_not_modelled_is_named(tmp_path: Path, name: str, program: str) -> None:
    found = campaign(written(tmp_path, program), "--stdin", 7, "--iterations", 30, "--out", tmp_path / "out")
    assert name in found.limits.externals
    assert not found.exhausted


def test_a_star_does_not_even_stand_for_nothing_before_a_hidden_name(tmp_path: Path) -> None:
    found = campaign(written(tmp_path, HIDDEN_NAME), "--stdin", 3, "--iterations", 300, "--out", tmp_path / "out")
    assert found.totals.divergences == 0 and found.covered == found.total - 1


FORMAT = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[80];
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "say ", 4) != 0) return 1;
    fprintf(stderr, line + 4);
    return 0;
}"""


def test_a_format_that_is_input_is_found(tmp_path: Path) -> None:
    words = ["--stdin", 40, "--iterations", 300, "--cflags=-Wno-format-security", "--out", tmp_path / "out"]
    found = campaign(written(tmp_path, FORMAT), *words)
    assert [finding.kind for finding in found.findings] == ["signal"]
