"""Text of a program under test, or of a folder from somebody else, as it is shown to people: terminals obey some of it.

For all stages. Escape sequences set titles, clear screens, and on some terminals type; marks of direction make a line
look like another one. What is shown in their place can be read, and means nothing to a terminal.
"""

from __future__ import annotations

import re

# All control characters but tab and newline, with those of eight bits; surrogates; and marks that turn text around.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with an escape, as in C, for each character that a terminal would obey."""
    return _UNSEEN.sub(lambda match: match[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)
