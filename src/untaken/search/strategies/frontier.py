"""Frontier search, our own: go back to where an uncovered branch was nearly taken, and undo what decided against it.

The goal is an uncovered branch whose other side is covered; drawn at random, the likelier the more it opens (uncovered
branches behind it) and the less it was tried. An input that passed the other side is run again, and the decisions
before that place are flipped, the nearest first, some at a time. If the path rules the goal out, an input that meets
its condition alone is tried as well. A flip after which the run comes to that place again, in a way that none did, is a
step: from there the next flips are made, so that what takes several of them is reached one by one.

Why: the condition itself is often no decision of the input. Of `if (!match(text))` the input decides only the branches
of a loop inside the call, all of which are covered; what they have to do with the goal is that they come before it. And
of `if (sscanf(text, "%d-%d", &a, &b) < 2)` it decides only what the library made of one character after the other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter

import numpy as np

from untaken.model.path import CONSTRAINT_DTYPE, POSITION, Path
from untaken.model.program import BranchId
from untaken.search.attempts import Count, Outcome, Part, Steps, Verdict
from untaken.search.knowledge.corpus import NONE
from untaken.search.knowledge.path_cache import CachedPath
from untaken.search.program.frontier import Beyond
from untaken.search.view import SearchView

_FROM_STEP = 0.7  # how often a goal is approached from a step, if there is any
_MOST_STEPS = 64  # to a goal; then the first ones are forgotten
_MOST_WAYS = 1 << 16  # to all goals, that are remembered


def frontier(search: SearchView, *, attempts: Count = 20) -> Steps:
    """Goes back to where an uncovered branch was nearly taken, and flips the decisions before it.

    After `attempts` flips it is another branch's turn.
    """
    path: Path = yield search.initial()
    goals = _Goals(search)
    while (goal := goals.draw()) is not None:
        yield from _approach(search, goals, goal, attempts)
    for index in path.symbolic.tolist():  # nothing uncovered is near: any decision will do
        yield search.flip(path, index)
    return None


def _approach(search: SearchView, goals: _Goals, goal: int, attempts: int) -> Part[None]:
    witness = goals.witness(goal)
    path = yield from goals.path_of(witness)
    decisions = goals.decisions(goal, witness, path, attempts)
    if not decisions:
        goals.give_up(goal, witness)
    for index in decisions:
        outcome: Outcome = yield search.force(path, index)
        if outcome.new_branches:
            goals.forgive(goal)
        if outcome.path is not None:
            goals.add_step(goal, outcome.path)
        if outcome.verdict is Verdict.INFEASIBLE and path.constraint(index)[1] == goal ^ 1:
            yield search.guess(path, index)  # what came before may well follow
        if search.coverage.hit[goal]:
            return


class _Goals:
    """The frontier, and what was tried at it."""

    def __init__(self, search: SearchView) -> None:
        self._search = search
        self._cache = search.path_cache()
        self._kept: dict[int, CachedPath] = {}  # by witness
        self._steps: dict[int, list[int]] = {}  # further witnesses, by goal; below zero: they are not in the corpus
        self._ways: set[tuple[int, int, int]] = set()  # goals, how much was decided before them, and a hash of that
        self._beyond = Beyond(search.program, search.coverage)
        self._opens: dict[int, int] = {}  # as it was when last computed: at least what it is
        self._tries: Counter[int] = Counter()
        self._barren: set[tuple[int, int]] = set()  # goal and witness: no decision comes before the goal
        self._flipped: Counter[tuple[int, int]] = Counter()  # decisions, by goal and witness
        self._worths: dict[int, float] = {}  # of all goals that can be drawn, in order
        self._state = (-1, -1)  # what that was found out from

    def draw(self) -> int | None:
        """A goal, the likelier the more it opens for the tries that it had; None if there are none."""
        self._renew()
        goals = list(self._worths)
        while goals:
            (goal,) = self._search.rng.choices(goals, list(self._worths.values()))
            is_current = self._is_current(goal)
            self._tries[goal] += is_current
            self._worths[goal] = self._worth(goal)
            if is_current:
                return goal
        return None

    def witness(self, goal: int) -> int:
        """Which input to begin with: a step, rather a late one, or the first or last of the corpus that passed the
        other side."""
        rng, steps = self._search.rng, self._steps.get(goal)
        if steps and rng.random() < _FROM_STEP:
            return steps[max(rng.randrange(len(steps)), rng.randrange(len(steps)))]
        return rng.choice(self._witnesses(goal))

    def add_step(self, goal: int, path: Path) -> None:
        """A decision before the goal was flipped: if the run came to it again, in a way that is new, that is a step."""
        place = path.last_place(goal ^ 1)
        if place < 0 or self._search.coverage.hit[goal] or not self._is_new_way(goal, path, place):
            return
        steps = self._steps.setdefault(goal, [])
        if len(steps) == _MOST_STEPS:
            self._cache.drop(self._kept.pop(steps.pop(0)))
        kept = self._cache.keep(path)
        steps.append(-kept.number)
        self._kept[-kept.number] = kept

    def _is_new_way(self, goal: int, path: Path, place: int) -> bool:
        before = int(np.count_nonzero(path.constraints["position"] <= place))
        way = goal, before, hash(path.constraint_bytes[: before * CONSTRAINT_DTYPE.itemsize])
        is_new = way not in self._ways
        if len(self._ways) >= _MOST_WAYS:
            self._ways.clear()
        self._ways.add(way)
        return is_new

    def path_of(self, witness: int) -> Part[Path]:
        """What the program does on that input; run again only if that is no longer known."""
        if witness in self._kept:
            return (yield from self._cache.fetch(self._kept[witness]))
        path: Path = yield self._search.run(self._search.corpus.inputs[witness])
        self._kept[witness] = self._cache.keep(path)
        return path

    def decisions(self, goal: int, witness: int, path: Path, most: int) -> list[int]:
        """The next ones to flip, going backwards from a place where the path passed the other side."""
        indices = path.placed
        first = path.constraint(int(indices[0]))[POSITION] if len(indices) else len(path.events)
        place = path.last_place(goal ^ 1, first)
        if place < 0:
            return []
        rng = self._search.rng
        if rng.random() >= 0.5:
            places = (path.events[first:] == goal ^ 1).nonzero()[0]
            place = first + int(places[rng.randrange(len(places))])
        end = bisect_right(indices, place, key=lambda index: path.constraint(index)[POSITION])
        begin = self._flipped[goal, witness] if self._flipped[goal, witness] < end else 0
        self._flipped[goal, witness] = begin + most
        chosen: list[int] = indices[max(0, end - begin - most) : end - begin][::-1].tolist()
        return chosen

    def give_up(self, goal: int, witness: int) -> None:
        """No decision of this input comes before the goal."""
        self._barren.add((goal, witness))
        if not self._witnesses(goal):
            self._worths.pop(goal, None)

    def forgive(self, goal: int) -> None:
        """Something was found on the way to it: tries so far do not count against it."""
        self._tries[goal] = 0
        if goal in self._worths:
            self._worths[goal] = self._worth(goal)

    def _renew(self) -> None:
        """Finds out which goals there are, if that may have changed: mostly nothing was covered since."""
        state = self._search.coverage.count, len(self._search.corpus.inputs)
        if state != self._state:
            self._state = state
            goals = self._frontier()
            self._look_behind([goal for goal in goals if goal not in self._opens])
            known = self._worths
            self._worths = {goal: known[goal] if goal in known else self._worth(goal) for goal in goals}

    def _frontier(self) -> list[int]:
        uncovered = self._search.coverage.uncovered()
        seen = self._search.corpus.latest[uncovered ^ 1] != NONE
        branches = self._search.program.branches
        doubtful = {goal for goal, _ in self._barren}
        return [
            goal
            for goal in uncovered[seen].tolist()
            if goal in branches and (goal not in doubtful or self._witnesses(goal))
        ]

    def _witnesses(self, goal: int) -> list[int]:
        corpus = self._search.corpus
        known = (int(corpus.earliest[goal ^ 1]), int(corpus.latest[goal ^ 1]))
        return [witness for witness in known if (goal, witness) not in self._barren]

    def _worth(self, goal: int) -> float:
        return (self._opens[goal] / (1 + self._tries[goal]) ** 2) ** 2

    def _is_current(self, goal: int) -> bool:
        """Counts again what a goal opens, which only shrinks; false if it did."""
        before = self._opens[goal]
        self._look_behind([goal])
        return self._opens[goal] == before

    def _look_behind(self, goals: list[int]) -> None:
        """Counts how many uncovered branches lie behind these goals."""
        branches = self._search.program.branches
        self._opens.update((goal, self._beyond.count(branches[BranchId(goal)])) for goal in goals)
