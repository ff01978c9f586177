"""Files are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from untaken.atomic_files import UNFINISHED, name_beside, replace_file


def test_a_file_is_replaced_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(b"old")
    replace_file(place, b"new")
    assert place.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [place]


def test_a_file_that_cannot_be_replaced_stays(tmp_path: Path) -> None:
    place = tmp_path / "folder"
    (place / "inside").mkdir(parents=True)
    with pytest.raises(OSError):
        replace_file(place, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_what_a_kill_leaves_is_found_by_the_pattern(tmp_path: Path) -> None:
    place = tmp_path / ("x" * 250)  # longer than what may be put before and behind it
    left = Path(name_beside(os.fspath(place)))
    left.write_bytes(b"half")
    place.write_bytes(b"whole")
    assert list(tmp_path.rglob(UNFINISHED)) == [left]
