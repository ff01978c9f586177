"""Standard input is explored, too, where a program opens it by its name in the file system."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written

BY_DESCRIPTOR = """
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    char text[4] = "";
    int from = open("NAME", O_RDONLY);
    if (from < 0 || read(from, text, 2) < 2) return 1;
    return text[0] == 'o' && text[1] == 'k' ? 2 : 0;
}
"""
BY_STREAM = """
#include <stdio.h>
int main(void) {
    FILE *from = fopen("NAME", "r");
    if (!from) return 1;
    int first = getc(from), second = getc(from);
    return first == 'o' && second == 'k' ? 2 : 0;
}
"""
ANOTHER = """
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char text[2] = "";
    struct stat status;
    if (lstat("/dev/stdin", &status) == 0 && !S_ISLNK(status.st_mode)) return 1;
    close(0);
    if (open("/dev/zero", O_RDONLY) != 0) return 0;
    int from = open("/dev/stdin", O_RDONLY);
    if (from < 0 || read(from, text, 1) != 1) return 0;
    return text[0] == 'o' ? 2 : 0;
}
"""


@pytest.mark.parametrize("text", (BY_DESCRIPTOR, BY_STREAM), ids=("open", "fopen"))
@pytest.mark.parametrize("name", ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
def test_standard_input_is_explored_under_its_name(tmp_path: Path, text: str, name: str) -> None:
    program = written(tmp_path, text.replace("NAME", name))
    found = campaign(program, "--stdin", 4, "--iterations", 60, "--out", tmp_path / "out")
    assert found.covered >= found.total - 1  # it can always be opened


def test_what_took_the_place_of_standard_input_is_not_explored(tmp_path: Path) -> None:
    program = written(tmp_path, ANOTHER)
    campaign(program, "--stdin", 4, "--iterations", 30, "--out", tmp_path / "out")
    tests = [json.loads(path.read_text()) for path in (tmp_path / "out/tests").glob("*.json")]
    assert {test["exit"]["code"] for test in tests} == {0}
