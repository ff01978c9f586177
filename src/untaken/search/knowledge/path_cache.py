"""Paths that a strategy means to come back to, within a fixed amount of memory.

Searches that keep a pool or a stack would hold every path of a long campaign. The cache keeps the most recently
used ones; of the others only the input is left, and the program is run again when such a path is wanted. That
run is an iteration like any other.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from untaken.model.path import Path
from untaken.search.attempts import Part, Run

DEFAULT_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class CachedPath:
    """What is left of a path."""

    number: int
    input: bytes
    snapshot: int
    constraints: int  # that the path has


class PathCache:
    """Keeps up to `capacity` bytes of paths, those used last."""

    def __init__(self, capacity: int = DEFAULT_BYTES) -> None:
        self._capacity = capacity
        self._paths: OrderedDict[int, Path] = OrderedDict()
        self._bytes = 0
        self._numbers = 0

    def keep(self, path: Path) -> CachedPath:
        """Put a path into the cache."""
        self._numbers += 1
        kept = CachedPath(self._numbers, path.input, path.snapshot, len(path))
        self._insert(kept, path)
        return kept

    def fetch(self, kept: CachedPath) -> Part[Path]:
        """The path again; `yield from` it, since the program may have to be run.

        A program that does not do the same on the same input gives another path: it may be shorter.
        """
        path = self._paths.get(kept.number)
        if path is None:
            path = yield Run(kept.input, kept.snapshot, kept.constraints)
            self._insert(kept, path)
        else:
            self._paths.move_to_end(kept.number)
        return path

    def drop(self, kept: CachedPath) -> None:
        """The path is no longer wanted."""
        path = self._paths.pop(kept.number, None)
        if path is not None:
            self._bytes -= _size(path)

    def _insert(self, kept: CachedPath, path: Path) -> None:
        self._paths[kept.number] = path
        self._bytes += _size(path)
        while self._bytes > self._capacity and len(self._paths) > 1:
            _, oldest = self._paths.popitem(last=False)
            self._bytes -= _size(oldest)


def _size(path: Path) -> int:
    return path.events.nbytes + path.constraints.nbytes + len(path.input) + 1_000
