"""Earliest ways, our own: start from the shortest way to each branch, and decide otherwise what comes right after it.

Where a branch depends on state that earlier input has set, no decision mentions it: what counts is to get there with
input left. So each branch has its earliest witness, the run that passed it after the least input, renewed whenever any
run of the campaign does better (search/knowledge/witnesses.py). Branches take turns, the least visited first; one whose
way got shorter is as good as new. At its turn, the next few decisions after it that were not yet flipped there are
flipped; one that cannot be, because of what was decided just before, is guessed at if it would be a new or an earlier
way. When nothing is left to flip, the input behind an earliest way is drawn at random.
"""

from __future__ import annotations

import heapq

import numpy as np

from untaken.model.path import Path
from untaken.search.attempts import Count, Outcome, Part, Steps, Verdict
from untaken.search.knowledge.path_cache import CachedPath
from untaken.search.view import SearchView


def earliest(search: SearchView, *, ahead: Count = 24, flips: Count = 6) -> Steps:
    """Starts from the earliest way to each branch and flips what comes right after it.

    Of the next `ahead` decisions up to `flips` are flipped at a time.
    """
    turns = _Turns(search)
    yield search.initial()
    while True:
        branch = turns.next()
        if branch is not None:
            yield from turns.flip_after(branch, ahead, flips)
        else:
            yield search.run(turns.drawn())


class _Turns:
    """Whose turn it is, and what was flipped behind each branch."""

    def __init__(self, search: SearchView) -> None:
        self._search = search
        self._witnesses = search.analyses.earliest
        self._cache = search.path_cache()
        self._kept: dict[bytes, CachedPath] = {}
        self._waiting: list[tuple[int, int, int]] = []  # visits, order, id
        self._order = 0
        self._visits: dict[int, int] = {}
        self._seen = 0  # improvements
        self._flipped: set[tuple[int, int, int, int]] = set()

    def next(self) -> int | None:
        """The branch that was visited least, of those with something left to flip; None if there is none."""
        self._take_improvements()
        while self._waiting:
            visits, _, branch = heapq.heappop(self._waiting)
            if visits == self._visits[branch]:
                return branch
        return None

    def drawn(self) -> bytes:
        """An earliest way to a branch whose other side is uncovered, with anything behind it."""
        ways = self._witnesses.beside(self._search.coverage)
        rest = self._search.inputs.mixed(0.5)
        if not ways:
            return rest
        way = self._search.rng.choice(ways)
        return way.input[: way.used] + rest[way.used :]

    def flip_after(self, branch: int, ahead: int, most: int) -> Part[None]:
        """Flips what comes after the earliest pass of the branch."""
        path = yield from self._path_to(self._witnesses.ways[branch].input)
        flips = [index for index in decisions_after(path, branch)[:ahead] if self._is_new(branch, path, index)]
        for index in flips[:most]:
            node, decided, _, _, taken, _ = path.constraint(index)
            self._flipped.add((branch, decided, node, taken))
            outcome: Outcome = yield self._search.force(path, index)
            if outcome.verdict is Verdict.INFEASIBLE and self._witnesses.is_improved_by(path, index):
                yield self._search.guess(path, index)  # what came before may well follow
        if len(flips) > most:
            self._visits[branch] += 1
            self._queue(branch)

    def _is_new(self, branch: int, path: Path, index: int) -> bool:
        node, decided, _, _, taken, _ = path.constraint(index)
        return (branch, decided, node, taken) not in self._flipped

    def _path_to(self, input: bytes) -> Part[Path]:
        if input in self._kept:
            return (yield from self._cache.fetch(self._kept[input]))
        path: Path = yield self._search.run(input)
        self._kept[input] = self._cache.keep(path)
        return path

    def _take_improvements(self) -> None:
        for branch in self._witnesses.improvements[self._seen :]:
            self._visits[branch] = self._visits.get(branch, 0) // 2
            self._queue(branch)
        self._seen = len(self._witnesses.improvements)

    def _queue(self, branch: int) -> None:
        self._order -= 1
        heapq.heappush(self._waiting, (self._visits[branch], self._order, branch))


def decisions_after(path: Path, branch: int) -> list[int]:
    """The decisions that follow the first pass of the branch; none if the program took another way this time."""
    passes = np.flatnonzero(path.events == branch)
    if not len(passes):
        return []
    begin = np.searchsorted(path.constraints["position"][path.symbolic], passes[0], side="right")
    after: list[int] = path.symbolic[begin:].tolist()
    return after
