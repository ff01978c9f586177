"""Which commands this user had `untaken cc` carry out: programs say themselves how to build them, and may be anybody's.

A file in the cache for each source that was compiled and each program that was linked here, under a name made of the
command. What is not among them is built with care (`suite/replay/plain_programs.py`). An empty cache only means more
of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from untaken.build.storage import cache_root, digest

FOLDER = "builds"
_OF_CONTENT = ("files", "digest")  # these change with each edit, and say nothing of the command


def note_own_build(record: Mapping[str, Any]) -> None:
    """A source was compiled or a program linked, as its record says. Where nothing can be kept, nothing is."""
    with suppress(OSError):
        place = _place(record)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))


def is_own_build(record: Mapping[str, Any]) -> bool:
    """Whether this user has given just this command before."""
    return os.path.exists(_place(record))


def _place(record: Mapping[str, Any]) -> str:
    command = {name: value for name, value in record.items() if name not in _OF_CONTENT}
    return os.path.join(cache_root(), FOLDER, digest([json.dumps(command, sort_keys=True).encode()]))
