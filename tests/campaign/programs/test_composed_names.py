"""Names that a program puts together from parts of its input: a section and its key, a folder and its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char a[12], b[12], name[40] = "";
    if (scanf("%11s %11s", a, b) != 2) return 1;
    COMPOSED
    if (strcmp(name, "NAME") == 0) return 2;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("composed", "name"),
    [
        ('snprintf(name, sizeof name, "%s.%s", a, b);', "network.timeout"),
        ('snprintf(name, sizeof name, "%s.txt", a);', "messages.txt"),
        ('strcpy(name, "/home/"); strcat(name, a); strcat(name, "/"); strcat(name, b);', "/home/someone/letter"),
    ],
)
def test_both_parts_get_what_the_name_has_in_their_place(composed: str, name: str, tmp_path: Path) -> None:
    source = written(tmp_path, PROGRAM.replace("COMPOSED", composed).replace("NAME", name))
    out = tmp_path / "out"
    summary = campaign(source, "--stdin", 24, "--iterations", 120, "--seed", 1, "--after-coverage", 0, "--out", out)
    assert summary.covered == summary.total


def test_a_copy_of_nothing_is_tried_with_something(tmp_path: Path) -> None:
    text = r"""
    #include <stdio.h>
    #include <string.h>
    int main(void) {
        char line[24] = "", name[24] = "";
        if (!fgets(line, sizeof line, stdin)) return 1;
        char *end = strchr(line, ']');
        if (line[0] != '[' || end == NULL || end - line > 20) return 2;
        memcpy(name, line + 1, end - line - 1);
        if (strcmp(name, "section") == 0) return 3;
        return 0;
    }
    """
    source = written(tmp_path, text)
    out = tmp_path / "out"
    summary = campaign(source, "--stdin", 22, "--iterations", 200, "--seed", 4, "--after-coverage", 0, "--out", out)
    assert summary.covered == summary.total
