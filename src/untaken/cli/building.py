"""What is said while a program is built: nothing if that is quick."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from untaken.build.library.runtime import is_compiled
from untaken.build.toolchain.compilers import front_end
from untaken.errors import UntakenError
from untaken.execute.target import SOURCE_SUFFIXES

PATIENCE = 2.0  # seconds without a word
FIRST_TIME = "the runtime is compiled for this compiler first; it is kept, so this happens once"


@contextmanager
def building(note: Callable[[str], None], names: Sequence[str]) -> Iterator[None]:
    """Tells what takes so long meanwhile, if these are C files."""
    if not any(Path(name).suffix in SOURCE_SUFFIXES for name in names):
        yield
        return
    if lacks_runtime():
        note(FIRST_TIME)
        yield
        return
    timer = threading.Timer(PATIENCE, note, [f"compiling {', '.join(Path(name).name for name in names)}"])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def lacks_runtime() -> bool:
    """Whether a build has to compile the runtime, too; what is wrong with a compiler the build itself will say."""
    try:
        return not is_compiled(front_end())
    except (UntakenError, OSError):
        return False
