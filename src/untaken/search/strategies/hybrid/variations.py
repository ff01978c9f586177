"""Variations of what a program understands (hybrid search): inputs repeated, put in, left out, exchanged, altered.

A word that is longer, a number with more digits, an operand from elsewhere: often that is all that a program wants, and
no decision of the path at hand says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

Units = tuple[bytes, ...]  # what each input statement took in

_CHANGES = (0, 1, 1, 2, 3)  # how many are made at once, at random


def varied(rng: Random, phrase: Units, others: Sequence[Units], most: int) -> Units:
    """The phrase with some changes, maybe none; parts of `others` are put in. No input is repeated more than `most`
    times."""
    for _ in range(rng.choice(_CHANGES)):
        phrase = _changed(rng, phrase, others, most)
    return phrase


def _changed(rng: Random, phrase: Units, others: Sequence[Units], most: int) -> Units:
    at = _place(rng, phrase)
    before, here, after = phrase[:at], phrase[at : at + 1], phrase[at + 1 :]
    match rng.randrange(6):
        case 0:
            return before + here * _count(rng, most) + after
        case 1:
            return before + _part(rng, others) + here + after
        case 2:
            return (*before, rng.choice(rng.choice(others)), *here, *after)
        case 3:
            return before + _part(rng, others) + after
        case 4:
            return before + after[rng.randint(0, 1) :]
        case _:
            return before + tuple(_altered(rng, unit) for unit in here) + after


def _place(rng: Random, phrase: Units) -> int:
    """A phrase ends with what made the program act, and what it acts on comes right before: that is changed most."""
    return len(phrase) - 1 if phrase and rng.random() < 0.5 else rng.randint(0, len(phrase))


def _count(rng: Random, most: int) -> int:
    """Rather small than large: each size of number, in bits, is as likely."""
    return rng.randint(2, max(2, min(most, 2 ** rng.randint(1, most.bit_length()))))


def _part(rng: Random, others: Sequence[Units]) -> Units:
    phrase = rng.choice(others)
    start = rng.randrange(len(phrase))
    return phrase[start : rng.randint(start + 1, len(phrase))]


def _altered(rng: Random, unit: bytes) -> bytes:
    at = rng.randrange(len(unit))
    return unit[:at] + rng.randbytes(1) + unit[at + 1 :]
