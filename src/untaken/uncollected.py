"""Work that makes many objects, nearly all of which stay, or go by themselves: looking for garbage among them takes
long.

For all stages.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS = 50_000  # new ones that are still there, before garbage is looked for; Python's own number is 700
_changing = threading.Lock()
_before: list[tuple[int, int, int]] = []  # what held, for each who is inside: campaigns may run in several threads


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Python's collector runs seldom inside: for what leaves next to no cycles behind, as the runs of a campaign do."""
    with _changing:
        before = gc.get_threshold()
        _before.append(before)
        gc.set_threshold(max(before[0], OBJECTS) if before[0] else 0, *before[1:])  # 0: it is turned off
    try:
        yield
    finally:
        with _changing:
            outer = _before[0]
            _before.pop()
            if not _before:
                gc.set_threshold(*outer)


@contextmanager
def uncollected() -> Iterator[None]:
    """Python's collector does not run inside; what has no cycles goes at once, as ever."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
