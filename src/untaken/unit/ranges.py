"""Pointers that belong together: where memory starts, where it ends, and places in between, as members of one struct.

Buffers, stacks and queues are kept so. Each pointer alone would lead to an object of its own, and what lies between two
of them would be no memory at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from untaken.unit.types import Basic, CPointer, Member, Record, TypeTable

START = re.compile(r"(^|_)(start|begin|base)$", re.IGNORECASE)
END = re.compile(r"(^|_)(end|limit|stop)$", re.IGNORECASE)
BYTES = 24  # elements of a range, by what they are
NUMBERS = 6
RECORDS = 2


@dataclass(frozen=True, slots=True)
class RangeMember:
    """A pointer into the memory that the member `start` leads to: to its end, or not before the member `after`."""

    start: str
    after: str
    at_end: bool


def range_members(table: TypeTable, members: Sequence[Member]) -> dict[str, RangeMember]:
    """By name, the members of a struct that point to where another one starts; that one comes before them."""
    found: dict[str, RangeMember] = {}
    start: Member | None = None
    after = ""
    for member in members:
        if START.search(member.name) and _element(table, member.type) is not None:
            start, after = member, member.name
        elif start is not None and _same_pointer(table, member.type, start.type):
            at_end = bool(END.search(member.name))
            found[member.name] = RangeMember(start.name, after, at_end)
            after = after if at_end else member.name
    ended = {each.start for each in found.values() if each.at_end}
    return {name: each for name, each in found.items() if each.start in ended}


def range_extent(table: TypeTable, element: str) -> int:
    """How many elements of a type there are, where nothing says that."""
    match table.plain(element):
        case Basic(size=1):
            return BYTES
        case Record():
            return RECORDS
        case _:
            return NUMBERS


def _element(table: TypeTable, reference: str) -> object | None:
    """What a pointer leads to, if that has a size."""
    pointer = table.plain(reference)
    target = table.plain(pointer.target) if isinstance(pointer, CPointer) else None
    if isinstance(target, Record) and target.members is None:
        return None
    return target if isinstance(target, Basic | Record | CPointer) else None


def _same_pointer(table: TypeTable, one: str, other: str) -> bool:
    first, second = table.plain(one), table.plain(other)
    if not isinstance(first, CPointer) or not isinstance(second, CPointer):
        return False
    return table.plain(first.target) is table.plain(second.target)
