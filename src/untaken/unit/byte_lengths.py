"""Which parameters of a function that makes objects are bytes, and which say how many of them there are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from untaken.unit.names import in_words
from untaken.unit.options import MakerTemplate
from untaken.unit.types import Basic, CPointer, CVoid, Encoding, TypeTable

LENGTH = re.compile(r"(^|_)(n|len|length|size|count|num|nbytes|bytes|avail|cnt|sz|l)(_|\d|$)|len$|size$|count$", re.I)


def is_length(name: str) -> bool:
    """Whether a number of this name says how much there is of something."""
    return bool(LENGTH.search(in_words(name)))


def byte_lengths(template: MakerTemplate, table: TypeTable) -> list[tuple[int, int]]:
    """Places of lengths, each with the place of the bytes before or after it that it counts."""
    kinds = [_kind(table, reference) for reference in template.types]
    found = []
    for place, kind in enumerate(kinds):
        if kind == "bytes":
            beside = [near for near in (place + 1, place - 1) if 0 <= near < len(kinds)]
            found += [(near, place) for near in beside if _counts(template, kinds, near)][:1]
    return found


def _counts(template: MakerTemplate, kinds: Sequence[str], place: int) -> bool:
    return kinds[place] == "integer" and is_length(template.names[place])


def _kind(table: TypeTable, reference: str) -> str:
    found = table.plain(reference)
    if isinstance(found, CPointer):
        target = table.plain(found.target)
        return "bytes" if isinstance(target, CVoid) or (isinstance(target, Basic) and target.size == 1) else ""
    integer = isinstance(found, Basic) and found.encoding in (Encoding.SIGNED, Encoding.UNSIGNED) and found.size >= 2
    return "integer" if integer else ""
