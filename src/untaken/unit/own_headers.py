"""The headers of a project that a file includes: those in quotes, and what they include in turn."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"', re.MULTILINE)


@lru_cache(maxsize=256)
def own_headers(source: Path, flags: tuple[str, ...]) -> tuple[str, ...]:
    """As far as they are found beside the file, or where the flags say."""
    folders = tuple(_folders(flags))
    found: dict[str, None] = {}
    waiting = [os.path.realpath(source)]
    while waiting:
        for name in INCLUDE.findall(text_of(includer := waiting.pop())):
            places = (os.path.join(folder, name) for folder in (os.path.dirname(includer), *folders))
            header = next((os.path.realpath(place) for place in places if os.path.isfile(place)), None)
            if header is not None and header not in found:
                found[header] = None
                waiting.append(header)
    return tuple(found)


def _folders(flags: Sequence[str]) -> Iterator[str]:
    for place, word in enumerate(flags):
        if word in ("-I", "-iquote") and place + 1 < len(flags):
            yield flags[place + 1]
        elif word.startswith("-I") and len(word) > 2:
            yield word[2:]


@lru_cache(maxsize=256)
def text_of(file: str) -> str:
    """Nothing of a file that cannot be read."""
    try:
        return Path(file).read_text(errors="replace")
    except OSError:
        return ""
