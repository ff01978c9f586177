"""Benchmarks that reach into the tool still fit it: what moves there breaks them first, and nobody would notice."""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import against, osmose, search_table
from benchmarks.real import shelf
from benchmarks.real.fetch import CannotFetch
from benchmarks.real.packages import BuildSystem, Package
from benchmarks.real.steps import processor_seconds


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


def test_costs_are_held_against_those_of_another_tree(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = str(Path(__file__).parent.parent)
    options = ["--rounds", "1", "--iterations", "400", "--programs", "decisions", "--strategies", "cfg"]
    monkeypatch.setattr(sys, "argv", ["against.py", tree, *options])
    assert against.main() == 0
    _, own, everything, strategy = capsys.readouterr().out.splitlines()
    costs = [
        [float(number) for number in line.partition(": ")[2].split("[")[0].split()[-3:]] for line in (own, everything)
    ]
    assert costs[0][0] < costs[1][0], "the program's own processes count, too"
    assert strategy.startswith("decisions, cfg: the strategy")


PROGRAM = r"""
#include <stdio.h>
int main(void) { int c = getchar(); if (c == 'a') return 1; puts(c == 'b' ? "bee" : "other"); return 0; }
"""
MAKEFILE = """
prog: prog.c
\t$(CC) $(CFLAGS) prog.c -o prog
check: prog
\t@echo b | ./prog | sed 's/^/PASS: /'
\t@echo c | ./prog | sed 's/^/FAIL: /'
"""


def test_a_package_has_a_row_with_its_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fetched(name: str, folder: Path) -> Path:
        if name != "made-up":
            raise CannotFetch("there is no such package")
        return source

    source, work = tmp_path / "source", tmp_path / "work"
    source.mkdir()
    work.mkdir()
    (source / "prog.c").write_text(PROGRAM)
    (source / "Makefile").write_text(MAKEFILE)
    monkeypatch.setattr(shelf, "fetch", fetched)
    options = Namespace(seconds=2.0, suite_seconds=60.0, jobs=1)
    package = Package("made-up", "prog", ("--stdin", "4"), system=BuildSystem.MAKE)
    cells = shelf.put_on_shelf(package, work, options).strip("| ").split(" | ")
    assert cells[0] == "made-up" and cells[3] == "3 alike (exit code 0)" and cells[-1] == "many runs"
    assert cells[9] == "4 of 4", "both sides of both conditions"
    missing = shelf.put_on_shelf(replace(package, name="missing"), work, options)
    assert missing == "| missing | no row: there is no such package |"


def test_what_a_step_leaves_is_ended_and_nothing_else() -> None:
    with subprocess.Popen(["sleep", "60"]) as earlier:
        left: list[subprocess.Popen[bytes]] = []
        processor_seconds(lambda: left.append(subprocess.Popen(["sleep", "60"])))
        assert earlier.poll() is None and left[0].poll() is not None
        earlier.kill()
