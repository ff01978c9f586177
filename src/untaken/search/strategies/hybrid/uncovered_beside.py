"""Uncovered branches beside a path (hybrid search): the paper's section 3.2 asks for those alone, here they come first.

A side that the path rules out is guessed at: `set` is not what a line is that did not begin with an s, but with its
letters in place it may well be read as that. What cannot be reached so is noted, as a place to begin at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Part
from untaken.search.strategies.hybrid.repertoire import Repertoire, phrase_until
from untaken.search.view import SearchView

_MOST_TRIES = 2  # of one goal at one place of a path in one search
_MOST_GUESSES = 2  # of one goal in one search


class UncoveredBeside:
    """What one search has tried for uncovered branches."""

    def __init__(self, search: SearchView, repertoire: Repertoire) -> None:
        self._search = search
        self._repertoire = repertoire
        self._tries: Counter[tuple[int, int]] = Counter()  # by goal and place
        self._guesses: Counter[int] = Counter()  # by goal

    def follow(self, path: Path) -> Part[None]:
        """Beside a path that reached a goal there are often more."""
        paths = [path]
        while paths:
            path = paths.pop()
            self._note_unknown(path)
            for index in self._beside(path):
                reached = yield self._search.flip(path, index)
                if reached is None:
                    reached = yield from self._guess(path, index)
                if reached is not None:
                    paths.append(reached)

    def _beside(self, path: Path) -> Iterator[int]:
        """Constraints whose other side is an uncovered branch, each only so often.

        What is impossible at one place may be possible at another: after more characters, or fewer.
        """
        hit = self._search.coverage.hit
        branches = path.constraints["id"][path.symbolic] ^ 1
        wanted = (path.constraints["kind"][path.symbolic] == ConstraintKind.BRANCH) & ~hit[branches]
        for index, branch in zip(path.symbolic[wanted].tolist(), branches[wanted].tolist(), strict=True):
            if not hit[branch] and self._tries[branch, index] < _MOST_TRIES:
                self._tries[branch, index] += 1
                yield index

    def _guess(self, path: Path, index: int) -> Part[Path | None]:
        """The run on a guess at an uncovered branch, if it hit."""
        branch = int(path.constraints["id"][index]) ^ 1
        if self._guesses[branch] < _MOST_GUESSES:
            self._guesses[branch] += 1
            guessed: Path | None = yield self._search.guess(path, index)
            if self._search.coverage.hit[branch]:
                return guessed
        self._repertoire.note_decided(path, index)
        return None

    def _note_unknown(self, path: Path) -> None:
        """Goals that no phrase passed beside until now."""
        for goal in self._search.coverage.beside(path.events).tolist():
            if not self._repertoire.knows(goal):
                phrase = phrase_until(path, int(np.argmax(path.events == goal ^ 1)) + 1)
                if phrase is not None:
                    self._repertoire.note(phrase, (goal,))
