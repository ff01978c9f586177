"""`untaken unit --all`: every function of files or of a project."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.status import Status
from rich.text import Text

from untaken.campaign.config import Config
from untaken.report.console import VisibleConsole
from untaken.report.project_page import write_page
from untaken.report.project_table import project_json, project_parts
from untaken.report.prose import say
from untaken.unit.options import UnitOptions
from untaken.unit.project.sources import ProjectOptions, find_project
from untaken.unit.project.watching import ProjectWatcher
from untaken.unit.project.whole import ProjectOutcome, ProjectWork, explore_project

LINE_SECONDS = 5.0


def explore_all(files: Sequence[Path], options: UnitOptions, config: Config) -> int:
    """Exit code 0: done, 1: something was found that callers can reach, or too little for --fail-under."""
    console = VisibleConsole(stderr=config.json)
    with ProjectDisplay(console, quiet=config.quiet) as display:
        watcher = ProjectWatcher(display.note, display.step)
        wanted = ProjectOptions(tuple(files), options.commands, options.flags, options.others)
        project = find_project(wanted, watcher.note)
        workers = len(os.sched_getaffinity(0)) if config.jobs == 0 else config.jobs or 1
        outcome = explore_project(ProjectWork(project, options, config, workers), watcher)
    write_page(outcome)
    short = is_short(outcome, config.fail_under)
    show(outcome, config, console, short)
    return int(bool(outcome.headline) or short)


def is_short(outcome: ProjectOutcome, limit: float | None) -> bool:
    return limit is not None and 100 * outcome.covered < limit * outcome.total


def show(outcome: ProjectOutcome, config: Config, console: Console, short: bool) -> None:
    if config.json:
        json.dump(project_json(outcome), sys.stdout, indent=1)
        print()
    elif not config.quiet:
        for part in project_parts(outcome):
            say(console, part)
        if short:
            say(console, Text(f"Too little for --fail-under {config.fail_under:g}."))


class ProjectDisplay:
    """How far it is: a line that changes on a terminal, a line every few seconds elsewhere."""

    def __init__(self, console: Console, *, quiet: bool) -> None:
        self._console = console
        self._quiet = quiet
        self._status: Status | None = None
        self._next = time.monotonic() + LINE_SECONDS

    def __enter__(self) -> ProjectDisplay:
        if self._console.is_terminal and not self._quiet:
            self._status = self._console.status("looks at the files")
            self._status.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._status is not None:
            self._status.stop()

    def note(self, text: str) -> None:
        if not self._quiet:
            say(self._console, Text(f"untaken: {text}"))

    def step(self, what: str, done: int, total: int) -> None:
        line = f"{what}: {done} of {total}"
        if self._status is not None:
            self._status.update(line)
        elif not self._quiet and time.monotonic() >= self._next:
            self._next = time.monotonic() + LINE_SECONDS
            self._console.print(Text(line), soft_wrap=True)
