"""A campaign from Python, with callbacks."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from untaken.api.program import AnyPath, Program
from untaken.api.result import Result, read_result
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import DEFAULT_OUT, Config, options
from untaken.campaign.folder.recipe import with_default_input
from untaken.campaign.wanted_target import refuse_failing_allocations
from untaken.campaign.watcher import Watcher
from untaken.errors import UsageError
from untaken.model.input import Source, SourceKind
from untaken.search.registry import DEFAULT
from untaken.search.world import BookedRun
from untaken.suite.findings import Finding


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Who is told what; `on_run` ends the campaign by returning True."""

    on_run: Callable[[BookedRun], bool | None] | None = None
    on_finding: Callable[[Finding], None] | None = None
    on_note: Callable[[str], None] | None = None


def explore(
    program: Program | AnyPath,
    *,
    stdin: int | None = None,
    args: Sequence[int] = (),
    files: Mapping[str, int] | None = None,
    arguments: Sequence[str] = (),
    strategy: str = DEFAULT,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    out: AnyPath = DEFAULT_OUT,
    on_run: Callable[[BookedRun], bool | None] | None = None,
    on_finding: Callable[[Finding], None] | None = None,
    on_note: Callable[[str], None] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Result:
    """Explores a program, as `untaken run` does; a C file is built first.

    `stdin`, `args` and `files` are sizes of inputs, as --stdin, --arg and --file; `arguments` are fixed. `more` are
    other options of `untaken run` by the names of `Config`'s fields: {"prune": "lookahead"}.
    """
    chosen = program if isinstance(program, Program) else Program.build(program)
    declared = tuple(Source(SourceKind.FILE, size, name) for name, size in (files or {}).items())
    settings = Config(
        targets=(str(chosen.target.program),),
        arguments=tuple(arguments),
        strategy=strategy,
        iterations=iterations,
        time=seconds,
        seed=seed,
        stdin=stdin,
        arg=tuple(args),
        file=declared,
        out=FilePath(os.fspath(out)),
        **_checked(more or {}),
    )
    return run_settings(chosen, settings, Callbacks(on_run, on_finding, on_note))


def run_settings(program: Program, settings: Config, callbacks: Callbacks) -> Result:
    """The same with settings that are made already."""
    settings.check()
    refuse_failing_allocations(settings, "the Python interface")
    settings, note = with_default_input(settings, program.target)
    telling = _Telling(callbacks)
    if note is not None:
        telling.note(note)
    run_campaign(settings, program.target, telling)
    return read_result(settings.out, program)


def _checked(more: Mapping[str, Any]) -> dict[str, Any]:
    for name in more:
        if name not in options():
            raise UsageError(f"no setting is called {name!r}; there are: {', '.join(options())}")
    return dict(more)


class _Telling(Watcher):
    """Hands on what a campaign tells."""

    def __init__(self, callbacks: Callbacks) -> None:
        self._callbacks = callbacks
        self._enough = False

    def ran(self, run: BookedRun) -> None:
        if self._callbacks.on_run is not None:
            self._enough = bool(self._callbacks.on_run(run)) or self._enough

    def has_seen_enough(self) -> bool:
        return self._enough

    def found(self, finding: Finding) -> None:
        if self._callbacks.on_finding is not None:
            self._callbacks.on_finding(finding)

    def note(self, text: str) -> None:
        if self._callbacks.on_note is not None:
            self._callbacks.on_note(text)
