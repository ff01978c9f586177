"""Work that makes many objects, nearly all of which stay: looking for garbage among them takes as long as the rest.

For all stages.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
