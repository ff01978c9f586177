"""The display while a campaign runs: live on a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from untaken.campaign.summary import Summary, WorkerState
from untaken.campaign.watcher import Snapshot, Watcher
from untaken.report.prose import say
from untaken.report.standstill import stands_still, standstill
from untaken.report.words import clock, count, shown
from untaken.suite.findings import Finding

LINE_SECONDS = 5.0
REFRESH_A_SECOND = 4
WIDEST = 92  # of the display
LONGEST_BAR = 30
BESIDE_BAR = 42  # characters: the frame, a title, two numbers
MOST_WORKERS = 12  # that have a line of their own


def make_watcher(console: Console, *, quiet: bool) -> Watcher:
    """The display that fits: none, one that is drawn anew, or lines for a log."""
    if quiet:
        return Watcher()
    return LiveWatcher(console) if console.is_terminal else LineWatcher(console)


class SpokenWatcher(Watcher):
    """Notes and findings as lines."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told_of = -1  # how many branches were covered when it was said last

    def note(self, text: str) -> None:
        say(self._console, Text(f"untaken: {text}"))

    def summarised(self, summary: Summary) -> None:
        """Why it stands still: once, until something new is covered."""
        if self._told_of != summary.covered and stands_still(summary):
            self._told_of = summary.covered
            self.note(standstill(summary))

    def found(self, finding: Finding) -> None:
        place = f" ({shown(finding.location)})" if finding.location else ""
        say(self._console, Text(f"found {finding.name}: {finding.in_words}{place}", style="bold red"))


class LineWatcher(SpokenWatcher):
    """Says in single lines what happens, for logs and pipes."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._look: Callable[[], Snapshot] | None = None
        self._next = 0.0

    def begin(self, title: str, look: Callable[[], Snapshot]) -> None:
        self._look = look
        self._next = time.monotonic() + LINE_SECONDS

    def tick(self, runs: int = 1) -> None:
        now = time.monotonic()
        if self._look is not None and now >= self._next:
            self._next = now + LINE_SECONDS
            self._console.print(Text(progress_line(self._look())), soft_wrap=True)


class LiveWatcher(SpokenWatcher):
    """A panel that is drawn again a few times a second, from a thread of its own."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._live: Live | None = None

    def begin(self, title: str, look: Callable[[], Snapshot]) -> None:
        self._live = Live(
            get_renderable=lambda: panel(title, look(), self._console.width),
            console=self._console,
            refresh_per_second=REFRESH_A_SECOND,
            transient=True,
        )
        self._live.start()

    def end(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


def progress_line(now: Snapshot) -> str:
    """One line: how far it is."""
    return (
        f"{now.seconds:6.1f} s  {now.branches} of {now.total} branches ({now.reachable} reachable)  "
        f"{now.iterations:,} iterations, {now.iterations_a_second:,.0f}/s  solver {now.solver_share:.0%}  "
        f"{now.tests} tests  {count(now.findings, 'finding')}{time_left(now)}{of_workers(now)}"
    )


def of_workers(now: Snapshot) -> str:
    """How many iterations a second each has."""
    rates = [f"{worker.iterations_a_second:,.0f}" for worker in now.workers[:MOST_WORKERS]]
    more = ["..."] if len(now.workers) > MOST_WORKERS else []
    return f"  {count(len(now.workers), 'worker')}: {' + '.join([*rates, *more])}/s" if rates else ""


def panel(title: str, now: Snapshot, room: int = WIDEST) -> Panel:
    """The display of a campaign under way, of the same width as long as the terminal is."""
    width = min(WIDEST, room)
    bar = max(1, min(LONGEST_BAR, width - BESIDE_BAR))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim", no_wrap=True)
    grid.add_column()
    coverage = Table.grid(padding=(0, 1))
    coverage.add_row(
        ProgressBar(total=max(now.total, 1), completed=now.branches, width=bar),
        Text(f"{now.branches} of {now.total}{reachable(now)}"),
    )
    grid.add_row("branches", coverage)
    grid.add_row("iterations", f"{now.iterations:,}, {now.iterations_a_second:,.0f} a second")
    grid.add_row("solver", f"{now.queries:,} questions, {now.solver_share:.0%} of the time")
    grid.add_row("strategy", f"{now.strategy}{doing(now)}")
    found = Text(count(now.findings, "finding"), style="bold red" if now.findings else "")
    grid.add_row("kept", Text.assemble(count(now.tests, "test"), ", ", found))
    for worker in now.workers[:MOST_WORKERS]:
        grid.add_row(f"worker {worker.number}", worker_line(worker))
    if len(now.workers) > MOST_WORKERS:
        grid.add_row("", f"and {count(len(now.workers) - MOST_WORKERS, 'more worker')}")
    grid.add_row("time", f"{clock(now.seconds)}{time_left(now)}")
    return Panel(grid, title=Text(title), title_align="left", width=width)


def reachable(now: Snapshot) -> str:
    """What may be covered without calling further functions, where that is not all."""
    return f", {now.reachable} reachable" if now.reachable < now.total else ""


def worker_line(worker: WorkerState) -> str:
    """What one of several workers is at."""
    replaced = f", replaced {count(worker.replaced, 'time')}" if worker.replaced else ""
    return (
        f"{worker.state}: {count(worker.iterations, 'iteration')}, {worker.iterations_a_second:,.0f} a second, "
        f"{count(worker.tests, 'test')}{replaced}"
    )


def doing(now: Snapshot) -> str:
    """What the strategy is at."""
    restarts = f", {count(now.restarts, 'restart')}" if now.restarts else ""
    divergences = f", {count(now.divergences, 'divergence')}" if now.divergences else ""
    return f", {count(now.since_new, 'iteration')} since the last new branch{restarts}{divergences}"


def time_left(now: Snapshot) -> str:
    left = []
    if now.seconds_left is not None:
        left.append(clock(now.seconds_left))
    if now.iterations_left is not None:
        left.append(count(now.iterations_left, "iteration"))
    return f", {' or '.join(left)} left" if left else ""
