"""Work that makes many objects, nearly all of which stay, or go by themselves: looking for garbage among them takes
long.

For all stages.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS = 50_000  # new ones that are still there, before garbage is looked for; Python's own number is 700


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Python's collector runs seldom inside: for what leaves next to no cycles behind, as the runs of a campaign do."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], OBJECTS) if before[0] else 0, *before[1:])  # 0: it is turned off
    try:
        yield
    finally:
        gc.set_threshold(*before)


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
