"""Which functions of a library are for its callers: not those that only its private headers declare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from untaken.unit.own_headers import own_headers, text_of
from untaken.unit.private_types import is_private_header

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def is_for_callers(function: str, source: Path, flags: Sequence[str]) -> bool:
    """Whether a function that is not static is. Of one that no header of the project declares nothing is known."""
    declared = [header for header in own_headers(source, tuple(flags)) if function in _called_like(header)]
    return not declared or not all(map(is_private_header, declared))


@lru_cache(maxsize=256)
def _called_like(header: str) -> frozenset[str]:
    """Names that stand before a bracket."""
    return frozenset(re.findall(r"\b([A-Za-z_]\w*)\s*\(", COMMENT.sub(" ", text_of(header))))
