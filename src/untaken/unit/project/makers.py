"""How a project makes its own objects: functions that return one, that fill one, and that change one, found by type.

Types are opaque in most of the files that use them, and a struct that is filled freely is one that no caller has. What
the project's own functions make is neither. A function may take other objects of the project: those are made by
functions that take none, or that take such. And what no function makes may be a member of what one makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from untaken.unit.debug_types import FunctionInfo
from untaken.unit.names import in_words
from untaken.unit.options import MakerTemplate, TypeMakers, by_value
from untaken.unit.probe import Module
from untaken.unit.project.sources import SourceFile
from untaken.unit.shaping import STREAMS
from untaken.unit.types import Basic, CPointer, CVoid, Enumeration, Record, Signature, TypeTable

MOST_MAKERS = 12  # of a type
MOST_COMPOUND = 2  # of these, such as take other objects
HIGHEST_LEVEL = 2  # of what takes objects that take objects
MOST_CHAINED = 3  # functions that put something into a value and return that
OWNER = "owner"


def _named_for(*verbs: str) -> re.Pattern[str]:
    return re.compile(rf"(^|_)({'|'.join(verbs)})(_|\d|$)", re.IGNORECASE)


INITIALISES = _named_for("init", "initialize", "initialise")
FILLS = _named_for("init", "initialize", "initialise", "setup", "new", "create", "open")
CHANGES = _named_for(
    *("set", "add", "put", "append", "push", "insert", "feed", "parse", "read", "write", "update", "reserve")
)
FILE_NAMES = re.compile(r"(^|_)(file_?name|path_?name|fname)$", re.IGNORECASE)
FREEING = frozenset({"free"})
MAKES = _named_for("new", "create", "make", "parse", "add", "append", "copy", "from", "alloc", "open")


@dataclass(frozen=True, slots=True)
class MakerCandidate:
    """A function by which objects of a type come about, or change; `names` are those of its own parameters. With
    `member`, no function but that member of the only object that is needed."""

    function: str
    source: SourceFile
    exported: bool
    names: tuple[str, ...]
    given: bool
    changes: bool  # it needs an object that is there already
    needs: tuple[str, ...] = ()  # names of other types, objects of which it takes
    member: str = ""
    adds: bool = False  # what it makes is added to the object that it is given
    nulls: frozenset[str] = frozenset()  # parameters that are NULL: an object needs no other of its own type


Candidates = Mapping[str, list[MakerCandidate]]


def candidates(
    modules: Mapping[SourceFile, tuple[Module, list[str]]], nullable: Mapping[str, frozenset[str]]
) -> dict[str, list[MakerCandidate]]:
    """By the name of the type; those that take no other objects, and fewest parameters, first. `nullable` are, by
    function, parameters that may be NULL."""
    found: dict[str, list[MakerCandidate]] = {}
    inner = _called_inside(module for module, _ in modules.values())
    for source, (module, functions) in modules.items():
        for name in functions:
            info = module.function(name)
            exported = not module.functions[name].header.startswith(("define internal", "define private"))
            if info is not None:
                kinds = _Kinds(module.types.table, nullable.get(name, frozenset()))
                frees = not FREEING.isdisjoint(module.reached(name))
                for record, candidate in _of(info, kinds, source, exported):
                    if candidate.changes and not candidate.names and frees:
                        continue  # with nothing to put in its place, it is the object that goes: thing_put
                    found.setdefault(record, []).append(candidate)
    found = {record: _initialised(_exported(entries)) for record, entries in found.items()}
    for source, (module, _) in modules.items():
        for record, candidate in _members(module.types.table, source, found):
            if all(each.member != candidate.member for each in found.get(record, ())):
                found.setdefault(record, []).append(candidate)
    return {record: sorted(entries, key=lambda each: _order(each, inner)) for record, entries in found.items()}


def _called_inside(modules: Iterable[Module]) -> frozenset[str]:
    """Functions that the project itself uses: what is for callers alone, none of its functions mentions."""
    used = (names - {user} for module in modules for user, names in module.uses.items())
    return frozenset().union(*used)


def _exported(entries: list[MakerCandidate]) -> list[MakerCandidate]:
    """What callers can call; a static function only where nothing else makes such objects."""
    public = [each for each in entries if each.exported]
    return public if any(not each.changes for each in public) else entries


def _initialised(entries: list[MakerCandidate]) -> list[MakerCandidate]:
    """Where there is `thing_init`, that comes first: `thing_open` takes a thing that is initialised."""
    first = [each for each in entries if _fills(each) and INITIALISES.search(in_words(each.function))]
    return [replace(each, changes=True) if first and _fills(each) and each not in first else each for each in entries]


def _fills(candidate: MakerCandidate) -> bool:
    return candidate.given and not candidate.changes


def _order(candidate: MakerCandidate, inner: frozenset[str]) -> tuple[int, bool, bool, int]:
    """One that is called after what it makes says more than one that only looks something up. What changes an object is
    for callers, rather than a step of something larger."""
    is_step = candidate.changes and candidate.function in inner
    return len(candidate.needs), is_step, not MAKES.search(in_words(candidate.function)), len(candidate.names)


@dataclass(frozen=True, slots=True)
class _Kinds:
    """The types of a file, and which parameters of a function may be NULL."""

    table: TypeTable
    nullable: frozenset[str]

    def without(self, made: str, info: FunctionInfo) -> frozenset[str]:
        """Parameters for objects of the type that a function makes, where it does without."""
        pairs = zip(info.parameters, info.signature.parameters, strict=True)
        return frozenset(name for name, each in pairs if name in self.nullable and _need(self.table, each) == made)


def _of(info: FunctionInfo, kinds: _Kinds, source: SourceFile, exported: bool) -> Iterator[tuple[str, MakerCandidate]]:
    types, names, table = info.signature.parameters, info.parameters, kinds.table
    if info.signature.variadic:
        return
    needs = [_need(table, each) for each in types]
    made = _made(table, info.signature.result)
    if made is not None and None not in needs:
        nulls = kinds.without(made, info) if MAKES.search(in_words(info.name)) else frozenset[str]()
        others = tuple(each for name, each in zip(names, needs, strict=True) if each and name not in nulls)
        yield made, MakerCandidate(info.name, source, exported, names, False, False, others, nulls=nulls)
    given = _pointed_record(table, types[0]) if types else None
    if given is not None and None not in needs[1:]:
        fills, changes = FILLS.search(in_words(info.name)), CHANGES.search(in_words(info.name))
        others = tuple(each for each in needs[1:] if each)
        result = _pointed_record(table, info.signature.result)
        adds = fills is not None and result == given  # another one, which may become part of the one that it is given
        if adds or changes or (fills and result is None):
            changes_it = adds or not fills
            if changes_it and any(map(FILE_NAMES.search, names)):
                return  # there is no such file; and one that it writes would stay
            yield given, MakerCandidate(info.name, source, exported, names[1:], True, changes_it, others, adds=adds)


def _members(table: TypeTable, source: SourceFile, known: Candidates) -> Iterator[tuple[str, MakerCandidate]]:
    """Pointers to what no function makes, in objects that one does."""
    for reference in table.references():
        record, owner = table.plain(reference), table.record_name(reference)
        if not isinstance(record, Record) or record.union or owner is None or not _is_simply_made(known.get(owner, ())):
            continue
        for member in record.members or ():
            part = _pointed_record(table, member.type)
            if part is not None and part != owner and not _is_simply_made(known.get(part, ())):
                yield part, MakerCandidate("", source, True, (OWNER,), False, False, (owner,), member.name)


def _is_simply_made(entries: Iterable[MakerCandidate]) -> bool:
    return any(not each.needs and not each.changes for each in entries)


def _made(table: TypeTable, reference: str) -> str | None:
    """The struct or union that is returned, or a pointer to it."""
    if isinstance(table.plain(reference), Record):
        name = table.record_name(reference)
        return by_value(name) if name is not None else None
    return _pointed_record(table, reference)


def _pointed_record(table: TypeTable, reference: str) -> str | None:
    """The struct or union that a pointer leads to, if that may be written."""
    found = table.plain(reference)
    if not isinstance(found, CPointer) or table.is_const(found.target):
        return None
    return table.record_name(found.target) if isinstance(table.plain(found.target), Record) else None


def _need(table: TypeTable, reference: str) -> str | None:
    """Nothing for what can be drawn by itself: numbers, text, bytes, callbacks, streams; the type of an object of the
    project; None for all else."""
    found = table.plain(reference)
    match found:
        case Basic() | Enumeration():
            return ""
        case Record():
            name = table.record_name(reference)
            return by_value(name) if name is not None else None
        case CPointer(target):
            match table.plain(target):
                case CVoid() | Signature() | Basic(size=1):
                    return ""
                case Record(tag=tag) if tag in STREAMS:
                    return ""
                case Record():
                    return table.record_name(target)
    return None


def wanted_records(module: Module, functions: list[str], known: Candidates) -> set[str]:
    """Types that parameters of these functions have or point to, and what it takes to make those."""
    table = module.types.table
    infos = [info for name in functions if (info := module.function(name)) is not None]
    found = {need for info in infos for each in info.signature.parameters if (need := _need(table, each))}
    return found | {need for record in found for each in known.get(record, ()) for need in each.needs}


def usable(known: Candidates, records: set[str], source: SourceFile) -> dict[str, list[MakerCandidate]]:
    """What a file may call: its own functions, and the exported ones of others."""
    return {
        record: [each for each in known[record] if each.exported or each.source == source]
        for record in sorted(records & known.keys())
    }


def called_functions(makers: Candidates) -> set[str]:
    return {each.function for entries in makers.values() for each in entries if each.function}


def type_makers(found: Candidates, module: Module) -> dict[str, TypeMakers]:
    """In the types of one file, as far as it declares the functions."""
    complete = _complete_records(module.types.table)
    known: dict[str, list[tuple[MakerCandidate, MakerTemplate]]] = {}
    for record, entries in found.items():
        # What is filled in place needs its size.
        possible = [each for each in entries if not each.given or each.changes or record in complete]
        known[record] = [(each, template) for each in possible if (template := _template(each, module)) is not None]
    levels = _levels(known)
    result = {}
    for record, pairs in known.items():
        leveled = [(each, replace(template, level=_level(each, levels))) for each, template in pairs]
        possible_pairs = [(each, template) for each, template in leveled if template.level <= HIGHEST_LEVEL]
        makers = [template for each, template in possible_pairs if not each.changes]
        setters = [(each.adds, template) for each, template in possible_pairs if each.changes]
        if makers:
            grown = list(_chains(record, makers, module.types.table))
            adding = frozenset(template.function for adds, template in setters if adds)
            changing = tuple(template for _, template in setters)
            result[record] = TypeMakers((*_most(makers, bool(grown)), *grown), changing, adding)
    return result


def _chains(record: str, makers: Sequence[MakerTemplate], table: TypeTable) -> Iterator[MakerTemplate]:
    """Values with something in them: functions that are given a value and return it with more, once and twice. Their
    names say what they add to: `list_append` adds to what `list` makes. One for each, which takes most values and else
    least."""
    plain = [each.function for each in makers if not each.level]
    changing = [each for each in makers if each.level and CHANGES.search(in_words(each.function))]
    taking = [each for each in changing if _takes(record, each, table)]
    found: dict[str, MakerTemplate] = {}
    for each in sorted(taking, key=lambda each: _put_in(each, table)):
        if names := [name for name in plain if each.function.startswith(f"{name}_")]:
            found.setdefault(max(names, key=len), each)
    chosen = [(each, name) for name, each in found.items()][:MOST_CHAINED]
    yield from (replace(each, level=1, first=(name,)) for each, name in chosen)
    yield from (replace(each, level=2, first=(each.function,)) for each, _ in chosen)


def _put_in(template: MakerTemplate, table: TypeTable) -> tuple[int, int]:
    values = sum(isinstance(table.plain(each), Record) for each in template.types)
    return -values, len(template.types)


def _takes(record: str, template: MakerTemplate, table: TypeTable) -> bool:
    """Whether its first argument is such a value."""
    name = table.record_name(template.types[0])
    return isinstance(table.plain(template.types[0]), Record) and name is not None and by_value(name) == record


def _levels(known: Mapping[str, list[tuple[MakerCandidate, MakerTemplate]]]) -> dict[str, int]:
    """How many functions it takes, one within the other, to make an object of each type; 0 if one does that alone."""
    levels: dict[str, int] = {}
    for level in range(HIGHEST_LEVEL + 1):
        for record, pairs in known.items():
            if record not in levels and any(_level(each, levels) <= level for each, _ in pairs if not each.changes):
                levels[record] = level
    return levels


def _level(candidate: MakerCandidate, levels: Mapping[str, int]) -> int:
    return max((levels.get(each, HIGHEST_LEVEL) + 1 for each in candidate.needs), default=0)


def _most(makers: list[MakerTemplate], grown: bool) -> tuple[MakerTemplate, ...]:
    """The first ones; where there are many, of `list` and `list_sized` rather the former. `grown`: functions that put
    values into values stand for those that take others."""
    compound = [] if grown else [each for each in makers if each.level][:MOST_COMPOUND]
    plain = [each for each in makers if not each.level]
    names = {each.function for each in plain}
    return (*sorted(plain, key=lambda each: _extends(each, names))[: MOST_MAKERS - len(compound)], *compound)


def _extends(template: MakerTemplate, names: set[str]) -> bool:
    parts = template.function.split("_")
    return any("_".join(parts[:count]) in names for count in range(1, len(parts)))


def _template(candidate: MakerCandidate, module: Module) -> MakerTemplate | None:
    types = _owner_type(candidate, module) if candidate.member else _parameter_types(candidate, module)
    if types is None or any(map(module.types.table.nameless, types)):
        return None
    given, member, nulls = candidate.given, candidate.member, candidate.nulls
    return MakerTemplate(candidate.function, candidate.names, types, given, member=member, nulls=nulls)


def _parameter_types(candidate: MakerCandidate, module: Module) -> tuple[str, ...] | None:
    signature = module.signature(candidate.function)
    if signature is None or len(signature.parameters) != len(candidate.names) + candidate.given:
        return None
    return signature.parameters[1:] if candidate.given else signature.parameters


def _owner_type(candidate: MakerCandidate, module: Module) -> tuple[str, ...] | None:
    """A pointer to the object that has the member, if this file knows that it has."""
    table, owner = module.types.table, candidate.needs[0]
    if owner not in _complete_records(table):
        return None
    pointers = (each for each in table.references() if _pointed_record(table, each) == owner)
    return next(((each,) for each in pointers if not table.nameless(each)), None)


def _complete_records(table: TypeTable) -> set[str]:
    return {
        name
        for reference in table.references()
        if isinstance(record := table.plain(reference), Record)
        and record.members is not None
        and (name := table.record_name(reference)) is not None
    }
