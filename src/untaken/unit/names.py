"""What the names of functions say: their words, whether underscores or capitals stand between them."""

from __future__ import annotations

import re

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def in_words(function: str) -> str:
    """With underscores between all words: `xmlNewNode` as `xml_New_Node`."""
    return _CAPITAL.sub("_", function)
