"""Declared files under other names than the one that was declared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, untaken, written

BY_ITS_WHOLE_NAME = """
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
    char name[4200], byte;
    struct stat about;
    if (!getcwd(name, 4096))
        return 1;
    strcat(name, "/./data.txt");
    if (stat(name, &about) != 0)
        return 2;
    int descriptor = open(name, O_RDONLY);
    if (descriptor < 0)
        return 3;
    if (read(descriptor, &byte, 1) == 1 && byte == 'x')
        return 4;
    return 5;
}
"""


def test_a_declared_file_is_known_by_its_whole_name_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = written(tmp_path, BY_ITS_WHOLE_NAME)
    campaign(source, "--file", "data.txt=3", "--iterations", 60, "--out", tmp_path / "out")
    tests = [path.read_bytes() for path in (tmp_path / "out/tests").glob("*.bin")]
    assert any(test[4:5] == b"x" for test in tests)


# Each way to the file has its own exit code, if what the program finds there is as it would be natively.
IN_OTHER_WAYS = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static int first(int file) { char c = 0; return file >= 0 && read(file, &c, 1) == 1 ? c : -1; }
static int replaced(void) {
    FILE *new = fopen("new", "w");
    if (!new || fputs("M", new) < 0 || fclose(new) || rename("new", "data.txt")) return -1;
    return first(open("data.txt", O_RDONLY));
}
int main(int argc, char **argv) {
    char path[PATH_MAX];
    struct stat about;
    mkdir("sub", 0700);
    symlink("data.txt", "link");
    switch (argv[1][0]) {
    case 'l': return first(open("link", O_RDONLY)) == 'L' ? 10 : 1;
    case 'u': return first(open("sub/../data.txt", O_RDONLY)) == 'U' ? 11 : 1;
    case 'c': return chdir("sub") == 0 && first(open("../data.txt", O_RDONLY)) == 'C' ? 12 : 1;
    case 'r': return realpath("link", path) && first(open(path, O_RDONLY)) == 'R' ? 13 : 1;
    case 'a': return first(openat(open("sub", O_DIRECTORY), "../data.txt", O_RDONLY)) == 'A' ? 14 : 1;
    case 'n': return open("link", O_RDONLY | O_NOFOLLOW) < 0 ? 15 : 1;
    case 'd': return unlink("data.txt") == 0 && open("data.txt", O_RDONLY) < 0 ? 16 : 1;
    case 'm': return replaced() == 'M' ? 17 : 1;
    case 's': return lstat("link", &about) == 0 && S_ISLNK(about.st_mode) && stat("link", &about) == 0 &&
                     S_ISREG(about.st_mode) && about.st_size == 2 ? 18 : 1;
    case 'q': return open("nosuch/../data.txt", O_RDONLY) < 0 ? 19 : 1;
    case 'z': symlink("x", "y"), symlink("y", "x"); return open("x", O_RDONLY) < 0 ? 20 : 1;
    case 'e': return faccessat(AT_FDCWD, "link", R_OK, 0) == 0 && access("sub/../link", F_OK) == 0 ? 21 : 1;
    }
    return 0;
}
"""


def test_a_declared_file_is_found_as_the_kernel_would_find_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = written(tmp_path, IN_OTHER_WAYS)
    campaign(source, "--arg", 1, "--file", "data.txt=2", "--iterations", 600, "--out", tmp_path / "out")
    codes = {json.loads(path.read_text())["exit"]["code"] for path in (tmp_path / "out/tests").glob("*.json")}
    assert codes >= set(range(10, 22))
    replayed = untaken("replay", tmp_path / "out")
    assert "different" not in replayed.printed


RENAMED = """
#include <stdio.h>
int main(void) {
    if (rename("data.txt", "other.txt") != 0) return 1;
    FILE *other = fopen("other.txt", "r");
    return other && fgetc(other) == 'x' ? 2 : 3;
}
"""
LISTED = """
#include <dirent.h>
int main(void) {
    DIR *here = opendir(".");
    for (struct dirent *entry; here && (entry = readdir(here)); )
        if (entry->d_name[0] == 'd') return 1;
    return 0;
}
"""


@pytest.mark.parametrize(("text", "name"), [(RENAMED, "rename"), (LISTED, "opendir")], ids=["renamed", "listed"])
def test_what_declared_files_cannot_do_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    source = written(tmp_path, text)
    summary = campaign(source, "--file", "data.txt=3", "--iterations", 30, "--out", tmp_path / "out")
    assert not summary.exhausted
    assert any(called.startswith(name) for called in summary.limits.externals)
