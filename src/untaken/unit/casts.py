"""What void pointers really are: the struct that the code takes a parameter for.

Handles of libraries and arguments of callbacks are declared as `void *`, and the function casts them first thing. That
is read from unoptimised code: the value of the parameter, also after it was put into a local variable, has a member of
some struct addressed. Where a parameter is only handed on, the function that gets it says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name
from untaken.unit.nulls import CALL, MEMBER, SAME, arguments, bare_struct, note_same, parameter_names

_LOAD = re.compile(r"^\s*(%[\w.$-]+) = load ptr, ptr (%[\w.$-]+)\b")
_STORE = re.compile(r"^\s*store ptr (%[\w.$-]+), ptr (%[\w.$-]+)\b")
ParameterName = tuple[str, str]  # function and name


@dataclass(slots=True)
class CastFacts:
    """Of one or more files: structs by parameter, and where parameters are handed on to, by callee and position."""

    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    structs: dict[ParameterName, str] = field(default_factory=dict)
    handed_on: dict[ParameterName, list[tuple[str, int]]] = field(default_factory=dict)

    def add(self, other: CastFacts) -> None:
        self.names |= other.names
        self.structs |= other.structs
        self.handed_on |= other.handed_on

    def casts(self, function: str) -> dict[str, str]:
        """By parameter, the struct that it is taken for."""
        found = ((name, self._struct((function, name), set())) for name in self.names.get(function, ()))
        return {name: struct for name, struct in found if struct is not None}

    def _struct(self, parameter: ParameterName, seen: set[ParameterName]) -> str | None:
        if parameter in self.structs or parameter in seen:
            return self.structs.get(parameter)
        seen.add(parameter)
        for callee, position in self.handed_on.get(parameter, ()):
            names = self.names.get(callee, ())
            if position < len(names) and (struct := self._struct((callee, names[position]), seen)) is not None:
                return struct
        return None


def cast_facts(functions: Iterable[FunctionText]) -> CastFacts:
    """What the code of these functions says."""
    facts = CastFacts()
    for function in functions:
        name = plain_name(function.name)
        facts.names[name] = parameter_names(function)
        _note_body(name, function.lines, facts)
    return facts


def _note_body(function: str, lines: Iterable[str], facts: CastFacts) -> None:
    slots = {f"%{name}.addr": name for name in facts.names[function]}  # variables that hold a parameter
    held: dict[str, str] = {}  # values that are one
    for line in lines:
        if (loaded := _LOAD.match(line)) is not None and loaded[2] in slots:
            held[loaded[1]] = slots[loaded[2]]
        elif same := SAME.match(line):
            note_same(same, held)
        elif (stored := _STORE.match(line)) is not None and stored[1] in held:
            slots.setdefault(stored[2], held[stored[1]])
        elif (address := MEMBER.match(line)) is not None and address[3] in held:
            facts.structs.setdefault((function, held[address[3]]), bare_struct(address[2]))
        elif called := CALL.search(line):
            for position, value in enumerate(arguments(called)):
                if value in held:
                    facts.handed_on.setdefault((function, held[value]), []).append((plain_name(called[1]), position))
