"""Concolic(l, M) of hybrid search: looks around a snapshot for an input that covers a new branch.

First it looks around what the program is known to understand (`phrases`), then a strategy does the looking, from
anywhere; each within half of the attempts. What makes the strategy look in the right places first:

- On each new path the conditionals whose other side is uncovered come first (`goals`).
- It flips only what has an uncovered branch ahead, by control flow and calls; so it does not take an operation apart
  that is covered already. What was flipped often in vain, in this search or earlier ones, is flipped less. When nothing
  of that is left, it may flip everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Attempt, Flip, Force, Outcome, Part, Solve, Steps, Verdict
from untaken.search.program.distance import FAR
from untaken.search.strategies.hybrid.phrases import Phrases
from untaken.search.strategies.hybrid.uncovered_beside import UncoveredBeside
from untaken.search.view import SearchView

_LINGERING = 4  # the part of the attempts that a search still has when it has found something
_PATIENCE = 8  # flips in vain that halve the chance of the next


class Neighbourhood:
    """Searches around one snapshot after the other, and remembers what was in vain."""

    def __init__(self, inside: Callable[[SearchView], Steps], attempts: int, phrases: Phrases) -> None:
        self._inside = inside
        self._phrases = phrases
        self._attempts = attempts
        self._vain: Counter[int] = Counter()  # flips without a new branch since the last that had one, by branch

    def explore(self, search: SearchView) -> Part[Path | None]:
        """The run from the snapshot that last covered a new branch; if none did, any of those that were tried."""
        goals = UncoveredBeside(search, self._phrases.repertoire)
        tried: list[Path] = []
        known = yield from self._limited(search, self._phrases.search(search, goals), tried)
        found = yield from self._limited(search, self._passes(search, goals), tried)
        for path in (found, known):
            if path is not None:
                return path
        return search.rng.choice(tried) if tried else None

    def _limited(self, search: SearchView, steps: Part[None], tried: list[Path]) -> Part[Path | None]:
        """Half of the attempts. Where one goal was found there are often more: the search goes on until some attempts
        in a row find nothing."""
        best: Path | None = None
        left = max(1, self._attempts // 2)
        result: Any = None
        while left > 0:
            try:
                attempt = steps.send(result)
            except StopIteration:
                break
            covered = search.coverage.hit.copy()
            result = yield attempt
            found = search.corpus.found.pop(search.snapshot, None)
            self._learn(attempt, found is not None)
            left -= 1
            if found is not None:
                best, left = found, max(left, self._attempts // _LINGERING)
                yield from self._phrases.keep(search, found, np.flatnonzero(search.coverage.hit & ~covered))
            elif (path := path_of(result)) is not None:
                tried.append(path)
        return best

    def _learn(self, attempt: Attempt, found: bool) -> None:
        if isinstance(attempt, Solve):
            target = _target(attempt)
            self._vain[target] = 0 if found else self._vain[target] + 1

    def _passes(self, search: SearchView, goals: UncoveredBeside) -> Part[None]:
        yield from self._goals_first(search, goals, self._is_promising)
        yield from self._goals_first(search, goals, lambda search, attempt: True)

    def _goals_first(
        self, search: SearchView, goals: UncoveredBeside, allows: Callable[[SearchView, Solve], bool]
    ) -> Part[None]:
        """The strategy inside, but after each of its runs the uncovered branches beside the new path come first."""
        steps = self._inside(search)
        result: Any = None
        while True:
            try:
                attempt = steps.send(result)
            except StopIteration:
                return
            if isinstance(attempt, Flip | Force) and not allows(search, attempt):
                result = Outcome(Verdict.PRUNED) if isinstance(attempt, Force) else None
                continue
            result = yield attempt
            if (path := path_of(result)) is not None:
                yield from goals.follow(path)

    def _is_promising(self, search: SearchView, attempt: Solve) -> bool:
        target = _target(attempt)
        if target and search.analyses.distances.by_id()[target] >= FAR:
            return False
        return search.rng.random() * (self._vain[target] + _PATIENCE) < _PATIENCE


def path_of(result: Any) -> Path | None:
    """The path of a run that an attempt led to, if it did."""
    path = result.path if isinstance(result, Outcome) else result
    return path if isinstance(path, Path) else None


def _target(attempt: Solve) -> int:
    """The branch that is asked for; 0 for a decision of the library."""
    constraint = attempt.path.constraints[attempt.index]
    return int(constraint["id"]) ^ 1 if constraint["kind"] == ConstraintKind.BRANCH else 0
