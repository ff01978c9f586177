"""What a program was found to understand (hybrid search): inputs that covered something, to be given again elsewhere.

Few random inputs mean anything to a program with a language of its own. What a search found in one state does, and in
another state it may do something new; so may a variation of it. Random mode is given medleys of phrases, which costs no
symbolic work. A search begins at a phrase whose path passed beside an uncovered branch: that branch is its goal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct
from untaken.model.path import ExitKind, Path
from untaken.search.strategies.hybrid.variations import Units, varied

_PATIENCE = 8  # starts for a goal that halve the chance of the next
_MOST_IN_MEDLEYS = 128  # times that an input is repeated: it is to fill lines and tables
_MOST_IN_SEARCHES = 8  # those have few inputs
_KEPT_BESIDE = 6  # phrases for a goal: the latest
_MOST_DECIDED = 3
_KEPT_UNFINISHED = 200
_UNDERSTOOD = 0.7  # the part of a phrase's branches that must be passed again


@dataclass(frozen=True, slots=True, eq=False)
class Phrase:
    """Inputs, and the ids that they passed where they were found."""

    units: Units
    passed: NDArray[np.uint32]

    def is_understood(self, path: Path) -> bool:
        """Whether a run went much the same way: in another state the same inputs may mean nothing."""
        return bool(np.isin(self.passed, path.events).mean() >= _UNDERSTOOD)


class Repertoire:
    """Phrases: inputs of runs from snapshots that were the first to cover a branch, and some that come near one."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._found: list[Units] = []
        self._beside: dict[int, list[Phrase]] = {}  # by goal
        self._decided: Counter[int] = Counter()  # by goal
        self._starts: Counter[int] = Counter()  # by goal
        self._unfinished: list[Phrase] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, phrase: Phrase) -> None:
        """Remember what was the first to cover a branch."""
        self._found.append(phrase.units)

    def note(self, phrase: Phrase, goals: Iterable[int]) -> None:
        """The phrase passed beside these uncovered branches."""
        for goal in goals:
            phrases = self._beside.setdefault(goal, [])
            phrases.append(phrase)
            del phrases[:-_KEPT_BESIDE]

    def note_decided(self, path: Path, index: int) -> None:
        """This path's input decides on a goal, but cannot be changed to reach it: maybe one that is longer can."""
        goal = int(path.constraints["id"][index]) ^ 1
        if self._decided[goal] < _MOST_DECIDED:
            self._decided[goal] += 1
            phrase = phrase_until(path, int(path.constraints["position"][index]) + 1)
            if phrase is not None:
                self.note(phrase, (goal,))

    def knows(self, goal: int) -> bool:
        """Whether there is a phrase that passes beside it."""
        return goal in self._beside

    def leave(self, phrase: Phrase) -> None:
        """A search ended before it had tried all that is new beside this phrase."""
        self._unfinished.append(phrase)
        del self._unfinished[:-_KEPT_UNFINISHED]

    def medley(self, most: int) -> bytes:
        """Up to so many inputs and a few more: one phrase after the other, in every other medley varied."""
        rng = self._rng
        made: list[bytes] = []
        count = rng.randint(0, most) if self._found else 0
        varies = rng.random() < 0.5
        while len(made) < count:
            phrase = rng.choice(self._found)
            made += varied(rng, phrase, self._found, min(most, _MOST_IN_MEDLEYS)) if varies else phrase
        return b"".join(made)

    def lead(self) -> bytes:
        """A phrase to begin with, which may take the program to where others are understood."""
        return b"".join(self._rng.choice(self._found))

    def start(self, covered: NDArray[np.bool_]) -> tuple[bytes, Phrase] | None:
        """Inputs for a search to begin at, and the phrase that they come from; None if there is none.

        Every other time one that was left unfinished, else a variation of one that passes beside a goal. A goal that
        was chosen often is chosen less, so that hopeless ones cost little.
        """
        rng = self._rng
        if self._unfinished and rng.random() < 0.5:
            phrase = self._unfinished.pop(rng.randrange(len(self._unfinished)))
            return b"".join(phrase.units), phrase
        self._beside = {goal: phrases for goal, phrases in self._beside.items() if not covered[goal]}
        if not self._beside or not self._found:
            return None
        goals = list(self._beside)
        (goal,) = rng.choices(goals, [1 / (_PATIENCE + self._starts[goal]) for goal in goals])
        self._starts[goal] += 1
        phrase = rng.choice(self._beside[goal])
        return b"".join(varied(rng, phrase.units, self._found, _MOST_IN_SEARCHES)), phrase


def phrase_until(path: Path, events: int) -> Phrase | None:
    """What a run from a snapshot took in until it had passed so many events and asked for more, and all that it had
    passed by then; None if it ended before it asked again, or took nothing in."""
    begun = [0] + [position for position, before in path.asked if before < events]
    if len(begun) <= len(path.asked):
        end, passed = path.asked[len(begun) - 1]
    elif path.exit.kind is ExitKind.INPUTS:
        end, passed = path.input_used, len(path.events)
    else:
        return None
    taken = path.input[:end].ljust(end, b"\0")
    units = tuple(taken[start:stop] for start, stop in pairwise([*begun, end]) if stop > start)
    return Phrase(units, distinct(path.events[:passed])) if units else None


def taken_by(path: Path) -> bytes:
    """What a run from a snapshot took in until it was stopped; nothing if it ended by itself."""
    phrase = phrase_until(path, len(path.events))
    return b"" if phrase is None else b"".join(phrase.units)
