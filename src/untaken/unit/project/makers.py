"""How a project makes its own objects: functions that return one, that fill one, and that change one, found by type.

Types are opaque in most of the files that use them, and a struct that is filled freely is one that no caller has. What
the project's own functions make is neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from untaken.unit.debug_types import FunctionInfo
from untaken.unit.options import MakerTemplate, TypeMakers
from untaken.unit.probe import Module
from untaken.unit.project.sources import SourceFile
from untaken.unit.types import Basic, CPointer, CVoid, Enumeration, Record, Signature, TypeTable

MOST_MAKERS = 5  # of a type
MOST_SETTERS = 4
FILLS = re.compile(r"(^|_)(init|initialize|initialise|setup|new|create|open)(_|\d|$)|Init", re.IGNORECASE)
CHANGES = re.compile(
    r"(^|_)(set|add|put|append|push|insert|feed|parse|read|write|update|reserve)(_|\d|$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class MakerCandidate:
    """A function by which objects of a type come about, or change; `names` are those of its own parameters."""

    function: str
    source: SourceFile
    exported: bool
    names: tuple[str, ...]
    given: bool
    changes: bool  # it needs an object that is there already


def candidates(modules: Mapping[SourceFile, tuple[Module, list[str]]]) -> dict[str, list[MakerCandidate]]:
    """By the name of the type; those with fewest parameters first."""
    found: dict[str, list[MakerCandidate]] = {}
    for source, (module, functions) in modules.items():
        for name in functions:
            info = module.function(name)
            exported = not module.functions[name].header.startswith(("define internal", "define private"))
            if info is not None:
                for record, candidate in _of(info, module.types.table, source, exported):
                    found.setdefault(record, []).append(candidate)
    return {record: sorted(entries, key=lambda each: len(each.names)) for record, entries in found.items()}


def _of(
    info: FunctionInfo, table: TypeTable, source: SourceFile, exported: bool
) -> Iterator[tuple[str, MakerCandidate]]:
    types, names = info.signature.parameters, info.parameters
    if info.signature.variadic:
        return
    made = _pointed_record(table, info.signature.result)
    if made is not None and all(_is_simple(table, each) for each in types):
        yield made, MakerCandidate(info.name, source, exported, names, given=False, changes=False)
    given = _pointed_record(table, types[0]) if types else None
    if given is not None and all(_is_simple(table, each) for each in types[1:]):
        fills, changes = FILLS.search(info.name), CHANGES.search(info.name)
        if fills or changes:
            yield given, MakerCandidate(info.name, source, exported, names[1:], given=True, changes=not fills)


def _pointed_record(table: TypeTable, reference: str) -> str | None:
    """The struct or union that a pointer leads to, if that may be written."""
    found = table.plain(reference)
    if not isinstance(found, CPointer) or table.is_const(found.target):
        return None
    return table.record_name(found.target) if isinstance(table.plain(found.target), Record) else None


def _is_simple(table: TypeTable, reference: str) -> bool:
    """What can be drawn without other objects: numbers, text, bytes, callbacks."""
    found = table.plain(reference)
    if isinstance(found, CPointer):
        target = table.plain(found.target)
        return isinstance(target, CVoid | Signature) or (isinstance(target, Basic) and target.size == 1)
    return isinstance(found, Basic | Enumeration)


def wanted_records(module: Module, functions: list[str]) -> set[str]:
    """Types that parameters of these functions point to."""
    table = module.types.table
    found = set()
    for name in functions:
        info = module.function(name)
        for reference in info.signature.parameters if info is not None else ():
            pointer = table.plain(reference)
            record = table.record_name(pointer.target) if isinstance(pointer, CPointer) else None
            found |= {record} if record is not None else set()
    return found


def usable(
    known: Mapping[str, list[MakerCandidate]], records: set[str], source: SourceFile
) -> dict[str, list[MakerCandidate]]:
    """What a file may call: its own functions, and the exported ones of others."""
    return {
        record: [each for each in known[record] if each.exported or each.source == source]
        for record in sorted(records & known.keys())
    }


def type_makers(found: Mapping[str, list[MakerCandidate]], module: Module) -> dict[str, TypeMakers]:
    """In the types of one file, as far as it declares the functions."""
    result = {}
    complete = _complete_records(module.types.table)
    for record, entries in found.items():
        # What is filled in place needs its size.
        possible = [each for each in entries if not each.given or each.changes or record in complete]
        templates = [(each, template) for each in possible if (template := _template(each, module)) is not None]
        makers = tuple(template for each, template in templates if not each.changes)[:MOST_MAKERS]
        setters = tuple(template for each, template in templates if each.changes)[:MOST_SETTERS]
        if makers:
            result[record] = TypeMakers(makers, setters)
    return result


def _template(candidate: MakerCandidate, module: Module) -> MakerTemplate | None:
    info = module.function(candidate.function)
    signature = info.signature if info is not None else None
    if signature is None and (reference := module.probed(candidate.function)) is not None:
        found = module.types.table.plain(reference)
        signature = found if isinstance(found, Signature) else None
    if signature is None or len(signature.parameters) != len(candidate.names) + candidate.given:
        return None
    types = signature.parameters[1:] if candidate.given else signature.parameters
    if any(map(module.types.table.nameless, types)):
        return None
    return MakerTemplate(candidate.function, candidate.names, types, candidate.given)


def _complete_records(table: TypeTable) -> set[str]:
    return {
        name
        for reference in table.references()
        if isinstance(record := table.plain(reference), Record)
        and record.members is not None
        and (name := table.record_name(reference)) is not None
    }
