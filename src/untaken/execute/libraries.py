"""The shared libraries that the loader gave a program, and which of them are not instrumented."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from untaken.build.objects.shared_objects import is_instrumented

# The C library's own: functions in them have models, or are named where the input goes into them.
_KNOWN = ("libc.", "libm.", "libmvec.", "libpthread.", "libdl.", "librt.", "libgcc_s.", "ld-linux")


def uninstrumented_libraries(process: int) -> tuple[Path, ...]:
    """Those that a running program has mapped and that are not ours, in the order of their addresses."""
    return tuple(path for path in _mapped(process) if not is_instrumented(path))


def _mapped(process: int) -> Iterator[Path]:
    with suppress(OSError):
        lines = Path(f"/proc/{process}/maps").read_text(errors="surrogateescape").splitlines()
        paths = dict.fromkeys(Path(line.split(maxsplit=5)[5]) for line in lines if " r-xp " in line and "/" in line)
        yield from (path for path in paths if ".so" in path.name and not path.name.startswith(_KNOWN))
