"""Words that the program looks for, put into its input where it looked for them.

A program that takes its input apart compares the parts with words of its own. A part that is as long as a word can be
solved for; one that is shorter cannot be made longer without a path of its own, one more character at a time. But a
run tells which word was asked for, and where. There it is put in, and what follows moves on. Nothing is predicted.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from untaken.model.input import Field, FieldKind
from untaken.model.path import Path
from untaken.model.word import NO_PLACE, WORD_DTYPE, WORD_SIZE, Word, word_at, words_in
from untaken.search.coverage import Coverage
from untaken.search.knowledge.spelled_words import TOKEN, SpelledWords
from untaken.search.splice import spliced

_MOST_PLACES = 8  # that are kept of a word
_MOST_ASKED = 64  # for one side of a condition
_MOST_HOSTS = 256  # inputs that given words are put into
_MOST_FRESH = 1_024  # words that wait, of runs that covered something
_OPENED_SHARE = 0.5  # of the others: those of runs that showed a new condition
_MOST_GIVEN = 256  # words without a place
_GIVEN_SHARE = 0.25  # of the inputs with words: those with given ones
_SPELLED_SHARE = 0.125  # of the others: those with words that the program only spells
_OPEN_SHARE = 0.75  # of those that were asked for: those that an uncovered branch waits for
_MOST_LED_BACK = 3  # times for a word: programs may have many words
_LOOKED_BEHIND = 3  # events after a question, for that
_MOST_BEGUN = 8  # places for a word of which a flip gave the first byte
_MOST_AT_ONCE = 256
_FEW_SPELLED = 16  # that are handed out with those that were asked for
_STREAMS = (FieldKind.STDIN, FieldKind.FILE)
_WITHIN_WORD = re.compile(rb"\w\w")
_HOSTING = (*_STREAMS, FieldKind.ARGUMENT, FieldKind.BYTES)


@dataclass(frozen=True, slots=True)
class WordSighting:
    """An input, and the part of it that a word was compared with."""

    input: bytes
    fields: tuple[Field, ...]
    word: Word

    @property
    def apart(self) -> Word:
        """The word with blanks, lest it become one with a neighbour that its place was apart from."""
        first, *more = (replace(part, text=_apart(self.input, part)) for part in self.word.parts)
        return replace(first, more=tuple(more))


def _apart(input: bytes, word: Word) -> bytes:
    start, end = word.start, word.start + word.length
    before, first = input[max(0, start - 1) : start], input[start : start + 1]
    last, after = input[max(0, end - 1) : end], input[end : end + 1]
    left = b" " if _are_one(before, word.text[:1]) and not _are_one(before, first) else b""
    right = b" " if _are_one(word.text[-1:], after) and not _are_one(last, after) else b""
    return left + word.text + right


def _only_difference(old: bytes, new: bytes) -> int | None:
    """The byte in which the two differ, if it is only one."""
    size = max(len(old), len(new))
    both = int.from_bytes(old.ljust(size, b"\0"), "big") ^ int.from_bytes(new.ljust(size, b"\0"), "big")
    last = (both.bit_length() + 7) // 8  # bytes from the end
    return size - last if both and not both & ((1 << 8 * (last - 1)) - 1) else None


def _token_at(input: bytes, place: int) -> slice | None:
    """The token that begins there, if one does."""
    found = TOKEN.match(input, place)
    is_within = _are_one(input[max(0, place - 1) : place], input[place : place + 1])
    return None if found is None or is_within else slice(*found.span())


def _are_one(left: bytes, right: bytes) -> bool:
    """Whether two bytes side by side are of one word."""
    return _WITHIN_WORD.fullmatch(left + right) is not None


@dataclass(slots=True)
class _Wish:
    """A word that was asked for behind some event."""

    places: list[WordSighting] = field(default_factory=list)
    tries: int = 0
    led_back: int = 0  # how often somebody saw to it that the run came to the question again
    behind: tuple[int, ...] = ()  # the events after it, which tell what became of the question


class WantedWords:
    """Which words were asked for, and where, over all runs since somebody wanted to know."""

    def __init__(self, coverage: Coverage | None = None) -> None:
        self.wanted = False
        self._coverage = coverage
        self._open: list[_Wish] = []  # those behind which a branch is uncovered
        self._known = (-1, -1)  # what was covered when that was found out, and how many there were
        self.texts: dict[bytes, None] = {}  # that were asked for, in order
        self.spelled = SpelledWords()
        self._wishes: dict[tuple[bytes, int], _Wish] = {}
        self._asked: Counter[int] = Counter()  # for other sides of decisions, by the side that was taken
        self._begun: Counter[tuple[int, bytes]] = Counter()  # words, by the side of a flip that gave their first byte
        self._given: dict[bytes, None] = {}
        self._fresh: deque[WordSighting] = deque(maxlen=_MOST_FRESH)
        self._opened: deque[WordSighting] = deque(maxlen=_MOST_FRESH)
        self._hosts: deque[tuple[bytes, tuple[Field, ...]]] = deque(maxlen=_MOST_HOSTS)

    def give(self, words: Iterable[bytes]) -> None:
        """Words that somebody else knows: nobody says where they belong."""
        self._given.update(dict.fromkeys(words))

    def covered(self, path: Path) -> None:
        """A run covered something: all that it asked for is put in next, and given words may be put into its input."""
        if not self.wanted:
            return
        self._hosts.append((path.input, path.fields))
        self.spelled.covered(path.input)
        self._fresh.extend(_sightings(path))

    def opened(self, path: Path) -> None:
        """A run showed a new condition over an uncovered branch: what it asked for is put in soon."""
        if self.wanted:
            self._opened.extend(_sightings(path))

    def flipped(self, old: Path, side: int, new: Path, rng: Random) -> None:
        """A flip of a side changed but one byte, which begins a token: what the program spells with that byte first may
        be what it compares there, character by character."""
        if not self.wanted or not self.spelled or old.snapshot:
            return
        place = _only_difference(old.input, new.input)
        token = None if place is None else _token_at(new.input, place)
        if token is None:
            return
        for text in self.spelled.beginning_with(new.input[token.start], rng):
            self._begun[side, text] += 1
            if self._begun[side, text] <= _MOST_BEGUN:
                word = Word(token.start, token.stop - token.start, 0, text)
                self._opened.append(WordSighting(new.input, new.fields, word))

    def saw(self, path: Path, rng: Random) -> None:
        """A run from the program's start asked for these.

        Most were asked for as often before: of those only one, at random, is put in the place of an older one.
        """
        if not self.wanted or not path.word_bytes:
            return
        rows = self._placed(np.frombuffer(path.word_bytes, WORD_DTYPE))
        if not len(rows):
            return
        known = list(map(self._wishes.get, keys := _keys(rows, path.events)))
        fresh = rng.randrange(len(rows))
        for row, wish in enumerate(known):
            if rows["part"][row]:
                continue
            if wish is None or len(wish.places) < _MOST_PLACES or row == fresh:
                wished = self._wishes.setdefault(keys[row], _Wish())
                wished.behind = _behind(path, int(rows["position"][row]))
                places = wished.places
                if len(places) == _MOST_PLACES:
                    del places[rng.randrange(_MOST_PLACES)]
                places.append(WordSighting(path.input, path.fields, word := word_at(rows, row)))
                if wish is None and not rows["is_made"][row]:
                    self.texts.update(dict.fromkeys(part.text for part in word.parts))

    def ask(self, path: Path, index: int, find: Callable[[Path, int], Iterable[Word]]) -> None:
        """A decision came out in one way only: what would it have to find in the input to come out otherwise?

        Most have nothing to say to that, and what loops count has no end. So of each side it is asked so often only.
        """
        side = path.constraint(index)[1]
        self._asked[side] += 1
        if not self.wanted or self._asked[side] > _MOST_ASKED:
            return
        for word in find(path, index):
            before = path.events.item(word.position - 1) if 0 < word.position <= len(path.events) else 0
            places = self._wishes.setdefault((word.text.ljust(WORD_SIZE, b"\0"), before), _Wish()).places
            if len(places) < _MOST_PLACES:
                places.append(WordSighting(path.input, path.fields, word))

    def _placed(self, rows: NDArray[np.void]) -> NDArray[np.void]:
        """Those with a place. The others were compared with what did not come from the input, but might have: they are
        words that may belong anywhere."""
        has_place = rows["input"] != NO_PLACE
        others = rows[~has_place]
        for whole, size in dict.fromkeys(zip(others["text"].tolist(), others["size"].tolist(), strict=True)):
            text = whole[:size]
            if text not in self.texts and len(self._given) < _MOST_GIVEN:
                self.texts[text] = None
                self._given[text] = None
        placed: NDArray[np.void] = rows[has_place]
        return placed

    def next(self, rng: Random) -> bytes | None:
        """An input with a word that a run asked for which covered something, the latest one first; or else with one
        that was tried as seldom as any. None if no run asked for one."""
        if self._fresh:
            return with_word_apart(self._fresh.pop())
        if self._opened and rng.random() < _OPENED_SHARE:
            return with_word_apart(self._opened.pop())
        if self._given and self._hosts and (not self._wishes or rng.random() < _GIVEN_SHARE):
            return self._with_given(rng)
        if self.spelled and self._hosts and (not self._wishes or rng.random() < _SPELLED_SHARE):
            return self._with_spelled(rng)
        sighting = self.sighting(rng)
        return None if sighting is None else with_word_apart(sighting)

    def some(self, rng: Random) -> list[bytes]:
        """Those that were asked for, and about as many of those that the program only spells."""
        spelled = self.spelled.some(max(_FEW_SPELLED, len(self.texts)), rng)
        words = [*self.texts, *spelled]
        return words if len(words) <= _MOST_AT_ONCE else rng.sample(words, _MOST_AT_ONCE)

    def sighting(self, rng: Random) -> WordSighting | None:
        """Where one was asked for that was tried as seldom as any, mostly of those that a branch behind waits for which
        no run has taken; None if no run asked for one."""
        if not self._wishes:
            return None
        wishes = (self._open_wishes() if rng.random() < _OPEN_SHARE else ()) or self._wishes.values()
        fewest = min(wish.tries for wish in wishes)
        wish = rng.choice([wish for wish in wishes if wish.tries == fewest])
        wish.tries += 1
        return rng.choice(wish.places)

    def awaited(self, rng: Random) -> WordSighting | None:
        """Where one was asked for that an uncovered branch waits for, for somebody who leads the run back there: each
        has some turns. None if all had them."""
        wishes = [wish for wish in self._open_wishes() if wish.led_back < _MOST_LED_BACK]
        if not wishes:
            return None
        wish = min(wishes, key=lambda wish: wish.led_back)
        wish.led_back += 1
        return rng.choice(wish.places)

    def _open_wishes(self) -> list[_Wish]:
        """Words behind which the program went on with a side whose other side no run has taken."""
        if self._coverage is not None and self._known != (known := (self._coverage.count, len(self._wishes))):
            self._known = known
            sides = frozenset((self._coverage.uncovered() ^ 1).tolist())
            self._open = [wish for wish in self._wishes.values() if not sides.isdisjoint(wish.behind)]
        return self._open

    def _with_given(self, rng: Random) -> bytes:
        """A given word somewhere in an input that covered something, between its bytes or in place of some."""
        input, fields = self._hosts[rng.randrange(len(self._hosts))]
        text = list(self._given)[rng.randrange(len(self._given))]
        stretch = _stretch(input, fields, rng)
        if stretch is None:
            return input + text
        start = rng.randrange(stretch.start, max(stretch.start + 1, stretch.stop))
        length = len(text) if rng.random() < 0.5 else 0
        return with_word_apart(WordSighting(input, fields, Word(start, length, 0, text)))

    def _with_spelled(self, rng: Random) -> bytes:
        """A word that the program spells in an input that covered something, before a word of that or in its place."""
        input, fields = self._hosts[rng.randrange(len(self._hosts))]
        (text,) = self.spelled.some(1, rng)
        stretch = _stretch(input, fields, rng)
        if stretch is None:
            return input + text
        borders = list(TOKEN.finditer(input, stretch.start, max(stretch.start, stretch.stop)))
        start, end = rng.choice(borders).span() if borders else (stretch.start, stretch.start)
        length = end - start if rng.random() < 0.5 else 0
        return with_word_apart(WordSighting(input, fields, Word(start, length, 0, text)))


def _behind(path: Path, position: int) -> tuple[int, ...]:
    """What the run passed right after an event: the decision on what a comparison returned, in its caller maybe."""
    return tuple(path.events[position : position + _LOOKED_BEHIND].tolist())


def _stretch(input: bytes, fields: Sequence[Field], rng: Random) -> slice | None:
    """A part of the input that words may be put into; None if it has no parts."""
    hosts = [field for field in fields if field.kind in _HOSTING] or list(fields)
    if not hosts:
        return None
    host = rng.choice(hosts)
    return slice(host.offset, min(host.offset + host.size, len(input)))


def _sightings(path: Path) -> Iterator[WordSighting]:
    rows = np.frombuffer(path.word_bytes, WORD_DTYPE)
    for word in words_in(rows[rows["input"] != NO_PLACE]):
        yield WordSighting(path.input, path.fields, word)


def _keys(rows: NDArray[np.void], events: NDArray[np.uint32]) -> list[tuple[bytes, int]]:
    """The text of each with those of its further parts, and the event before it; 0 if there was none."""
    texts = rows["text"].tolist()
    for index in np.flatnonzero(rows["part"]).tolist():
        texts[index - int(rows["part"][index])] += texts[index]
    if not len(events):
        return [(text, 0) for text in texts]
    positions = rows["position"].astype(np.intp)
    before = np.where(positions > 0, events.take(positions - 1, mode="clip"), 0)
    return list(zip(texts, before.tolist(), strict=True))


def with_word_apart(place: WordSighting) -> bytes:
    """The same with blanks where it would become one with a neighbour that its place was apart from."""
    return with_word(replace(place, word=place.apart))


def with_word(place: WordSighting) -> bytes:
    """The input with the word in its place; the last part first, because what follows one moves."""
    input = place.input
    for part in sorted(place.word.parts, key=lambda part: -part.start):
        input = spliced(input, place.fields, slice(part.start, part.start + part.length), part.text)
    return input
