"""The program that a campaign's settings ask for, with allocations that may fail if they say so."""

from __future__ import annotations

import shlex
from pathlib import Path

from untaken.build.library.failing_allocations import FLAGS, HEADER, SOURCE
from untaken.campaign.config import Config
from untaken.errors import UsageError
from untaken.execute.target import SOURCE_SUFFIXES, Target, find_target


def wanted_target(config: Config) -> Target:
    """Builds C files; takes a program as it is."""
    if not config.fail_malloc:
        return find_target(config.targets, config.cflags)
    if any(Path(name).suffix not in SOURCE_SUFFIXES for name in config.targets):
        raise UsageError(
            f"--fail-malloc is for C files; build this program with `untaken cc -include {HEADER} ...`, link {SOURCE} "
            "to it in the same way, and leave the option out"
        )
    return find_target((*config.targets, str(SOURCE)), f"{config.cflags} {shlex.join(FLAGS)}".strip())


def refuse_failing_allocations(config: Config, what: str) -> None:
    """For commands that do not build the program in that way."""
    if config.fail_malloc:
        raise UsageError(f"--fail-malloc is for C files that `untaken run` builds and for one function, not for {what}")
