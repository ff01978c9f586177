"""Heuristics in files, checked against the features that there are; and the general one, shipped with the package."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from untaken import __version__
from untaken.atomic_files import replace_file
from untaken.errors import UsageError
from untaken.search.heuristics.features.table import NAMES, VERSION
from untaken.search.heuristics.heuristic import DIGITS, Heuristic, parsed

LARGEST = 1 << 24  # characters
_SHIPPED = Path(__file__).with_name("general.json")
BY_HAND = {
    "newly-covered": 3.0,
    "context-1-known": -2.0,
    "context-2-known": -2.0,
    "context-3-known": -2.0,
    "context-4-known": -2.0,
    "context-5-known": -3.0,
    "negated-over-10": -2.0,
    "opposite-failed": -9.0,
    "opposite-uncovered": 10.0,
    "opposite-lonely": 3.0,
    "among-last-10": -1.0,
}


@cache
def general_heuristic() -> Heuristic:
    """The default of `parametric`: learned over several programs."""
    return parsed(_SHIPPED.read_text(), NAMES, VERSION)


@cache
def heuristic_by_hand() -> Heuristic:
    """What nobody has learned: for `auto`, beside what was (docs/how-to/learn-a-heuristic.md)."""
    return of_weights([BY_HAND.get(name, 0.0) for name in NAMES])


def read_heuristic(place: str | Path) -> Heuristic:
    """A heuristic from a file."""
    try:
        with open(place, encoding="utf-8") as file:  # a pipe of a shell, maybe
            text = file.read(LARGEST)
    except OSError as error:
        raise UsageError(f"cannot read the heuristic {place}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{place} is no text: name a file that `untaken tune` wrote") from error
    try:
        return parsed(text, NAMES, VERSION)
    except UsageError as error:
        raise UsageError(f"{place} cannot be used: {error}; learn it again with `untaken tune`") from error


def write_heuristic(place: Path, heuristic: Heuristic) -> None:
    """Whole or not at all."""
    replace_file(place, (json.dumps(heuristic.as_json(), indent=1) + "\n").encode())


def of_weights(weights: Sequence[float]) -> Heuristic:
    """A heuristic of these weights alone, with no word about how they were found."""
    rounded = [round(float(weight), DIGITS) for weight in weights]
    return Heuristic(dict(zip(NAMES, rounded, strict=True)), VERSION, untaken=__version__)
