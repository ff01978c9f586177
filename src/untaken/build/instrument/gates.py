"""Which events tell that a place of a function is come to: the branches, or the entry, that lead straight there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # whoever only reads program maps needs nothing of what draws sketches
    from untaken.build.instrument.sketch import SketchBlock

_MOST = 16  # gates of one place: a place with more is come to anyway


class PlaceGates:
    """Those of one function, whose sketch is complete."""

    def __init__(self, blocks: Sequence[SketchBlock], entry_id: int) -> None:
        self._blocks = blocks
        self._entry_id = entry_id
        self._before: dict[str, list[tuple[str, int]]] = {}
        self._pieces: dict[str, list[SketchBlock]] = {}  # by the block that they were split from
        for block in blocks:
            self._pieces.setdefault(block.name.split("#")[0], []).append(block)
            for target, branch in block.edges:
                self._before.setdefault(target, []).append((block.name, branch))

    def of(self, block: str, target: str | None = None) -> tuple[int, ...]:
        """The ids of those that lead to a block, or from there to another; none if there are too many."""
        found: set[int] = set()
        if target is None:
            self._collect(block, found, set())
        else:
            for piece, branch in self._edges(block, target):
                if branch:
                    found.add(branch)
                else:
                    self._collect(piece, found, set())
        return tuple(sorted(found)) if len(found) <= _MOST else ()

    def _edges(self, block: str, target: str) -> list[tuple[str, int]]:
        pieces = self._pieces.get(block, ())
        edges = [(piece.name, branch) for piece in pieces for to, branch in piece.edges if to == target]
        return edges or [(block, 0)]

    def _collect(self, block: str, found: set[int], seen: set[str]) -> None:
        """Goes back from a block to the nearest events on all ways."""
        waiting = [block]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            if name == self._blocks[0].name and self._entry_id:
                found.add(self._entry_id)
            for before, branch in self._before.get(name, ()):
                if branch:
                    found.add(branch)
                else:
                    waiting.append(before)
