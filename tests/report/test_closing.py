"""The closing words: where to look next and why, and what could not be followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.campaign.commands import campaign, untaken, written
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Snapshot, Watcher
from untaken.execute.target import find_target
from untaken.model.path import CONCRETISED_KINDS
from untaken.report.closing import print_summary
from untaken.report.columns import source_line
from untaken.report.words import CONCRETISED

CAUSES = """
#include <untaken.h>
#include <stdlib.h>
static int fixed(int argc) {
    return argc > 5;
}
int main(int argc, char **argv) {
    int x, y;
    (void)argv;
    untaken_int(&x);
    untaken_int(&y);
    untaken_assume(x > 3 && y > 3);
    if (x > 10 && x < 5) return 1;
    if (fixed(argc)) return 2;
    return 0;
}
"""


def closing(summary: Summary) -> str:
    text = StringIO()
    print_summary(Console(file=text, width=300), summary)
    return text.getvalue()


def test_what_is_in_the_way_is_said_once_a_line_with_its_function(tmp_path: Path) -> None:
    program = written(tmp_path, CAUSES)
    text = closing(campaign(program, "--iterations", 200, "--out", tmp_path / "out", "--", "some", "words"))
    rows = [line for line in text.splitlines() if "program.c:" in line and "never" in line and " of " not in line]
    assert len(rows) == len({row.split()[0] for row in rows}) == 3
    by_line = {row.split()[0].rpartition(":")[2]: row for row in rows}
    assert "only runs that fail an assumption take it" in by_line["12"] and "never false" in by_line["12"]
    assert "no input takes it" in by_line["13"] and "if (x > 10 && x < 5) return 1;" in by_line["13"]
    assert "not seen to depend on the input" in by_line["14"]
    assert all(" main  " in row for row in rows)
    assert "may be fixed by the arguments after --" in text


DECIDED_BEFORE = """#include <untaken.h>
int main(void) {
    int x, y;
    untaken_int(&x); untaken_int(&y);
    if (x != 5) return 1;
    return y > 100 && x == 5 ? 2 : 3;
}
"""


def test_a_condition_that_was_decided_before_is_not_said_to_depend_on_no_input(tmp_path: Path) -> None:
    summary = campaign(written(tmp_path, DECIDED_BEFORE), "--iterations", 200, "--out", tmp_path / "out")
    assert summary.exhausted and summary.covered == summary.total - 1
    assert "not seen to depend on the input anew" in closing(summary)


def test_lines_are_counted_as_compilers_do(tmp_path: Path) -> None:
    """GNU sources have form feeds between their parts; other characters that Python ends lines at are no better."""
    source = tmp_path / "source.c"
    source.write_text("one\n\f\ntwo\v\x1c\u2028\u0085 /* still */\nthree\r\nfour\n")
    assert [source_line(str(source), line) for line in (1, 4, 5)] == ["one", "three", "four"]
    assert source_line(str(source), 3).endswith("/* still */")
    assert source_line(str(source), 9) == ""


def test_what_could_not_be_followed_is_said_in_words(tmp_path: Path) -> None:
    assert set(CONCRETISED) == set(CONCRETISED_KINDS)
    body = 'int x; untaken_int(&x); __asm__ volatile("" : "+r"(x)); return x == 3;'
    program = written(tmp_path, f"#include <untaken.h>\nint main(void) {{ {body} }}")
    text = closing(campaign(program, "--iterations", 3, "--out", tmp_path / "out"))
    assert "times inline assembly" in text or "time inline assembly" in text


class LastLook(Watcher):
    """Remembers what a display would show last."""

    shown: Snapshot

    def begin(self, title: str, look: Callable[[], Snapshot]) -> None:
        self.look = look

    def end(self) -> None:
        self.shown = self.look()


def test_the_solver_has_one_share(tmp_path: Path) -> None:
    """What is shown while a campaign runs is what is said at its end."""
    program = written(tmp_path, CAUSES)
    config = Config(targets=(str(program),), iterations=50, out=tmp_path / "out")
    watcher = LastLook()
    summary = run_campaign(config, find_target(config.targets), watcher)
    shown = watcher.shown
    assert shown.queries == summary.totals.queries
    assert shown.solver_share == pytest.approx(summary.totals.solver_seconds / summary.totals.seconds, abs=0.01)


def test_unit_says_how_long_it_goes_on() -> None:
    said = " ".join(untaken("unit", "--help").printed.split())
    assert "in search of faults, then end (default 200)" in said
    docs = (Path(__file__).parents[2] / "docs" / "how-to" / "test-one-function.md").read_text()
    assert "after 200 executions more in search of faults (`--after-coverage`)" in docs


def test_what_was_never_executed_has_nothing_said_of_it(tmp_path: Path) -> None:
    """As workers end that a busy machine did not start in time."""
    summary = campaign(written(tmp_path, CAUSES), "--iterations", 3, "--out", tmp_path / "out")
    nothing = replace(summary, input_mattered=False, doubts=(), totals=replace(summary.totals, iterations=0))
    assert "was not executed" in closing(nothing) and "depended on an input" not in closing(nothing)
