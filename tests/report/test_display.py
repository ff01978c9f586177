"""What is shown while a campaign runs."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from untaken.campaign.watcher import Snapshot, Watcher
from untaken.report.terminal import LineWatcher, LiveWatcher, make_watcher, panel
from untaken.report.words import clock, count

NOW = Snapshot(
    branches=30,
    total=120,
    reachable=80,
    iterations=4321,
    iterations_a_second=512.4,
    seconds=95.0,
    seconds_left=25.0,
    iterations_left=None,
    solver_share=0.25,
    queries=5000,
    tests=17,
    findings=1,
    divergences=2,
    restarts=0,
    since_new=1234,
    strategy="random-branch",
)


def console(*, terminal: bool = False) -> tuple[Console, StringIO]:
    text = StringIO()
    return Console(file=text, force_terminal=terminal, width=100, no_color=True, highlight=False), text


def test_the_panel_says_it_all() -> None:
    screen, text = console()
    screen.print(panel("parser.c", NOW))
    shown = text.getvalue()
    for part in ("parser.c", "30 of 120", "80 reachable", "4,321", "512 a second", "25% of the time", "17 tests"):
        assert part in shown
    for part in ("1 finding", "random-branch", "1,234 iterations since", "2 divergences", "1:35", "0:25 left"):
        assert part in shown
    assert "restart" not in shown


def test_a_narrow_panel_keeps_its_figures_in_one_line() -> None:
    text = StringIO()
    screen = Console(file=text, width=60, no_color=True, highlight=False)
    screen.print(panel("parser.c", NOW, 60))
    lines = text.getvalue().splitlines()
    assert any("30 of 120, 80 reachable" in line for line in lines)
    assert {len(line) for line in lines} == {60}


def test_lines_come_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("untaken.report.terminal.time.monotonic", lambda: now)
    screen, text = console()
    watcher = LineWatcher(screen)
    watcher.begin("parser.c", lambda: NOW)
    for _ in range(120):
        now += 0.1
        watcher.tick()
    lines = text.getvalue().splitlines()
    assert len(lines) == 2
    assert "30 of 120 branches (80 reachable)" in lines[0]


def test_the_display_fits_where_it_is_shown() -> None:
    assert isinstance(make_watcher(console(terminal=True)[0], quiet=False), LiveWatcher)
    assert isinstance(make_watcher(console()[0], quiet=False), LineWatcher)
    assert type(make_watcher(console(terminal=True)[0], quiet=True)) is Watcher


def test_a_live_display_ends() -> None:
    screen, text = console(terminal=True)
    watcher = LiveWatcher(screen)
    watcher.begin("parser.c", lambda: NOW)
    watcher.note("a word in between")
    watcher.end()
    watcher.end()
    assert "a word in between" in text.getvalue()
    assert "30 of 120" in text.getvalue()


def test_words() -> None:
    assert (clock(5), clock(90), clock(3700)) == ("0:05", "1:30", "1:01:40")
    assert (count(1, "test"), count(1200, "test")) == ("1 test", "1,200 tests")
