"""Words that the program's own strings spell: it may look for them in a way of its own, in which nothing asks for them.

Names in a table that is searched by a hash, keywords that are compared character by character. There may be thousands,
of which most are of no use. One that stands in an input that covered something is, and so may be its neighbours in the
program's text: they are mostly of the same table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

TOKEN = re.compile(rb"\w+|[^\w\0]")
_MOST_BEGINNING = 8  # words with a byte that are given at once
_NEAR = 8  # words in the program's text
_NEAR_SHARE = 0.5


class SpelledWords:
    """In the order of the program's text."""

    def __init__(self, words: Sequence[bytes] = ()) -> None:
        self._words = words
        self._numbers = {word: number for number, word in enumerate(words)}
        self._useful: dict[int, None] = {}
        self._by_first: dict[bytes, list[bytes]] = {}

    def __len__(self) -> int:
        return len(self._words)

    def covered(self, input: bytes) -> None:
        """An input covered something: words of it that the program spells are of use."""
        numbers = map(self._numbers.get, TOKEN.findall(input))
        self._useful.update(dict.fromkeys(number for number in numbers if number is not None))

    def some(self, count: int, rng: Random) -> list[bytes]:
        """So many, if there are any; some of them may be the same."""
        return [self._one(rng) for _ in range(count)] if self._words else []

    def beginning_with(self, byte: int, rng: Random) -> list[bytes]:
        """Words that begin with a byte, in capitals or not; some of them, if there are many."""
        if not self._by_first:
            for word in self._words:
                self._by_first.setdefault(word[:1].lower(), []).append(word)
        found = self._by_first.get(bytes((byte,)).lower(), [])
        return found if len(found) <= _MOST_BEGINNING else rng.sample(found, _MOST_BEGINNING)

    def _one(self, rng: Random) -> bytes:
        number = rng.randrange(len(self._words))
        if self._useful and rng.random() < _NEAR_SHARE:
            near = list(self._useful)[rng.randrange(len(self._useful))] + rng.randint(-_NEAR, _NEAR)
            number = min(max(near, 0), len(self._words) - 1)
        return self._words[number]
