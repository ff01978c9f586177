"""Words: strings of a program that it compared with its input, and that the input at hand could not be equal to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

WORD_SIZE = 32
NO_PLACE = 0xFFFFFFFF  # the start of a word that was compared with what did not come from the input

WORD_DTYPE = np.dtype(
    [
        *((name, "<u4") for name in ("input", "length", "position")),
        *((name, "<u2") for name in ("size", "is_made")),
        ("text", f"V{WORD_SIZE}"),
    ]
)


@dataclass(frozen=True, slots=True)
class Word:
    """What was compared with `length` input bytes from `start` on; `position` is that of the event after it."""

    start: int
    length: int
    position: int
    text: bytes


def word_of(record: np.void) -> Word:
    """A record of WORD_DTYPE as an object."""
    return Word(
        int(record["input"]), int(record["length"]), int(record["position"]), bytes(record["text"])[: record["size"]]
    )
