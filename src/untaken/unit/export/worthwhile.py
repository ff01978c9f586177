"""Which of the things that a call was seen to do a person would write an assertion about.

What it returned, what callers are given, what the project's own functions say of an object. What members hold that are
the project's own business, only where nothing else shows what the call did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from untaken.unit.export.checks import Check, Concern, Look

MOST_SAID = 3  # by functions of the project, about one object
MOST_BEHIND = 4  # members of an object that is returned
MOST_CHANGED = 8
MOST_INNER = 3
MOST_LEFT = 3  # things that a call left as they were, in a test that has nothing else to say

ObservedValues = Mapping[int, str]  # of checks, by number


def worthwhile(checks: Sequence[Check], values: ObservedValues) -> frozenset[int]:
    """Of the checks with these values: those to pin."""
    public = [number for number in values if checks[number].concern is Concern.CALLERS]
    said = [number for number in values if checks[number].concern is Concern.SAID]
    results = [number for number in public if not checks[number].output]
    own = [number for number in results if not checks[number].unsure or checks[number].look is Look.STRING]
    behind = [number for number in results if number not in own and _tells(checks[number], values[number])]
    changed = [number for number in public if checks[number].output]
    kept = [*_without_null(checks, own), *behind[:MOST_BEHIND], *_most_telling(checks, values, said)]
    kept += changed[:MOST_CHANGED]
    inner = [] if kept and not _says_nothing(checks, values, kept) else _inner(checks, values)
    return frozenset([*kept, *inner[:MOST_INNER]])


def least(checks: Sequence[Check], values: ObservedValues) -> frozenset[int]:
    """Some of what a call left as it was: what callers care about first."""
    for concern in (Concern.SAID, Concern.CALLERS, Concern.INNER):
        found = [number for number in values if checks[number].concern is concern]
        if found:
            return frozenset(found[:MOST_LEFT])
    return frozenset()


def _inner(checks: Sequence[Check], values: ObservedValues) -> list[int]:
    """Zeros in what is returned say nothing: most is zero when it is made."""
    found = (number for number in values if checks[number].concern is Concern.INNER)
    return [number for number in found if checks[number].output or _tells(checks[number], values[number])]


def _without_null(checks: Sequence[Check], numbers: Iterable[int]) -> list[int]:
    """What a string is says that there is one."""
    found = list(numbers)
    strings = {checks[number].expression for number in found if checks[number].look is Look.STRING}
    return [n for n in found if checks[n].look is not Look.NULL or checks[n].expression not in strings]


def _most_telling(checks: Sequence[Check], values: ObservedValues, said: Sequence[int]) -> list[int]:
    """A length of zero says less than what an object is, and that it is not one of ten things least of all."""
    telling = [number for number in said if _tells(checks[number], values[number])]
    return (telling or list(said[:1]))[:MOST_SAID]


def _tells(check: Check, value: str) -> bool:
    """Something else than zero, or what has a name."""
    if check.look is Look.REAL:
        return float.fromhex(value) != 0 if "n" not in value else True
    if check.scalar is not None and any(str(number) == value for _, number in check.scalar.enumerators):
        return True
    return value not in ("0", "null")


def _says_nothing(checks: Sequence[Check], values: ObservedValues, kept: Sequence[int]) -> bool:
    """Only that a pointer leads somewhere."""
    return all(checks[number].look is Look.NULL and values[number] != "0" for number in kept)
