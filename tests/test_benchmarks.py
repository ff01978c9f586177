"""Benchmarks that reach into the tool still fit it: what moves there breaks them first, and nobody would notice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import osmose, search_table


def test_tables_of_the_paper_are_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["osmose.py", "check-pressure"])
    assert osmose.main() == 0
    printed = capsys.readouterr().out
    assert [f"Table {number}:" in printed for number in range(1, 6)] == [True] * 5
    assert "| check-pressure | 100% |" in printed


def test_strategies_are_held_against_each_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ["--programs", "lock", "--trials", "1", "--iterations", "1,20", "--strategies", "auto,earliest"]
    monkeypatch.setattr(sys, "argv", ["search_table.py", *options, "--out", str(tmp_path)])
    search_table.main()
    first, _, later = capsys.readouterr().out.partition("\n\n")
    assert first.split()[:4] == ["at", "1", "auto", "earliest"]
    ratios = next(line.split() for line in later.splitlines() if line.startswith("geometric mean"))
    assert ratios[2] == "1.000" and float(ratios[3]) > 1, "it is the quicker one on locks"
