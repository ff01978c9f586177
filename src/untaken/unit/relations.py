"""How parameters of one type go together: the same object twice, a member of the first, or two that were made alike.

A function that is given two objects often asks how they relate: is one the other, its parent, its first child; are both
lists? Objects that are built each by itself seldom are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from untaken.unit.shape import Made, MadeValue, Objects, Related, Shape, Variable
from untaken.unit.types import CPointer, Record, TypeTable

MOST_MEMBERS = 5  # of an object, that another parameter may be


def related(
    variables: Sequence[Variable], references: Sequence[str], table: TypeTable, used: frozenset[tuple[str, int]]
) -> tuple[Variable, ...]:
    """The parameters, each with what it may have to do with the first one of its type. `used` are members that the
    code looks at, by struct and number."""
    firsts: dict[str, int] = {}
    found = list(variables)
    for place, reference in enumerate(references):
        kind = _kind(table, reference)
        if kind is None or not isinstance(found[place].shape, Made | MadeValue | Objects):
            continue
        first = firsts.setdefault(kind, place)
        if first == place:
            continue
        shape = _alike(found, first, place)
        if not isinstance(shape, MadeValue) and not _is_array(shape) and not _is_array(found[first].shape):
            name = found[first].name
            members = tuple((name, member) for member in _members(table, reference, used))
            shape = Related(((name, ""), *members[:MOST_MEMBERS]), shape)
        found[place] = replace(found[place], shape=shape)
    return tuple(found)


def _kind(table: TypeTable, reference: str) -> str | None:
    """What parameters have to have in common."""
    found = table.plain(reference)
    if isinstance(found, CPointer) and isinstance(table.plain(found.target), Record):
        name = table.record_name(found.target)
        return None if name is None else f"{name} *"
    return table.record_name(reference) if isinstance(found, Record) else None


def _is_array(shape: Shape) -> bool:
    return isinstance(shape, Objects) and shape.count is not None


def _alike(found: list[Variable], first: int, place: int) -> Shape:
    """The shape of a parameter which may be made as the first one is; that one is marked."""
    one, other = found[first].shape, found[place].shape
    if isinstance(one, Made | MadeValue) and isinstance(other, Made | MadeValue) and one.makers == other.makers:
        found[first] = replace(found[first], shape=replace(one, followed=True))
        return replace(other, like=found[first].name)
    return other


def _members(table: TypeTable, reference: str, used: frozenset[tuple[str, int]]) -> Iterator[str]:
    """Pointers to the same type in the object, as far as the code looks at them."""
    pointer = table.plain(reference)
    assert isinstance(pointer, CPointer)
    record, bare = table.plain(pointer.target), table.bare_name(pointer.target)
    if not isinstance(record, Record) or record.union or bare is None:
        return
    if any(member.bits is not None for member in record.members or ()):
        return  # the compiler numbers these otherwise
    for number, member in enumerate(record.members or ()):
        if member.name and (bare, number) in used and _kind(table, member.type) == _kind(table, reference):
            yield member.name
