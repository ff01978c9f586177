"""Declared files under other names than the one that was declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written

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
