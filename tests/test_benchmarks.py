"""Benchmarks that reach into the tool still fit it: what moves there breaks them first, and nobody would notice."""

from __future__ import annotations

import sys

import pytest

from benchmarks import osmose


def test_tables_of_the_paper_are_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["osmose.py", "check-pressure"])
    assert osmose.main() == 0
    printed = capsys.readouterr().out
    assert [f"Table {number}:" in printed for number in range(1, 6)] == [True] * 5
    assert "| check-pressure | 100% |" in printed
