"""The part of Concolic(l, M) that begins at what the program is known to understand (hybrid search).

Each start is run. If the program understands it in its present state, what is new on its path is flipped, depth first:
decisions in contexts in which they were never flipped (`freshness`). What covers something is shortened and kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import first_places
from untaken.model.path import Path
from untaken.search.attempts import Part
from untaken.search.strategies.hybrid.freshness import Freshness, PathDecisions
from untaken.search.strategies.hybrid.repertoire import Phrase, Repertoire, phrase_until
from untaken.search.strategies.hybrid.uncovered_beside import UncoveredBeside
from untaken.search.view import SearchView

_FLIPS = 5  # around one start


class Phrases:
    """Searches from phrases, and adds to them."""

    def __init__(self, repertoire: Repertoire, freshness: Freshness) -> None:
        self.repertoire = repertoire
        self._freshness = freshness

    def search(self, search: SearchView, goals: UncoveredBeside) -> Part[None]:
        """From one start after the other, as long as there are any."""
        lead = b""
        while (start := self.repertoire.start(search.coverage.hit)) is not None:
            input, phrase = start
            for words in (lead, self.repertoire.lead()):
                path: Path = yield search.run(words + input)
                if phrase.is_understood(path):
                    lead = words  # where it took the program to, others will be understood too
                    yield from goals.follow(path)
                    yield from self._around(search, path, goals)
                    break

    def _around(self, search: SearchView, path: Path, goals: UncoveredBeside) -> Part[None]:
        """Flips what was flipped least, and on each path that came of it what was never flipped."""
        views = [PathDecisions(path)]
        for _ in range(_FLIPS):
            while len(views) > 1 and not self._freshness.has_fresh(views[-1]):
                views.pop()
            index = self._freshness.flip(views[-1])
            if index is None:
                return
            flipped: Path | None = yield search.flip(views[-1].path, index)
            if flipped is not None:
                yield from goals.follow(flipped)
                views.append(PathDecisions(flipped))
        self._leave(views[1:])

    def _leave(self, views: list[PathDecisions]) -> None:
        for view in views:
            position = self._freshness.first_fresh(view)
            phrase = None if position is None else phrase_until(view.path, position + 1)
            if phrase is not None:
                self.repertoire.leave(phrase)

    def keep(self, search: SearchView, found: Path, new: NDArray[np.intp]) -> Part[None]:
        """Remember the inputs that it takes to cover these branches, and what they pass beside."""
        phrase = phrase_until(found, _passed_all(found, new))
        if phrase is not None:
            phrase = yield from _shortened(search, phrase, new)
            self.repertoire.add(phrase)
            self.repertoire.note(phrase, search.coverage.beside(phrase.passed).tolist())


def _shortened(search: SearchView, phrase: Phrase, new: NDArray[np.intp]) -> Part[Phrase]:
    """Without the inputs that these branches do not need: halves, quarters and so on are left out."""
    size = len(phrase.units) // 2
    while size:
        for at in range(len(phrase.units) - size, -1, -size):
            shorter = phrase.units[:at] + phrase.units[at + size :]
            if not shorter:
                break
            path: Path = yield search.run(b"".join(shorter))
            events = _passed_all(path, new)
            again = phrase_until(path, events) if events else None
            if again is not None and len(again.units) <= len(shorter):
                phrase = Phrase(shorter, again.passed)
        size //= 2
    return phrase


def _passed_all(path: Path, ids: NDArray[np.intp]) -> int:
    """How many events it took to pass all of these; 0 if it did not."""
    passed, first = first_places(path.events)
    if not np.isin(ids, passed).all():
        return 0
    return int(first[np.searchsorted(passed, ids)].max(initial=-1)) + 1
