"""Records that the program took, put one behind the other in orders that no run had.

What a record does depends on those before it. Of each run that read its input in a loop (rounds.py), what each round
took is kept, and the beginning of the input up to its end. For each id the shortest text whose round passed it is kept,
and the shortest beginning whose last round did: so there are few of them, however often runs repeat themselves, they
get shorter all the time, and random bytes that do not belong to them get lost. What the input decides counts as passed
whatever side was taken, or each blank more or less would be kept. And as the shortest text is mostly one in which names
are empty, texts with no word, with one, with two, and with more are told apart.

A new input is the beginning that was gone on from least, with one record behind it or several, of any run. The stream
ends with them. Now and then, and where that input was made before, something is changed in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct
from untaken.model.input import Field, FieldKind
from untaken.model.path import Path
from untaken.search.knowledge.spelled_words import TOKEN
from untaken.search.pieces.rounds import LoopRound, RoundFinder
from untaken.search.splice import cleared, ended, spliced

_LONGEST = 256  # text that is kept
_MOST_WORDS = 3  # of a record, that are told apart
_MOST_MADE = 1 << 18  # that are remembered
_MOST_SEEN = 1 << 12  # the same of rounds
_MOST_LEFT_OUT = 4  # bytes
_NOTHING = np.zeros(1, np.uint32)  # what was done before the first round
_WORD = re.compile(rb"\w+")
_PUT_IN = b"a1"  # one of these
_IN_PLACES = (FieldKind.STDIN, FieldKind.FILE, FieldKind.ARGUMENT)
# How often:
_ANOTHER = 0.3  # one more record follows
_CHANGED = 0.3  # something is changed
_NAMED = 0.4  # by a word that stands elsewhere
_SHORTENED = 0.15  # by leaving something out


class RecordStart(NamedTuple):
    """An input whose first record begins at `start`."""

    input: bytes
    fields: tuple[Field, ...]
    start: int


_Kept = TypeVar("_Kept")


class _Shortest(Generic[_Kept]):
    """For each id, and each number of words, what has the shortest text of all that passed it."""

    def __init__(self, id_count: int) -> None:
        self._ids = id_count + 1
        self._sizes = np.full((_MOST_WORDS + 1) * self._ids, np.iinfo(np.intp).max, np.intp)
        self._kept: dict[int, tuple[bytes, _Kept]] = {}
        self._by_text: dict[bytes, _Kept] = {}  # made when asked for: many runs bring nothing new

    def add(self, ids: NDArray[np.uint32], words: int, text: bytes, one: _Kept) -> None:
        """One more, that passed these."""
        keys = ids.astype(np.intp) + min(words, _MOST_WORDS) * self._ids
        better = keys[self._sizes[keys] > len(text)]
        if len(better):
            self._sizes[better] = len(text)
            self._kept.update(dict.fromkeys(better.tolist(), (text, one)))
            self._by_text = {}

    def by_text(self) -> dict[bytes, _Kept]:
        """What is kept, each under its text."""
        if not self._by_text:
            self._by_text = dict(self._kept.values())
        return self._by_text


class _Loop:
    """What is known of a loop's rounds."""

    def __init__(self, id_count: int, rng: Random) -> None:
        self._rng = rng
        self.runs = 0
        self._records: _Shortest[bytes] = _Shortest(id_count)
        self._beginnings: _Shortest[RecordStart] = _Shortest(id_count)
        self._visits: Counter[bytes] = Counter()
        self._ends: Counter[int] = Counter()  # last bytes of records that another one followed
        self._seen: set[tuple[bytes, bytes]] = set()  # texts up to the end of a round, and what that did

    def take(self, path: Path, rounds: Sequence[LoopRound]) -> None:
        """A run had these rounds."""
        self.runs += 1
        start = rounds[0].start
        self._beginnings.add(_NOTHING, 0, b"", RecordStart(path.input, path.fields, start))
        for each in rounds:
            text = _text(path.input, start, each.end)
            if each is not rounds[-1]:
                self._ends[text[-1]] += 1
            if self._is_new(text, each):
                self._keep(RecordStart(path.input, path.fields, start), each, text)

    def _is_new(self, text: bytes, each: LoopRound) -> bool:
        """Most rounds of most runs are those of runs before."""
        if (key := (text, each.did.tobytes())) in self._seen:
            return False
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen.add(key)
        return True

    def _keep(self, beginning: RecordStart, each: LoopRound, text: bytes) -> None:
        record, did = text[each.start - beginning.start :], distinct(each.did)
        words = len(_WORD.findall(record))
        if len(record) <= _LONGEST:
            self._records.add(did, words, record, record.removesuffix(self._end()) or record)
        if each.closed:
            self._beginnings.add(did, words, text, beginning)

    def beginning(self) -> tuple[bytes, RecordStart]:
        """The one that was gone on from least, and its records."""
        known, visits = self._beginnings.by_text(), self._visits
        fewest = min(visits[text] for text in known)
        chosen = self._rng.choice([text for text in known if visits[text] == fewest])
        visits[chosen] += 1
        return chosen, known[chosen]

    def with_another(self, before: bytes) -> bytes:
        """One more record behind others."""
        end = self._end()
        if before and not before.endswith(end):
            before = before.rstrip(b"\0") + end  # zeros stand for the end of a text
        return before + self._rng.choice(list(self._records.by_text().values()))

    def _end(self) -> bytes:
        """What most records end in, a new line as long as none followed another; nothing, if they end in anything."""
        if not self._ends:
            return b"\n"
        ((end, count),) = self._ends.most_common(1)
        return bytes((end,)) if 2 * count > self._ends.total() else b""


class Records:
    """Those of all runs since somebody wanted to know."""

    def __init__(self, finder: RoundFinder, rng: Random, id_count: int) -> None:
        self._finder = finder
        self._rng = rng
        self._id_count = id_count
        self._loops: dict[int, _Loop] = {}
        self._made: set[bytes] = set()  # what of inputs was put together

    def saw(self, path: Path) -> None:
        """Keeps what the rounds of a run took, if it read its input in a loop."""
        if path.snapshot or not len(path):
            return
        found = self._finder.of(path)
        if found is None or not found.rounds:
            return
        if found.loop not in self._loops:
            self._loops[found.loop] = _Loop(self._id_count, self._rng)
        self._loops[found.loop].take(path, found.rounds)

    def next(self) -> bytes | None:
        """An input with other records behind a beginning; None as long as no run read its input in a loop."""
        if not self._loops:
            return None
        loops = list(self._loops.values())
        loop = self._rng.choices(loops, [each.runs for each in loops])[0]
        before, beginning = loop.beginning()
        text = loop.with_another(before)
        while self._rng.random() < _ANOTHER:
            text = loop.with_another(text)
        return _continued(beginning, self._as_no_other(text))

    def _as_no_other(self, text: bytes) -> bytes:
        while text in self._made or self._rng.random() < _CHANGED:
            text = _changed(text, self._rng)
        if len(self._made) >= _MOST_MADE:
            self._made.clear()
        self._made.add(text)
        return text


def _text(input: bytes, start: int, end: int) -> bytes:
    return input[start:end].ljust(end - start, b"\0")


def _changed(text: bytes, rng: Random) -> bytes:
    """With one of its words in the place of another, without some of it, or with a character more."""
    words, way = list(TOKEN.finditer(text)), rng.random()
    if way < _NAMED and words:
        start, end = rng.choice(words).span()
        return text[:start] + rng.choice(words).group() + text[end:]
    place = rng.randint(0, len(text))
    if way > 1 - _SHORTENED:
        return text[:place] + text[rng.randint(place, min(len(text), place + _MOST_LEFT_OUT)) :]
    return text[:place] + bytes((rng.choice(_PUT_IN),)) + text[place:]


def _continued(beginning: RecordStart, text: bytes) -> bytes:
    """Its input with these records, and nothing behind them."""
    start, fields = beginning.start, beginning.fields
    part = next((each for each in fields if each.offset <= start < each.offset + each.size), None)
    if part is None or part.kind not in _IN_PLACES:
        return beginning.input[:start] + text
    text = text[: part.offset + part.size - start]
    stretch = slice(start, start + len(text))
    return ended(spliced(cleared(beginning.input, fields, start), fields, stretch, text), fields, stretch.stop)
