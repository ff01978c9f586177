"""Words: strings of a program that it compared with its input, and that the input at hand could not be equal to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

WORD_SIZE = 32

WORD_DTYPE = np.dtype(
    [("input", "<u4"), ("length", "<u4"), ("position", "<u4"), ("size", "<u4"), ("text", f"V{WORD_SIZE}")]
)


@dataclass(frozen=True, slots=True)
class Word:
    """What was compared with `length` input bytes from `start` on; `position` is that of the event after it."""

    start: int
    length: int
    position: int
    text: bytes


def decode_words(data: bytes) -> tuple[Word, ...]:
    """Records of WORD_DTYPE as objects."""
    rows = np.frombuffer(data, WORD_DTYPE).tolist()
    return tuple(Word(start, length, position, text[:size]) for start, length, position, size, text in rows)
