"""Columns of plain text, and lines of the source in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from untaken.suite.source_lines import line_at

WIDEST_SOURCE = 60


def aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[Text]:
    """Columns of plain text, which a narrow terminal wraps but never cuts."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield Text("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def source_line(file: str, line: int) -> str:
    """The text of a line, if the file is there, as far as there is room for it."""
    text = line_at(file, line)
    return text if len(text) <= WIDEST_SOURCE else text[: WIDEST_SOURCE - 1] + "…"
