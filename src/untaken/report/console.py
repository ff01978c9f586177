"""The console that campaigns are shown on: nothing that a program says reaches the terminal as more than text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from untaken.visible_text import visible


class VisibleConsole(Console):
    """Rich's own, but text is only text: no markup in it, and no control characters."""

    def __init__(self, *, stderr: bool = False, quiet: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, quiet=quiet, width=width, highlight=False, markup=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """What is printed, in pieces; those that move the cursor are ours."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))
