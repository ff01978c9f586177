"""Concolic(l, M) of hybrid search: looks around a snapshot for an input that covers a new branch.

A strategy does the looking, within a number of attempts; here is what makes it look in the right places first:

- On each new path the conditionals whose other side is uncovered come first (the paper's section 3.2 asks for those
  alone). A side that the path rules out is guessed at: `set` is not what a line is that did not begin with an s, but
  with its letters in place it may well be read as that.
- The strategy then flips only what has an uncovered branch ahead, by control flow and calls; so it does not take an
  operation apart that is covered already. What was flipped often in vain, in this search or earlier ones, is flipped
  less. When nothing of that is left, it may flip everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Attempt, Flip, Force, Outcome, Part, Solve, Steps, Verdict
from untaken.search.distance import FAR
from untaken.search.repertoire import Repertoire
from untaken.search.space import Search

_MOST_TRIES = 2  # of one uncovered branch at one place of a path in one search
_MOST_GUESSES = 2  # of one uncovered branch in one search
_LINGERING = 4  # the part of the attempts that a search still has when it has found something
_PATIENCE = 8  # flips in vain that halve the chance of the next


@dataclass(slots=True)
class _Tries:
    """What one search has tried for uncovered branches."""

    flips: Counter[tuple[int, int]] = field(default_factory=Counter)  # by branch and place
    guesses: Counter[int] = field(default_factory=Counter)  # by branch


class Neighbourhood:
    """Searches around one snapshot after the other, and remembers what was in vain."""

    def __init__(self, inside: Callable[[Search], Steps], attempts: int, repertoire: Repertoire) -> None:
        self._inside = inside
        self._repertoire = repertoire
        self._attempts = attempts
        self._vain: Counter[int] = Counter()  # flips without a new branch since the last that had one, by branch

    def explore(self, search: Search) -> Part[Path | None]:
        """The run from the snapshot that last covered a new branch; if none did, any of those that were tried.

        Where one goal was found there are often more: the search goes on until some attempts in a row find nothing.
        """
        steps = self._passes(search)
        tried: list[Path] = []
        best: Path | None = None
        left = self._attempts
        result: Any = None
        while left > 0:
            try:
                attempt = steps.send(result)
            except StopIteration:
                break
            result = yield attempt
            found = search.corpus.found.pop(search.snapshot, None)
            self._learn(attempt, found is not None)
            left -= 1
            if found is not None:
                best, left = found, self._attempts // _LINGERING
                self._repertoire.add(found)
            elif (path := _path_of(result)) is not None:
                tried.append(path)
        return best or (search.rng.choice(tried) if tried else None)

    def _learn(self, attempt: Attempt, found: bool) -> None:
        if isinstance(attempt, Solve):
            target = _target(attempt)
            self._vain[target] = 0 if found else self._vain[target] + 1

    def _passes(self, search: Search) -> Part[None]:
        tries = _Tries()
        yield from self._goals_first(search, tries, self._is_promising)
        yield from self._goals_first(search, tries, lambda search, attempt: True)

    def _goals_first(self, search: Search, tries: _Tries, allows: Callable[[Search, Solve], bool]) -> Part[None]:
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
            if (path := _path_of(result)) is not None:
                yield from self._follow_goals(search, path, tries)

    def _follow_goals(self, search: Search, path: Path, tries: _Tries) -> Part[None]:
        """Beside a path that reached a goal there are often more."""
        paths = [path]
        while paths:
            path = paths.pop()
            for index in _goals(search, path, tries):
                reached = yield search.flip(path, index)
                if reached is None:
                    reached = yield from self._guess(search, path, index, tries)
                if reached is not None:
                    paths.append(reached)

    def _guess(self, search: Search, path: Path, index: int, tries: _Tries) -> Part[Path | None]:
        """The run on a guess at an uncovered branch, if it hit."""
        branch = int(path.constraints["id"][index]) ^ 1
        if tries.guesses[branch] >= _MOST_GUESSES:
            return None
        tries.guesses[branch] += 1
        guessed: Path | None = yield search.guess(path, index)
        return guessed if search.coverage.hit[branch] else None

    def _is_promising(self, search: Search, attempt: Solve) -> bool:
        target = _target(attempt)
        if target and search.analyses.distances.by_id()[target] >= FAR:
            return False
        return search.rng.random() * (self._vain[target] + _PATIENCE) < _PATIENCE


def _path_of(result: Any) -> Path | None:
    path = result.path if isinstance(result, Outcome) else result
    return path if isinstance(path, Path) else None


def _target(attempt: Solve) -> int:
    """The branch that is asked for; 0 for a decision of the library."""
    constraint = attempt.path.constraints[attempt.index]
    return int(constraint["id"]) ^ 1 if constraint["kind"] == ConstraintKind.BRANCH else 0


def _goals(search: Search, path: Path, tries: _Tries) -> Iterator[int]:
    """Constraints whose other side is an uncovered branch, each only so often.

    What is impossible at one place may be possible at another: after more characters, or fewer.
    """
    branches = path.constraints["id"][path.symbolic] ^ 1
    wanted = (path.constraints["kind"][path.symbolic] == ConstraintKind.BRANCH) & ~search.coverage.hit[branches]
    for index, branch in zip(path.symbolic[wanted].tolist(), branches[wanted].tolist(), strict=True):
        if not search.coverage.hit[branch] and tries.flips[branch, index] < _MOST_TRIES:
            tries.flips[branch, index] += 1
            yield index
