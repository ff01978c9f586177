"""Which structs are a project's own business: their members are no part of what it promises to those who use it.

That is told by where a struct is defined: in a file of a project that has headers, in a header that is called private,
or under a comment that says so.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_NAMED = re.compile(r"guts|(?:^|[-_.])(?:priv\w*|intern\w*|impl|int|local|p)(?:[-_.]|$)", re.IGNORECASE)
_SAID = re.compile(
    r"\b(?:private|internals?|opaque)\b|\bnot\W+(?:be\W+(?:used|accessed|touched|modified)|access|touch|play)\b",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\bnot\W+be\W+(?:used|included)\b|\b(?:internal|private)\W+(?:header|declarations|definitions|to\b|use)|"
    r"\bpart\W+of\W+the\W+implementation\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_OWN_HEADERS = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"', re.MULTILINE)
MOST_TEXT = 1500  # of a comment that belongs to a struct
HEAD = 3000


@dataclass(frozen=True, slots=True)
class PrivateTypes:
    """As a file's tests see it."""

    source: str = ""

    def has(self, record: str | None, file: str) -> bool:
        """Whether a struct of this name, defined in this file, is one of them."""
        if os.path.realpath(file) == os.path.realpath(self.source) and self.source:
            return bool(_OWN_HEADERS.search(_text(file)))
        if not file.endswith((".h", ".H", ".hh")):
            return False
        return is_private_header(file) or (record is not None and _says_private(file, record))


@lru_cache(maxsize=256)
def _text(file: str) -> str:
    try:
        return Path(file).read_text(errors="replace")
    except OSError:
        return ""


@lru_cache(maxsize=256)
def is_private_header(file: str) -> bool:
    """Whether a header is no part of what a library promises: its name or its comment says so."""
    name = os.path.basename(file).rpartition(".")[0]
    return bool(_NAMED.search(name)) or any(_HEADER.search(each) for each in _COMMENT.findall(_text(file)[:HEAD]))


@lru_cache(maxsize=1024)
def _says_private(file: str, record: str) -> bool:
    """A comment right before the struct."""
    text = _text(file)
    start = _start_of(text, record)
    if start is None:
        return False
    # The comment may hold a semicolon: what ends before it is looked for without comments.
    before = text[max(0, start - MOST_TEXT) : start]
    comments = list(_COMMENT.finditer(before))
    if not comments or re.search(r"[;}]", before[comments[-1].end() :]):
        return False
    return bool(_SAID.search(comments[-1][0]))


def _start_of(text: str, record: str) -> int | None:
    """Where the definition begins; of a struct that only a typedef names, where its bracket stands."""
    _, _, tag = record.rpartition(" ")
    if found := re.search(rf"\b(?:struct|union)\s+{re.escape(tag)}\s*\{{", text):
        return found.start()
    named = re.search(rf"\}}\s*{re.escape(tag)}\s*;", text)
    if named is None:
        return None
    depth = 0
    for place in range(named.start(), -1, -1):
        depth += {"}": 1, "{": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return None
