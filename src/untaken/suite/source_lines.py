"""Lines of the tested program's source, for those who show where something is."""

from __future__ import annotations

from pathlib import Path


def line_at(file: str, line: int) -> str:
    """The text of a line without its indentation; empty if the file is not there, or has no such line.

    Lines are counted as compilers do: splitlines() would also end one at a form feed, which GNU sources are full of.
    """
    try:
        return Path(file).read_text(errors="replace").split("\n")[line - 1].strip()
    except (OSError, IndexError, ValueError):
        return ""
