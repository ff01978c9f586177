"""Why a campaign stands still: one line while it runs, and again at its end."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.campaign.commands import campaign, untaken, written
from untaken.campaign.summary import Summary
from untaken.report import standstill as module
from untaken.report.standstill import stands_still, standstill
from untaken.report.terminal import LineWatcher

HEAD = """
#include <untaken.h>
#include <stdlib.h>
static int more(int x) { return x > 3 ? x < 9 : 0; }
int main(int argc, char **argv) {
    int x;
    (void)argv;
    untaken_int(&x);
"""
TAIL = """
        return more(x);
    for (int i = 0, y; i < 12; i++) { untaken_int(&y); if (y == i) x += 0 * y; } // paths enough
    return 0;
}
"""
# What decides, what is said to be the reason, and what would help.
CAUSES = {
    "arguments": ("if (argc > 5)", "not seen to depend on the input", "The arguments after -- may fix it: --arg N"),
    "a model": ("if (l64a(x)[0] == 'z')", "not seen to depend", "Input went into l64a and was"),
    "infeasible": ("if (x > 10 && x < 5)", "no input takes it on the paths that were tried", "It takes another path"),
    "assumption": ("untaken_assume(x < 100); if (x > 100)", "no input takes it", "It takes another path"),
}


def stuck(folder: Path, decides: str, *words: object) -> Summary:
    text = f"{HEAD}    {decides}{TAIL}"
    return campaign(written(folder, text), "--no-new", "60", "--strategy", "bfs", "--out", folder / "out", *words)


@pytest.mark.parametrize("cause", CAUSES)
def test_the_reason_and_what_would_help(tmp_path: Path, cause: str) -> None:
    decides, reason, helps = CAUSES[cause]
    summary = stuck(tmp_path, decides, "--", "one", "two")
    assert stands_still(summary)
    text = standstill(summary)
    assert "program.c:9 in main: " in text
    assert "branches behind its true side" in text
    assert reason in text
    assert helps in text


@pytest.mark.parametrize(
    ("words", "helps"), [((), ": more input, or --seeds"), (("--stdin", "4"), ": larger --stdin, --arg or --file, or")]
)
def test_only_what_was_declared_can_be_larger(tmp_path: Path, words: tuple[str, ...], helps: str) -> None:
    assert helps in standstill(stuck(tmp_path, "static int mode; if (mode)", *words))


def test_it_is_said_once_while_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(module, "LEAST_SHARE", 0.0)
    summary = stuck(tmp_path, "if (argc > 5)")
    text = StringIO()
    watcher = LineWatcher(Console(file=text, width=300))
    for _ in range(3):
        watcher.summarised(summary)
    assert text.getvalue().count("Nothing new for") == 1


def test_a_campaign_that_goes_on_well_is_left_alone(tmp_path: Path) -> None:
    text = f"{HEAD}    if (argc > 5){TAIL}"
    summary = campaign(written(tmp_path, text), "--iterations", "60", "--out", tmp_path / "out")
    assert not stands_still(summary)  # it took less than seconds


def test_the_closing_repeats_it(tmp_path: Path) -> None:
    program = written(tmp_path, f"{HEAD}    if (argc > 5){TAIL}")
    answer = untaken("run", program, "--no-new", "60", "--strategy", "bfs", "--out", tmp_path / "out")
    assert answer.printed.count("Nothing new for") == 1
    rows = answer.printed.splitlines()
    told = next(index for index, row in enumerate(rows) if "Nothing new for" in row)
    assert any("opens 3" in row for row in rows[told - 3 : told]) and "As to the first of these: " in rows[told]
