"""Words: strings of a program that it compared with its input, and that the input at hand could not be equal to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WORD_SIZE = 32
NO_PLACE = 0xFFFFFFFF  # the start of a word that was compared with what did not come from the input

WORD_DTYPE = np.dtype(
    [
        *((name, "<u4") for name in ("input", "length", "position")),
        ("size", "<u2"),
        *((name, "u1") for name in ("is_made", "part")),
        ("text", f"V{WORD_SIZE}"),
    ]
)


@dataclass(frozen=True, slots=True)
class Word:
    """What was compared with `length` input bytes from `start` on; `position` is that of the event after it.

    A program may have put its string together from several parts of the input: `more` are the others.
    """

    start: int
    length: int
    position: int
    text: bytes
    more: tuple[Word, ...] = ()

    @property
    def parts(self) -> tuple[Word, ...]:
        """All that is put in."""
        return (self, *self.more)

    @property
    def stretch(self) -> range:
        """The bytes of the input from its first to its last one, once it is put in."""
        grows = sum(len(part.text) - part.length for part in self.parts)
        end = max(part.start + part.length for part in self.parts)
        return range(min(part.start for part in self.parts), end + grows)


def word_at(records: NDArray[np.void], index: int) -> Word:
    """A record of WORD_DTYPE as an object, with its further parts, which are the records behind it."""
    end = index + 1
    while end < len(records) and records["part"][end]:
        end += 1
    return _word_of(records[index], tuple(map(_word_of, records[index + 1 : end])))


def words_in(records: NDArray[np.void]) -> Iterator[Word]:
    """All of them, in order."""
    for index in np.flatnonzero(records["part"] == 0).tolist():
        yield word_at(records, index)


def _word_of(record: np.void, more: tuple[Word, ...] = ()) -> Word:
    text = bytes(record["text"])[: record["size"]]
    return Word(int(record["input"]), int(record["length"]), int(record["position"]), text, more)
