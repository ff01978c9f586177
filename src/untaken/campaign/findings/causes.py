"""Why a program crashed, in words: what the kernel said of the signal, or the C library before it gave up."""

from __future__ import annotations

import re

# By the names that suite/replay/inside.py gives them.
CAUSES = {
    "stack": "the stack is full (calls too deep, or too large an array)",
    "null": "a null pointer is followed",
    "null-call": "a null pointer is called, or returned to",
    "no-code": "a call or return to where no code is",
    "nothing": "an address where no memory is",
    "not-allowed": "memory that may not be used so, such as a constant that is written to",
    "impossible": "an address that no memory can have",
    "division": "an integer is divided by zero, or the result does not fit",
}
_FUNCTIONS = "free|malloc|calloc|realloc|malloc_consolidate|munmap_chunk|mremap_chunk"
_LIBRARY_MESSAGE = re.compile(
    rf"^(?:(?:{_FUNCTIONS})\(\): .*|double free or corruption.*|corrupted .*|\*\*\* .* \*\*\*.*|Fatal glibc error: .*)$"
)


def library_message(printed: bytes) -> str:
    """Why the C library aborted the program, if it did, by what was printed: the last line of that kind."""
    lines = printed.decode(errors="replace").splitlines()
    return next((line for line in reversed(lines) if _LIBRARY_MESSAGE.match(line)), "")
