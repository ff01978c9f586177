"""Memory that is as large as the code needs: what a run under AddressSanitizer went past gets larger."""

from __future__ import annotations

import re
from collections.abc import Iterator

from untaken.unit.export.objects import ON_HEAP
from untaken.unit.literals import identifier
from untaken.unit.places import CPlace
from untaken.unit.shape import Buffer, Fields, Objects, Scalar, Shape, Text, UnitPlan

FACTOR = 4
LEAST = 16
MOST = 1024  # elements
_STACK = re.compile(rb"'([^']*)'[^\n]*<== Memory access at offset \d+ (?:partially )?(?:over|under)flows this variable")
_HEAP = re.compile(rb"bytes (?:to the right of|after|inside of) \d+-byte region \[0x([0-9a-f]+),")
_MADE = re.compile(rb"untaken: line (\d+) has 0x([0-9a-f]+)")
_DECLARED = re.compile(rf"(\w+) = {ON_HEAP}\(")


def overrun_variable(report: bytes, text: str) -> str | None:
    """The variable of a test that was gone past, as AddressSanitizer reports it; `text` is the file of tests."""
    if found := _STACK.search(report):
        return found[1].decode(errors="replace")
    region = _HEAP.search(report)
    if region is None:
        return None
    lines = {made[2].lstrip(b"0"): int(made[1]) for made in _MADE.finditer(report)}
    number = lines.get(region[1].lstrip(b"0"))
    declared = _DECLARED.search(text.splitlines()[number - 1]) if number is not None else None
    return declared[1] if declared else None


def larger(plan: UnitPlan, variable: str) -> tuple[str, int] | None:
    """The place that is built too small, and how large it is next; None if its size is no guess of ours."""
    for place, size in _guessed(plan):
        if identifier(place) == variable:
            return (place, min(MOST, max(LEAST, size * FACTOR))) if size < MOST else None
    return None


def _guessed(plan: UnitPlan) -> Iterator[tuple[str, int]]:
    for variable in plan.parameters:
        yield from _pointers(variable.shape, CPlace(variable.name))


def _pointers(shape: Shape, place: CPlace) -> Iterator[tuple[str, int]]:
    """Pointers to memory that nothing gives a length to."""
    match shape:
        case Objects(element=Scalar(), length=None, count=count):
            yield place.text, count or 1
        case Buffer(size=size):
            yield place.text, size
        case Text(constant=False, most=most):
            yield place.text, most + 1
        case Objects(element=element, count=None):
            yield from _pointers(element, place.target())
        case Fields(members=members, union=False):
            for name, member in members:
                yield from _pointers(member, place.member(name))
        case _:
            return
