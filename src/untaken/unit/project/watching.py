"""Who is told how a project's exploration goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProjectWatcher:
    """`note` is for what the user should know; `step` is told of what, how many of how many are done."""

    note: Callable[[str], None]
    step: Callable[[str, int, int], None]
