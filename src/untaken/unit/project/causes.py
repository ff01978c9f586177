"""One cause, one finding: what went wrong in all campaigns of a project, by where it happens and how it is reached."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from untaken.unit.export.text import NamedCase
from untaken.unit.project.results import ShownFault

ABORT = "SIGABRT"  # without a cause, the program's own call; else the C library's


class Reachability(Enum):
    """From where a fault can be reached, as far as is known."""

    EXPORTED = "from an exported function, with arguments that callers can make"
    ARGUMENTS = "only with arguments that no caller is known to make"
    DRIVER = "only through a driver of a function that callers cannot call"


@dataclass(frozen=True, slots=True)
class Appearance:
    """A fault in one function's campaign."""

    function: str
    source: str
    exported: bool
    made_up: bool  # with arguments that no caller is known to make
    fault: ShownFault
    call: NamedCase | None
    hands_on: bool = False  # it has no branches of its own, or what went wrong is in an exported function
    plain: frozenset[str] = frozenset()  # of the functions on the stack: those that have no branches of their own


@dataclass(frozen=True, slots=True)
class Cause:
    """Sightings of the same thing; the first is the one to show."""

    what: str
    location: str
    appearances: tuple[Appearance, ...]

    @property
    def reached(self) -> Reachability:
        exported = [each for each in self.appearances if each.exported]
        if not exported:
            return Reachability.DRIVER
        return Reachability.ARGUMENTS if all(each.made_up for each in exported) else Reachability.EXPORTED


def causes(appearances: Iterable[Appearance]) -> list[Cause]:
    """In order of how far they matter: what callers can reach first."""
    groups: dict[tuple[str, str], list[Appearance]] = {}
    for each in appearances:
        if is_precondition(each) or is_preparation(each):
            continue
        # AddressSanitizer names no line without a symbolizer: then the function that was called says where it is.
        groups.setdefault((_kind(each.fault), place_of(each.fault) or each.function), []).append(each)
    found = [_cause(kind, place, group) for (kind, place), group in groups.items()]
    return sorted(found, key=lambda cause: list(Reachability).index(cause.reached))


def _cause(kind: str, place: str, group: Sequence[Appearance]) -> Cause:
    ordered = sorted(group, key=lambda each: (not each.exported, each.made_up, len(each.fault.frames)))
    return Cause(kind, place, tuple(ordered))


def is_precondition(appearance: Appearance) -> bool:
    """An assertion at the top of the function that is called says what its callers must see to; also where the function
    decides nothing itself and only hands on what it is given, through others that do the same, or where an exported
    function that it calls first thing asserts what its own callers must see to. So does a call of abort, which may be
    in a function that says why."""
    fault = appearance.fault
    aborts = fault.what == ABORT and not fault.cause
    if fault.kind != "assertion" and not aborts:
        return False
    names = [frame.partition(" (")[0] for frame in fault.frames]
    reached = names[: 2 if appearance.hands_on or aborts else 1]
    while appearance.hands_on and len(reached) < len(names) and reached[-1] in appearance.plain:
        reached.append(names[len(reached)])
    return appearance.function in reached


def is_preparation(appearance: Appearance) -> bool:
    """It went wrong in a call that makes an argument: the function itself was not called yet, and the one that was is
    explored by itself."""
    fault = appearance.fault
    if not fault.frames:  # a sanitizer did not say; else nothing but the driver was on the stack
        return fault.kind != "sanitizer"
    return not any(frame.startswith(f"{appearance.function} (") for frame in fault.frames)


def _kind(fault: ShownFault) -> str:
    return re.sub(r"0x[0-9a-f]+|\d+", "#", fault.what)


def place_of(fault: ShownFault) -> str:
    """File and line, without the folders."""
    if not fault.location:
        return fault.frames[0].partition(" (")[0] if fault.frames else ""
    return Path(fault.location).name
