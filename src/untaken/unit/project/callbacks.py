"""Functions that are for the library to call: they have the type of a callback that it takes, and do not use all of it.

What such a function is given was registered with it, an object together with what belongs to it. No driver knows that,
so what goes wrong in one by itself is nothing that its callers do.
"""

from __future__ import annotations

from collections.abc import Iterable

from untaken.unit.types import CPointer, Record, Signature, TypeTable

LEAST_PARAMETERS = 2  # with fewer, too many functions have the same type by chance
CallbackType = tuple[str, ...]  # the result and the parameters, as they are declared


def callback_types(tables: Iterable[TypeTable]) -> frozenset[CallbackType]:
    """The types of functions that pointers of these files lead to, if such a function is given an object."""
    found = set()
    for table in tables:
        for reference in table.references():
            pointer = table.plain(reference)
            target = table.plain(pointer.target) if isinstance(pointer, CPointer) else None
            if isinstance(target, Signature) and _takes_object(target, table):
                found.add(function_type(target, table))
    return frozenset(found)


def function_type(signature: Signature, table: TypeTable) -> CallbackType:
    """What functions have in common that can be called in each other's place."""
    return tuple(map(table.declaration, (signature.result, *signature.parameters)))


def _takes_object(signature: Signature, table: TypeTable) -> bool:
    pointers = (table.plain(each) for each in signature.parameters)
    objects = (table.plain(each.target) for each in pointers if isinstance(each, CPointer))
    return len(signature.parameters) >= LEAST_PARAMETERS and any(isinstance(each, Record) for each in objects)
