"""Words that a program spells: what its constant strings say, as far as it could be looked for in an input.

Names that are looked up by a hash, or compared character by character, are asked for in no other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_LONGEST = 20
_MOST = 4_096  # of one file
_STRING = re.compile(r'\bc"((?:[^"\\]|\\00)*)"')  # what has other escapes is no word
_WORD = re.compile(rf"[^\s%/]{{2,{_LONGEST}}}")
_LETTER = re.compile(r"[A-Za-z]")
_OWN_NAME = re.compile(r'^@"?__(?:func|FUNCTION|PRETTY_FUNCTION)__\.')
_FILE_NAME = re.compile(r"\.[chly]$")  # an assertion's


def spelled_words(globals_: Iterable[str]) -> list[str]:
    """Of a printed module's globals, each word once."""
    found: dict[str, None] = {}
    for line in globals_:
        if 'c"' in line and not _OWN_NAME.match(line):
            for match in _STRING.finditer(line):
                found.update(dict.fromkeys(filter(_is_word, match[1].split("\\00"))))
    return list(found)[:_MOST]


def _is_word(text: str) -> bool:
    return bool(_WORD.fullmatch(text) and _LETTER.search(text) and not _FILE_NAME.search(text))
