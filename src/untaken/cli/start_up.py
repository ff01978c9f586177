"""What it took to load a command is a part of the time that its user gave it: `--time 10` is ten seconds at the prompt.

A compiler's time is not, since it depends on what is cached.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from untaken.campaign.config import Config

MOST = 0.5  # of the time given: a machine that is slow to load modules still explores
_begun: ContextVar[float | None] = ContextVar("begun", default=None)  # on the monotonic clock


@contextmanager
def timed_command() -> Iterator[None]:
    """The command begins; what runs inside may ask how long ago that was."""
    token = _begun.set(time.monotonic())
    try:
        yield
    finally:
        _begun.reset(token)


def without_start_up(config: Config) -> Config:
    """The same settings, with the seconds that are left; to be asked for before anything is built."""
    begun = _begun.get()
    if config.seconds is None or begun is None:
        return config
    from dataclasses import replace  # here, since a compiler's calls begin above

    return replace(config, time=max(MOST * config.seconds, config.seconds - (time.monotonic() - begun)))
