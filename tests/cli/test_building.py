"""What is said while a program is built: a first build takes many seconds, and silence looks like a hang."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from untaken.cli import building
from untaken.cli.building import FIRST_TIME, lacks_runtime
from untaken.execute.target import find_target

PROGRAM = "int main(int argc, char **argv) { (void)argv; return argc > 1; }\n"


def test_the_first_build_says_what_takes_so_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    said: list[str] = []
    with building.building(said.append, ["program.c"]):
        pass
    assert said == [FIRST_TIME]


def test_a_quick_build_says_nothing_and_a_long_one_what_it_is_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    find_target([str(source)])  # now the runtime is there in any case
    assert not lacks_runtime()
    said: list[str] = []
    with building.building(said.append, [str(source)]):
        find_target([str(source)])
    assert said == []
    monkeypatch.setattr(building, "PATIENCE", 0.01)
    with building.building(said.append, [str(source), "/elsewhere/other.c"]):
        time.sleep(0.3)
    assert said == ["compiling program.c, other.c"]


def test_programs_that_are_built_take_no_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    said: list[str] = []
    with building.building(said.append, ["./program"]):
        pass
    assert said == []
