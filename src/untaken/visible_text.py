"""Text of a program under test, or of a folder from somebody else, as it is shown to people: terminals obey some of it.

For all stages. Escape sequences set titles, clear screens, and on some terminals type; marks of direction make a line
look like another one. What is shown in their place can be read, and means nothing to a terminal.
"""

from __future__ import annotations

import re

# All control characters but tab and newline, with those of eight bits; surrogates; and marks that turn text around.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


_BYTES = range(0xDC80, 0xDD00)  # what Python makes of bytes that are no text


def visible(text: str) -> str:
    """The text with an escape, as in C, for what a terminal would obey, and for bytes that are no text."""
    return _UNSEEN.sub(lambda match: _escape(match[0]), text)


def _escape(character: str) -> str:
    if ord(character) in _BYTES:
        return f"\\x{ord(character) & 0xFF:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
