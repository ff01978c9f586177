"""Paths that a strategy means to come back to, within a fixed amount of memory.

Searches that keep a pool or a stack would hold every path of a long campaign. The cache keeps the most recently
used ones; of the others only the input is left, and the program is run again when such a path is wanted. That
run is an iteration like any other.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from untaken.model.path import Path
from untaken.search.attempts import Part, Run

DEFAULT_BYTES = 256 << 20

_Key = TypeVar("_Key", bound=Hashable)


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
        self._paths: RecentPaths[int] = RecentPaths(capacity)
        self._numbers = 0

    def keep(self, path: Path) -> CachedPath:
        """Put a path into the cache."""
        self._numbers += 1
        kept = CachedPath(self._numbers, path.input, path.snapshot, len(path))
        self._paths.put(kept.number, path)
        return kept

    def fetch(self, kept: CachedPath) -> Part[Path]:
        """The path again; `yield from` it, since the program may have to be run.

        A program that does not do the same on the same input gives another path: it may be shorter.
        """
        path = self._paths.get(kept.number)
        if path is None:
            path = yield Run(kept.input, kept.snapshot, kept.constraints)
            self._paths.put(kept.number, path)
        return path

    def drop(self, kept: CachedPath) -> None:
        """The path is no longer wanted."""
        self._paths.drop(kept.number)


class RecentPaths(Generic[_Key]):
    """Those that were used last, as many as so many bytes hold; at least one."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._paths: OrderedDict[_Key, Path] = OrderedDict()
        self._bytes = 0

    def get(self, key: _Key) -> Path | None:
        """The path, which counts as used now; None: it is not among them."""
        path = self._paths.get(key)
        if path is not None:
            self._paths.move_to_end(key)
        return path

    def put(self, key: _Key, path: Path) -> None:
        """One more, or another in the place of one."""
        self.drop(key)
        self._paths[key] = path
        self._bytes += _size(path)
        while self._bytes > self._capacity and len(self._paths) > 1:
            _, oldest = self._paths.popitem(last=False)
            self._bytes -= _size(oldest)

    def drop(self, key: _Key) -> None:
        """It is no longer wanted."""
        path = self._paths.pop(key, None)
        if path is not None:
            self._bytes -= _size(path)


def _size(path: Path) -> int:
    return path.events.nbytes + path.constraints.nbytes + len(path.input) + 1_000
