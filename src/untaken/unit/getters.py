"""What the project's own functions say of an object: its length, its kind, its text. Tests look at that rather than at
members, which are nobody's business but the project's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from untaken.unit.debug_types import FunctionInfo
from untaken.unit.looking import LookingFacts
from untaken.unit.names import in_words
from untaken.unit.options import Getters
from untaken.unit.probe import Module
from untaken.unit.types import Basic, CPointer, Encoding, Enumeration, RecordPlace, TypeTable

MOST_GETTERS = 12  # of a type
# What a reader of a test wants to know comes first.
TELLING = re.compile(r"(^|_)(get|len|length|count|kind|type|value|text|string|name|error)(_|\d|$)", re.IGNORECASE)
# Numbers that depend on how something is made, and not on what it is.
INNER = re.compile(
    r"(^|_)(refs?|refcnt|refcount|hash|hashcode|address|addr|ptr|capacity|alloc\w*|debug|dump|internal|id|data|userdata|"
    r"main)(_|\d|$)",
    re.IGNORECASE,
)


def getters(modules: Iterable[tuple[Module, Iterable[str]]], looking: LookingFacts) -> dict[RecordPlace, list[str]]:
    """Exported functions, of those that are named with each module."""
    found: dict[RecordPlace, list[str]] = {}
    for module, functions in modules:
        for name in functions:
            info = module.function(name)
            if info is None or module.functions[name].header.startswith(("define internal", "define private")):
                continue
            place = _looked_at(info, module.types.table)
            if place is not None and looking.only_looks(name):
                found.setdefault(place, []).append(name)
    return found


def file_getters(module: Module) -> Getters:
    """Those of one file, for a function of its own."""
    looking = LookingFacts()
    looking.add(module.functions.values())
    own = frozenset(module.functions)
    return known_getters(getters([(module, sorted(own))], looking), module, own)


def known_records(module: Module) -> frozenset[str]:
    """Names of all structs and unions that a file has."""
    table = module.types.table
    return frozenset(name for each in table.references() if (name := table.record_name(each)) is not None)


def known_getters(found: Mapping[RecordPlace, Iterable[str]], module: Module, linked: frozenset[str]) -> Getters:
    """Those that a file declares, and that are there when it is linked."""
    return {
        place: _in_order(name for name in names if name in linked and module.signature(name) is not None)
        for place, names in found.items()
    }


def _looked_at(info: FunctionInfo, table: TypeTable) -> RecordPlace | None:
    """What a function looks at, if it takes nothing else and says a number or a text."""
    if len(info.parameters) != 1 or info.signature.variadic or INNER.search(in_words(info.name)):
        return None
    place = table.record_place(info.signature.parameters[0])
    return place if place is not None and place.pointers < 2 and _is_said(table, info.signature.result) else None


def _is_said(table: TypeTable, reference: str) -> bool:
    found = table.plain(reference)
    if isinstance(found, CPointer):
        target = table.plain(found.target)
        return isinstance(target, Basic) and target.encoding is Encoding.CHARACTER
    return isinstance(found, Basic | Enumeration)


def _in_order(functions: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(functions, key=lambda name: TELLING.search(in_words(name)) is None)[:MOST_GETTERS])
