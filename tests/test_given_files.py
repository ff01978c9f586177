"""Files of others: only ordinary ones are read, and no more of them than there is use for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from untaken.given_files import read_beginning, read_whole


def test_an_ordinary_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert read_whole(tmp_path / "file") == b"abc"
    assert read_beginning(tmp_path / "file", 2) == b"ab"


@pytest.mark.parametrize("kind", ["pipe", "endless", "folder"])
def test_what_is_none_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "file"
    match kind:
        case "pipe":
            os.mkfifo(place)
        case "endless":
            place.symlink_to("/dev/zero")
        case _:
            place.mkdir()
    with pytest.raises(OSError, match="ordinary"):
        read_whole(place)


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(1 << 40)  # on no disk
    assert read_beginning(tmp_path / "file", 3) == bytes(3)
    with pytest.raises(OSError, match="more than 1,000 bytes"):
        read_whole(tmp_path / "file", 1000)
