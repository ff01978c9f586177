"""How often a decision was flipped in the same context (hybrid search): what is new comes first.

A context is the few events before a decision. So a comparison that was flipped in vain is tried again once what comes
before it is new: one more letter of a word, another command that reads a number. This is what makes a search go on
where it gets further, though no branch is new there.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from untaken.model.path import Path

_WINDOW = 16  # events

TakenSide = tuple[int, bytes]  # the side that was taken, and the events before


class PathDecisions:
    """A path and its decisions, each with its context."""

    def __init__(self, path: Path) -> None:
        self.path = path
        events = path.events.tobytes()
        width = path.events.itemsize
        constraints = path.constraints[path.symbolic]
        self.decisions: list[TakenSide] = [
            (branch, events[max(0, position - _WINDOW) * width : position * width])
            for branch, position in zip(constraints["id"].tolist(), constraints["position"].tolist(), strict=True)
        ]


class Freshness:
    """Counts flips over the whole campaign."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._flips: Counter[TakenSide] = Counter()

    def has_fresh(self, view: PathDecisions) -> bool:
        """Whether some decision of the path was never flipped in its context."""
        return any(not self._flips[decision] for decision in view.decisions)

    def first_fresh(self, view: PathDecisions) -> int | None:
        """The position in the path's events of the first such decision; None if there is none."""
        fresh = (place for place, decision in enumerate(view.decisions) if not self._flips[decision])
        place = next(fresh, None)
        return None if place is None else int(view.path.constraints["position"][view.path.symbolic[place]])

    def flip(self, view: PathDecisions) -> int | None:
        """The constraint of the path whose decision was flipped least, now once more; None if it has none."""
        if not view.decisions:
            return None
        counts = [self._flips[decision] for decision in view.decisions]
        least = min(counts)
        chosen = self._rng.choice([place for place, count in enumerate(counts) if count == least])
        self._flips[view.decisions[chosen]] += 1
        return int(view.path.symbolic[chosen])
