"""Bounds: what runs say of the sizes of blocks, and of addresses within them, and what nobody has flipped yet.

Such a condition holds as long as the concrete size or address does, so that it is no decision: to flip each on every
path would cost more than it brings. But sizes that no run has had (none, few bytes, too many), and places past the end
of a block, are where programs go wrong. So each is kept once, with its run, and whoever has time may flip it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from untaken.model.path import ConstraintKind, Path

_BOUND = int(ConstraintKind.BOUND)
_MOST_KEPT = 16  # of a place; then the oldest go
_MOST_SEEN = 1 << 16  # conditions that are remembered

Place = tuple[int, int]  # the event before, and which one behind it


class Bound(NamedTuple):
    """A condition of a run, by its input and the number of its constraint."""

    input: bytes
    constraint: int
    place: Place


class MemoryBounds:
    """Those that were not flipped yet, over all runs since somebody wanted to know."""

    def __init__(self) -> None:
        self._seen: set[tuple[int, int, int]] = set()
        self._waiting: dict[Place, list[Bound]] = {}
        self._tries: dict[Place, int] = {}
        self.tried = 0  # in all

    def observe(self, path: Path) -> None:
        """A run happened. Most say nothing of the kind."""
        if path.snapshot or _BOUND not in path.kinds:
            return
        last, number = -1, 0
        rows = path.constraints
        indices = np.flatnonzero(rows["kind"] == _BOUND)
        befores = path.events_before(rows[indices]).tolist()
        told = rows[indices].tolist()
        for index, before, (node, _, position, _, taken, _) in zip(indices.tolist(), befores, told, strict=True):
            number = number + 1 if position == last else 0
            last = position
            self._add(Bound(path.input, index, (before, number)), (path.generation, node, taken))

    @property
    def any_left(self) -> bool:
        """Whether there is one that was not flipped yet."""
        return bool(self._waiting)

    def next(self) -> Bound:
        """The newest of the place that was tried least."""
        place = min(self._waiting, key=lambda place: self._tries.get(place, 0))
        self._tries[place] = self._tries.get(place, 0) + 1
        self.tried += 1
        waiting = self._waiting[place]
        bound = waiting.pop()
        if not waiting:
            del self._waiting[place]
        return bound

    def _add(self, bound: Bound, condition: tuple[int, int, int]) -> None:
        if condition in self._seen:
            return
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen.add(condition)
        kept = self._waiting.setdefault(bound.place, [])
        kept.append(bound)
        if len(kept) > _MOST_KEPT:
            del kept[0]
