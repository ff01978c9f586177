"""Readers of what users write behind an option: each says plainly what is wrong with a text that it cannot read."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from untaken.errors import UsageError
from untaken.model.input import LARGEST_SOURCE, Bias, Source, SourceKind
from untaken.model.path import LONGEST_TIME
from untaken.search.coverage_goals import Criterion


def whole(flag: str, least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """Reads a whole number, and says plainly what is wrong with it."""

    def read(text: str) -> int:
        limit = f" up to {most:,}" if most is not None else ""
        try:
            value = int(text)
        except ValueError:
            raise UsageError(f"{flag} wants a whole number from {least}{limit}, not {text!r}") from None
        if value < least or (most is not None and value > most):
            raise UsageError(f"{flag} wants a whole number from {least}{limit}, not {text}")
        return value

    return read


def variable_name(text: str) -> str:
    """Reads the name of a variable of the environment."""
    if not text or "=" in text or "\0" in text:
        raise UsageError(f"--keep-env wants the name of a variable alone, not {text!r}")
    return text


def folder(flag: str) -> Callable[[str], Path]:
    """Reads the name of a folder. An empty one is a variable of a shell that is not set, and not the current folder."""

    def read(text: str) -> Path:
        if not text:
            raise UsageError(f"{flag} wants the name of a folder")
        return Path(text)

    return read


def seconds(flag: str) -> Callable[[str], float]:
    """Reads a time above zero."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 < value <= LONGEST_TIME:
            raise UsageError(f"{flag} wants a number of seconds above 0 up to {LONGEST_TIME:,}, not {text!r}")
        return value

    return read


def goal(text: str) -> Criterion:
    """Reads what is to be covered."""
    known = [each.value for each in Criterion]
    if text not in known:
        raise UsageError(f"--goal wants one of {', '.join(known)}, not {text!r}")
    return Criterion(text)


def file_source(text: str) -> Source:
    """Reads --file: NAME=N, a file of up to N bytes."""
    name, equals, size = text.rpartition("=")
    if not equals or not name:
        raise UsageError(f"--file wants NAME=SIZE, such as --file settings.ini=40, not {text!r}")
    if name.endswith("/") or os.path.isdir(name):
        raise UsageError(f"--file wants a file, and {name!r} is a folder: name a file in it")
    return Source(SourceKind.FILE, whole("--file NAME=N", 1, LARGEST_SOURCE)(size), name)


def range_bias(text: str) -> Bias:
    """Reads --range: NAME=LO..HI, between which random inputs lie."""
    name, _, limits = text.rpartition("=")
    low, dots, high = limits.partition("..")
    if not (name and dots and (ends := numbers((low, high))) and ends[0] <= ends[1]):
        raise UsageError(f"--range wants NAME=LOW..HIGH, such as --range toss=0..4, not {text!r}")
    return Bias(name, ends[0], ends[1])


def values_bias(text: str) -> Bias:
    """NAME=A,B,C; each a number or a character."""
    name, equals, values = text.partition("=")
    parts = values.split(",")
    found = numbers(str(ord(part)) if len(part) == 1 and not part.isdigit() else part for part in parts)
    if not (name and equals and found):
        raise UsageError(f"--values wants NAME=A,B,C, numbers or characters, such as --values key=a,b,27, not {text!r}")
    return Bias(name, values=found)


def numbers(texts: Iterable[str]) -> tuple[int, ...]:
    """Decimal, or hexadecimal after 0x; nothing if one of them is neither or has over 64 bits."""
    try:
        found = tuple(int(text, 0) for text in texts)
    except ValueError:
        return ()
    return found if all(-(1 << 63) <= number < 1 << 63 for number in found) else ()


def share(flag: str) -> Callable[[str], float]:
    """Makes a reader of percentages, with or without the sign."""

    def read(text: str) -> float:
        try:
            value = float(text.removesuffix("%"))
        except ValueError:
            value = math.nan
        if not 0 < value <= 100:
            raise UsageError(f"{flag} wants a percentage above 0 up to 100, such as 80, not {text!r}")
        return value

    return read
