"""How a session runs its program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from untaken.execute.layout import TraceLimits
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox
from untaken.model.input import Bias, Source


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """How to run a program."""

    arguments: tuple[str, ...] = ()  # argv after the name; declared ARGUMENT sources are put between or after them
    sources: tuple[Source, ...] = ()
    biases: tuple[Bias, ...] = ()  # of random inputs, where the program wanders
    printable: bool = False  # random text is printable
    timeout: float = 1.0  # seconds a run
    limits: TraceLimits = field(default_factory=TraceLimits)
    run_limits: RunLimits = field(default_factory=RunLimits)
    sandbox: Sandbox = field(default_factory=Sandbox)
    environment: Mapping[str, str] | None = None  # what the sandbox leaves of the driver's if None
    capture: bool = False  # keep what each run prints, for `Session.output`
    most_runs: int = 1  # of one process; more only if the program is contained (build/library/contained.py)
    changes_process: bool = True  # it may set signal handlers or masks, which are to be put back after a run then
    sets_locale: bool = False  # it calls setlocale: then its locale is loaded once, before the first run
    takes_addresses: bool = True  # of functions that are not its own; else those that it takes say nothing
    uses_files: bool = True  # else there is nothing to remove, or to close, after a run


DEFAULTS = SessionSettings()
