"""What the files of a project say about each other's functions: who may be given NULL, what is a length."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import islice
from pathlib import Path

from untaken.errors import UntakenError
from untaken.unit.allocators import AllocatorFacts
from untaken.unit.arrays import WalkFacts, guessed_arrays
from untaken.unit.casts import CastFacts, cast_facts
from untaken.unit.debug_types import FunctionInfo
from untaken.unit.getters import getters
from untaken.unit.indices import IndexFacts
from untaken.unit.kinds import KindFacts
from untaken.unit.looking import LookingFacts
from untaken.unit.members import MemberFacts
from untaken.unit.named_numbers import NamedNumbers, named_numbers
from untaken.unit.nulls import NullFacts, null_facts
from untaken.unit.options import ALL, Extent, Indices, UnitOptions
from untaken.unit.preparers import asks_callbacks, locales, preparers
from untaken.unit.probe import Module, compile_module, defined_functions
from untaken.unit.project.callbacks import CallbackType, callback_types, function_type
from untaken.unit.project.makers import Candidates, candidates
from untaken.unit.project.public import is_for_callers
from untaken.unit.project.results import Extents
from untaken.unit.project.sources import SourceFile
from untaken.unit.shape import ERRNO, NAME, Precondition, Preparer
from untaken.unit.types import CPointer, CType, CVoid, Record, RecordPlace, TypeTable
from untaken.unit.usual_arguments import UsualArguments

NODES_A_FUNCTION = 500  # a driver has all functions of a file, and is compiled with instrumentation
LINE = re.compile(r'^#[ \t]*line[ \t]+\d+[ \t]+"([^"\n]+)"', re.MULTILINE)
HIDDEN = re.compile(r"define [^@]*\bhidden\b")
DECISION = re.compile(r"^\s*(?:br i1|switch) ")
WORD = re.compile(rb"[!#-$&-~]{1,16}")  # no quotes, no percent signs, no spaces
MOST_WORDS = 6


@dataclass(slots=True)
class Survey:
    """Of all files that can be compiled."""

    modules: dict[SourceFile, Module] = field(default_factory=dict)
    nullable: Mapping[str, frozenset[str]] = field(default_factory=dict)
    null_members: frozenset[tuple[str, int]] = frozenset()  # by struct and number
    casts: CastFacts = field(default_factory=CastFacts)
    members: MemberFacts = field(default_factory=MemberFacts)
    allocators: AllocatorFacts = field(default_factory=AllocatorFacts)
    numbers: dict[SourceFile, NamedNumbers] = field(default_factory=dict)
    indices: IndexFacts = field(default_factory=IndexFacts)
    makers: Candidates = field(default_factory=dict)  # by type
    looking: LookingFacts = field(default_factory=LookingFacts)
    getters: dict[RecordPlace, list[str]] = field(default_factory=dict)
    usual: UsualArguments = field(default_factory=UsualArguments)
    kinds: KindFacts = field(default_factory=KindFacts)
    walks: WalkFacts = field(default_factory=WalkFacts)
    callbacks: frozenset[CallbackType] = frozenset()
    asked: Mapping[str, frozenset[str]] = field(default_factory=dict)  # parameters that are compared with NULL
    extents: Extents = field(default_factory=dict)
    reached: dict[str, frozenset[tuple[str, int]]] = field(default_factory=dict)  # members, by function; as asked for

    def is_exported(self, source: SourceFile, function: str) -> bool:
        header = self.modules[source].functions[function].header
        return not header.startswith(("define internal", "define private"))

    def is_for_callers(self, source: SourceFile, function: str) -> bool:
        """Whether callers of the library can call it: it is exported, not hidden from those who link with the library,
        and not declared by a private header alone."""
        hidden = HIDDEN.match(self.modules[source].functions[function].header) is not None
        exported = self.is_exported(source, function) and not hidden
        return exported and is_for_callers(function, source.path, source.flags)

    def is_callback(self, source: SourceFile, function: str) -> bool:
        """Whether a function is one that the library is given to call."""
        module = self.modules[source]
        info = module.function(function)
        if info is None or not self.kinds.ignores(function):
            return False
        return function_type(info.signature, module.types.table) in self.callbacks

    def exports(self, function: str) -> bool:
        """Whether any file has an exported function of this name."""
        return any(function in module.functions and self.is_exported(source, function)
                   for source, module in self.modules.items())  # fmt: skip

    def options(self, source: SourceFile, info: FunctionInfo, table: TypeTable, base: UnitOptions) -> UnitOptions:
        """What is known about the arguments of a function, beside what the user says; it does not make its own."""
        pointers = [
            name
            for name, reference in zip(info.parameters, info.signature.parameters, strict=True)
            if isinstance(table.plain(reference), CPointer) and not table.is_argument_list(reference)
        ]
        never = frozenset(pointers) - self.nullable.get(info.name, frozenset())
        casts = self._casts(info, table)
        arrays = {
            **{
                place: extent
                for place, extent in self._guessed(info, table).items()
                if place not in casts and not self._is_text_alone(info, place, extent.length)
            },
            **{place: Extent(most) for place, most in self.extents.get((source.name, info.name), {}).items()},
            **{place: extent for place, extent in base.arrays.items() if place in pointers},
        }
        makers = {
            name: known.without(info.name).nearest(self._nearness(info.name)) for name, known in base.makers.items()
        }
        return replace(
            base,
            file=source.path,
            function=info.name,
            stubs=frozenset({ALL}),
            flags=source.flags,
            arrays=arrays,
            not_null=never | base.not_null,
            null_members=self.null_members,
            casts=casts,
            variadic=True,
            most_nodes=NODES_A_FUNCTION,
            makers=makers,
            keys=frozenset(info.parameters) & frozenset().union(*(each.names for each in makers.values())),
            used_members=self.members.used(info.name),
            reached_members=self.members.reached(info.name),
            indices=self._indices(info.name),
            numbers=self.numbers[source],
            usual=self.usual.of,
            globals=base.globals or self._globals(source, info.name),
            preparers=self.preparers(source, info.name),
            preconditions=self.preconditions(info, table, arrays),
            texts=_words(self.modules[source].texts(info.name)),
            fail_malloc=base.fail_malloc or self._may_run_out(source, info.name),
        )

    def _guessed(self, info: FunctionInfo, table: TypeTable) -> dict[str, Extent]:
        return guessed_arrays(info, table, self.walks.uses.of(info.name), self.kinds.only_divides(info.name))

    def preconditions(
        self, info: FunctionInfo, table: TypeTable, arrays: Mapping[str, Extent]
    ) -> tuple[Precondition, ...]:
        """What a function takes for granted: kinds of objects, indices within tables, that there is nothing where NULL
        is, and divisors that no caller in the project passes zero for."""
        found = list(self.kinds.preconditions(info, table, self.looking.only_looks))
        unasked = self.nullable.get(info.name, frozenset()) - self.asked.get(info.name, frozenset())
        after = dict(zip(info.parameters, info.parameters[1:], strict=False))
        for place, extent in arrays.items():
            if place in unasked and extent.length is not None and after.get(place) == extent.length:
                found.append(Precondition(place, f"({NAME}{place} || !{NAME}{extent.length})"))
        for place in sorted(self.kinds.unchecked_divisors(info.name)):
            position = info.parameters.index(place)
            usual = self.usual.of(info.name, len(info.parameters), position, place)
            if usual.always and usual.numbers and 0 not in usual.numbers:
                found.append(Precondition(place, f"({NAME}{place} != 0)"))
        return tuple(found)

    def preparers(self, source: SourceFile, function: str) -> tuple[Preparer, ...]:
        module = self.modules[source]
        own = preparers(function, module.functions, module.reached(function))
        return (*own, *locales(self.members.led_to(function)))

    def _globals(self, source: SourceFile, function: str) -> tuple[str, ...]:
        module = self.modules[source]
        return (ERRNO,) if asks_callbacks(function, module.functions, module.reached(function)) else ()

    def _is_text_alone(self, info: FunctionInfo, pointer: str, number: str | None) -> bool:
        """Whether callers say that the number beside a pointer is not how many bytes there are."""
        if number is None:
            return False
        count, places = len(info.parameters), map(info.parameters.index, (pointer, number))
        text, length = (self.usual.of(info.name, count, place, info.parameters[place]) for place in places)
        return text.is_not_counted_by(length)

    def _nearness(self, function: str) -> Callable[[str], int]:
        """How many of the members that a function looks at another one leads to."""
        used = self.members.used(function)
        return lambda other: len(used & self._reached(other))

    def _reached(self, function: str) -> frozenset[tuple[str, int]]:
        if function not in self.reached:
            self.reached[function] = self.members.reached(function)
        return self.reached[function]

    def is_plain(self, source: SourceFile, function: str) -> bool:
        """Whether a function has no branches of its own, and no static function depends on it to be reached by callers:
        what else it calls is explored by itself."""
        if self.decides(source, function):
            return False
        own = self.modules[source].functions
        static = (name for name in self.members.led_to(function) if name in own and not self.is_exported(source, name))
        return not (self.is_exported(source, function) and any(self.decides(source, name) for name in static))

    def decides(self, source: SourceFile, function: str) -> bool:
        """Whether a function has branches of its own."""
        return any(DECISION.match(line) for line in self.modules[source].functions[function].lines)

    def is_undecided(self, function: str) -> bool:
        """Whether the project has a function of this name, and none that has branches of its own."""
        there = [source for source, module in self.modules.items() if function in module.functions]
        return bool(there) and not any(self.decides(source, function) for source in there)

    def _indices(self, function: str) -> Indices:
        known = self.indices
        return Indices(known.of(function), frozenset(known.members), frozenset(known.elements))

    def _may_run_out(self, source: SourceFile, function: str) -> bool:
        """Whether failing allocations may lead a function somewhere else: it decides something, and some code that it
        leads to answers them."""
        return self.decides(source, function) and self.allocators.may_run_out(self.members.led_to(function))

    def _casts(self, info: FunctionInfo, table: TypeTable) -> dict[str, str]:
        """Of void pointers, and of those to structs that the file does not define, or that begin a larger one."""
        known = self.casts.casts(info.name)
        parameters = zip(info.parameters, info.signature.parameters, strict=True)
        return {
            name: known[name]
            for name, reference in parameters
            if name in known
            and (record := table.complete_record(known[name])) is not None
            and _is_handle(table, reference, table.plain(record))
        }


def _words(texts: Iterable[bytes]) -> tuple[str, ...]:
    """Those that may be keys or keywords, and no messages."""
    found = (text.decode() for text in texts if WORD.fullmatch(text))
    return tuple(islice(found, MOST_WORDS))


def survey(sources: Sequence[SourceFile], note: Callable[[str], None]) -> Survey:
    """Compiles each file to look at it."""
    found, facts = Survey(), NullFacts()
    for source in sources:
        try:
            with redirect_stderr(StringIO()):
                module = compile_module(source.path, source.flags)
        except UntakenError:
            note(f"{source.path.name} is left out: it does not compile")
            continue
        found.modules[source] = module
        found.numbers[source] = named_numbers(source.path, source.flags)
        facts.add(null_facts(module.functions.values()))
        found.casts.add(cast_facts(module.functions.values()))
        found.members.add(module.functions.values(), module.uses)
        found.allocators.add(source.name, module.functions)
        found.indices.add(module.functions.values())
        found.looking.add(module.functions.values())
        found.walks.add(module.functions.values())
    for module in found.modules.values():
        found.usual.add(module.functions.values(), module.strings)
    found.kinds.add(function for module in found.modules.values() for function in module.functions.values())
    found.callbacks = callback_types(module.types.table for module in found.modules.values())
    found.asked = {name: frozenset(parameters) for name, parameters in facts.compared.items()}
    found.nullable, found.null_members = facts.nullable(), frozenset(facts.members)
    own = {source: (module, own_functions(module, source.path)) for source, module in found.modules.items()}
    found.makers = candidates(own, found.nullable)
    found.getters = getters(own.values(), found.looking)
    return found


def own_functions(module: Module, path: Path) -> list[str]:
    """Those that the file itself defines, not its headers."""
    wanted, generated = os.path.realpath(path), _line_names(path)
    return [
        name
        for name in defined_functions(module)
        if (info := module.function(name)) is not None
        and (os.path.realpath(info.file) == wanted or os.path.basename(info.file) in generated)
    ]


def _line_names(path: Path) -> frozenset[str]:
    """What a generated file says that its lines come from: parser.y, or itself by a name from another folder."""
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return frozenset()
    return frozenset(map(os.path.basename, LINE.findall(text)))


def _is_handle(table: TypeTable, reference: str, taken_for: CType) -> bool:
    pointer = table.plain(reference)
    target = table.plain(pointer.target) if isinstance(pointer, CPointer) else None
    if not isinstance(target, Record) or target.members is None:
        return isinstance(target, CVoid | Record)
    return isinstance(taken_for, Record) and taken_for.size > target.size
