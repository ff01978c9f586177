"""C sources as text: where functions begin and end, and what of a file is code.

This is no parser, but a reading that is good enough for lines of a diff, and for a report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

# What braces and names in C are not to be looked for in: comments, strings, characters, lines of the preprocessor.
_NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*""", re.DOTALL | re.MULTILINE
)


def code_only(text: str) -> str:
    """The text with blanks in place of all that is no code: lines and columns stay."""
    return _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def function_spans(text: str, starts: Sequence[int]) -> dict[int, tuple[int, int]]:
    """For each function, by the line that has its name: its first and its last line. `starts` are in order.

    A text that has fewer lines than the program was built from has fewer functions.
    """
    lines = code_only(text).split("\n")
    found = {}
    for place, start in enumerate(takewhile(len(lines).__ge__, starts)):
        limit = starts[place + 1] - 1 if place + 1 < len(starts) else len(lines)
        found[start] = _first_line(lines, start), min(limit, _last_line(lines, start))
    return found


def _first_line(lines: Sequence[str], start: int) -> int:
    """A type may stand on lines of its own before the name."""
    while start > 1 and (before := lines[start - 2].strip()) and before[-1] not in ";{}":
        start -= 1
    return start


def _last_line(lines: Sequence[str], start: int) -> int:
    """Of the body, by its braces; if they do not match, the end of the file."""
    depth, begun = 0, False
    for number, line in enumerate(lines[start - 1 :], start):
        for brace in re.findall(r"[{}]", line):
            depth += 1 if brace == "{" else -1
            begun = begun or depth > 0
            if begun and depth <= 0:
                return number
    return len(lines)
