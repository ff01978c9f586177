"""Modules that are large are emitted in a hurry, unless an optimisation was asked for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from untaken.build import llvm
from untaken.build.driver import build_program
from untaken.build.instrument import module


@pytest.mark.parametrize(("flags", "level"), [((), 0), (("-O1",), 1), (("-O2",), 2)])
def test_large_modules_are_emitted_in_a_hurry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], level: int
) -> None:
    levels: list[int] = []
    machine = llvm._target_machine

    def noted(optimisation: int, pic: bool) -> object:
        levels.append(optimisation)
        return machine(optimisation, pic)

    monkeypatch.setattr(llvm, "_target_machine", noted)
    monkeypatch.setattr(module, "LARGE", 0)
    source = tmp_path / "program.c"
    source.write_text("int main(int count, char **words) { return count == 3 ? 7 : 9; }")
    build_program([source], tmp_path / "program", flags)
    assert levels[-1] == level
    assert subprocess.run([tmp_path / "program", "a", "b"]).returncode == 7
