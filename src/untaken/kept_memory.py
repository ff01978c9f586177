"""Memory of large arrays that is used again: the C library would give it back to the kernel each time.

The events of a run may be megabytes, and a dozen arrays of that size are made of them and gone again before the next
run. Memory that comes from the kernel is made of pages that are mapped and cleared one by one, which takes longer than
what is computed in it. For all stages.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of mallopt
_LARGEST_KEPT = 32 << 20  # bytes of one array: the most that glibc takes
_MOST_KEPT = 256 << 20  # bytes at the end of the heap that nobody uses


@cache
def keep_memory() -> None:
    """From now on, this process keeps what it frees for what comes next, within bounds. Other C libraries do not know
    the call, or do nothing."""
    with suppress(AttributeError):
        change = ctypes.CDLL(None).mallopt
        change(_MMAP_THRESHOLD, _LARGEST_KEPT)
        change(_TRIM_THRESHOLD, _MOST_KEPT)
