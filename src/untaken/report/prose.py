"""Sentences on a terminal: wrapped between words, and indented as they began. Pipes and logs get whole lines."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

HANGING = 2  # further in than an item began
LEAST_WIDTH = 20  # narrower than that, the terminal itself may wrap


def say(console: Console, part: RenderableType) -> None:
    """Prints a part of what is to be said."""
    if isinstance(part, Text) and console.is_terminal:
        for line in wrapped(part, console):
            console.print(line, soft_wrap=True)
    else:
        console.print(part, soft_wrap=True)


def wrapped(text: Text, console: Console) -> Iterator[Text]:
    """The lines that a text takes. What is to be copied (`no_wrap`) stays in one, which the terminal itself wraps."""
    indent = len(text.plain) - len(text.plain.lstrip(" "))
    hanging = indent + HANGING if indent else 0
    room = console.width - hanging
    if text.no_wrap or cell_len(text.plain) <= console.width or room < LEAST_WIDTH:
        yield text
        return
    for number, line in enumerate(text[indent:].wrap(console, room)):
        line.rstrip()
        yield Text(" " * (hanging if number else indent)) + line
