"""TextColumns of plain text, and lines of the source in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from untaken.report.prose import wrapped
from untaken.suite.source_lines import line_at

WIDEST_SOURCE = 60
OWN_LINE = " " * 6  # before a last column that has a line of its own


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Rows of plain text below each other, of which nothing is cut.

    On a terminal that is too narrow for them the last column has lines of its own.
    """

    rows: Sequence[tuple[str, ...]]

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> RenderResult:
        lines = aligned(self.rows)
        if not console.is_terminal or max(map(cell_len, lines), default=0) <= console.width:
            yield from map(Text, lines)
            return
        for line, row in zip(aligned([row[:-1] for row in self.rows]), self.rows, strict=True):
            yield from wrapped(Text(line), console)
            if row[-1]:
                yield from wrapped(Text(f"{OWN_LINE}{row[-1]}"), console)


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """A line for each row."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [f"  {'  '.join(map(_filled, row, widths))}".rstrip() for row in rows]


def _filled(cell: str, width: int) -> str:
    return cell + " " * (width - cell_len(cell))


def source_line(file: str, line: int) -> str:
    """The text of a line, if the file is there, as far as there is room for it."""
    text = line_at(file, line)
    return text if len(text) <= WIDEST_SOURCE else text[: WIDEST_SOURCE - 1] + "…"
