"""Frequencies: what comes after a loop depends on how often its conditions went each way, so many are turned at once.

A loop counts the odd numbers, the words, the matches, and a condition behind it asks for the count. No constraint
speaks of that: each flip moves the count by one, and most searches turn but one decision at a time. The idea to choose
how often each condition goes each way is from the Monte Carlo phase of Fizzer (M. Jonáš et al., TACAS 2024). There a
whole path is drawn, condition by condition; here one that is known is changed:

    take a condition that a run decided many times, and a side of it;
    solve for one of its decisions: what of the input has to change, seen from where that decision reads;
    choose how many decisions are to take that side, and which: the first, the last, or any;
    make the same change where each of them reads, and run that.

One question does for a thousand decisions. First all take the side, then as many as the program compares variables with
(the program map knows that), or one more or less, then all but one, half, and any number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.model.program import BranchId
from untaken.search.attempts import Count, Part, Run, Steps
from untaken.search.pieces.spans import NOWHERE
from untaken.search.view import SearchView

_MOST_CHANGED = 16  # bytes that one decision takes
_MOST_ASKED = 3  # decisions of a condition that are solved for, until one has an answer
_MOST_TELLING = 24  # numbers that the program compares variables with
_FROM_LAST = 0.5  # how often the run that was made last is changed once more, if it decided something many times
_Ints = NDArray[np.intp]


def frequencies(search: SearchView, *, least: Count = 4) -> Steps:
    """Turns many decisions of one condition at once: how often a loop went each way decides what comes after it.

    Conditions count that a run decided `least` times or more.
    """
    turns = _Frequencies(search, least)
    path: Path = yield search.initial()
    while True:
        chosen = turns.choose(path)
        if chosen is None:
            path = yield turns.another()
            continue
        change = yield from turns.change_for(path, chosen)
        path = yield turns.another() if change is None else search.run(turns.changed(path, chosen, change))
        if search.rng.random() >= _FROM_LAST:
            path = yield turns.another()


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition that a run decided many times, the side that is wanted, and what it decided otherwise."""

    id: int  # of its true side
    side: bool
    decisions: _Ints  # all, as indices of constraints
    others: _Ints  # those that took the other side


_Change = dict[int, int]  # bytes, by how far they are from the first that a decision reads


class _Frequencies:
    """Chooses conditions, sides and numbers; each has its turn."""

    def __init__(self, search: SearchView, least: int) -> None:
        self._search = search
        self._cursor = search.analyses.cursor
        self._least = least
        self._visits: dict[tuple[int, bool], int] = {}
        self._numbers: dict[tuple[int, bool, int], Iterator[int]] = {}

    def choose(self, path: Path) -> _Condition | None:
        """The condition and side that had the fewest turns, of those that the run decided many times."""
        ids = path.constraints["id"][path.symbolic] & ~np.uint32(1)
        found, counts = np.unique(ids, return_counts=True)
        many = [int(id) for id, count in zip(found, counts, strict=True) if id and count >= self._least]
        conditions = [self._condition(path, ids, id, side) for id in many for side in (True, False)]
        open_ones = [each for each in conditions if len(each.others)]
        if not open_ones:
            return None
        chosen = min(open_ones, key=lambda each: (self._turns_of(each), self._search.rng.random()))
        self._visits[chosen.id, chosen.side] = self._turns_of(chosen) + 1
        return chosen

    def _condition(self, path: Path, ids: NDArray[np.uint32], id: int, side: bool) -> _Condition:
        decisions = path.symbolic[ids == id]
        is_true = path.constraints["id"][decisions] == id
        return _Condition(id, side, decisions, decisions[is_true != side])

    def _turns_of(self, condition: _Condition) -> int:
        return self._visits.get((condition.id, condition.side), 0)

    def change_for(self, path: Path, condition: _Condition) -> Part[_Change | None]:
        """What turns one of its decisions."""
        cursor, rng = self._cursor(path), self._search.rng
        for _ in range(min(_MOST_ASKED, len(condition.others))):
            index = int(rng.choice(condition.others))
            answer: bytes | None = yield self._search.solve(path, index)
            if answer is not None and cursor[index] != NOWHERE and (change := _difference(path.input, answer)):
                return {place - int(cursor[index]): value for place, value in change.items()}
        return None

    def changed(self, path: Path, condition: _Condition, change: _Change) -> bytes:
        """The input with the change made where some of the decisions read."""
        cursor = self._cursor(path)
        input = bytearray(path.input.ljust(path.input_used, b"\0"))
        for index in self._some(condition):
            for distance, value in change.items():
                place = int(cursor[index]) + distance
                if cursor[index] != NOWHERE and 0 <= place < len(input):
                    input[place] = value
        return bytes(input)

    def _some(self, condition: _Condition) -> _Ints:
        """As many of the decisions that took the other side as are to be turned: the first, the last, or any."""
        others, rng = condition.others, self._search.rng
        had = len(condition.decisions) - len(others)
        wanted = next(self._numbers_for(condition)) - had
        count = wanted if 0 < wanted <= len(others) else rng.randint(1, len(others))
        order = rng.randrange(3)
        if order == 2:
            return np.array(rng.sample(others.tolist(), count), np.intp)
        return others[:count] if order == 0 else others[len(others) - count :]

    def _numbers_for(self, condition: _Condition) -> Iterator[int]:
        key = condition.id, condition.side, len(condition.decisions)
        if key not in self._numbers:
            self._numbers[key] = self._wanted_numbers(len(condition.decisions))
        return self._numbers[key]

    def _wanted_numbers(self, most: int) -> Iterator[int]:
        """How many of so many decisions are to take the side, one number after the other, without end."""
        yield from dict.fromkeys((most, *self._telling(most), most - 1, most // 2))
        while True:
            yield self._search.rng.randint(0, most)

    def _telling(self, most: int) -> list[int]:
        """What the conditions ask for that never took one of their sides, and the numbers beside it."""
        asked, hit = self._search.program.asked, self._search.coverage.hit
        open_ones = [each.constant for id, each in asked.items() if hit[id] != hit[BranchId(id ^ 1)]]
        numbers = {near for constant in open_ones for near in (constant, constant + 1, constant - 1)}
        fitting = sorted(number for number in numbers if 0 < number <= most)
        return self._search.rng.sample(fitting, min(len(fitting), _MOST_TELLING))

    def another(self) -> Run:
        """A run that covered something, or a random one: it may decide something many times."""
        inputs, rng = self._search.corpus.inputs, self._search.rng
        return self._search.run(rng.choice(inputs) if inputs else self._search.inputs.mixed(0.5))


def _difference(old: bytes, new: bytes) -> _Change:
    """Where the two are not the same; nothing if that is in too many places."""
    size = max(len(old), len(new))
    before, after = old.ljust(size, b"\0"), new.ljust(size, b"\0")
    places = [place for place in range(size) if before[place] != after[place]]
    return {place: after[place] for place in places} if len(places) <= _MOST_CHANGED else {}
