"""Processors that nobody has checked: they are explored, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from untaken.cli.main import run

Z80 = bytes.fromhex("3a0080 fe10 ca0a00 18fe 18fe")  # a = [0x8000]; if (a == 16) goto 10; each side waits for ever


def test_short_addresses_are_all_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image, out = tmp_path / "z80.bin", tmp_path / "out"
    image.write_bytes(Z80)
    words = ["run", image, "--cpu", "z80:LE:16:default", "--base", "0", "--input", "0x8000:1", "--iterations", "60"]
    assert run([*map(str, words), "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert "was never checked against a simulator here" in told.err + told.out
    assert "2 of 2 branches covered" in told.out
