"""Which pointer parameters may be NULL: those that the code looks at, or that somebody passes NULL for.

A function that never asks whether a pointer is NULL, and that nobody calls with NULL, takes it for granted that there
is an object: that is a precondition, learnt from the code. The facts are read from unoptimised code, in which every
parameter has a place of its own, called after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name

FREES = {"free", "realloc"}  # of the C library: NULL is fine
_PARAMETER = re.compile(r"%([\w.$-]+)$")
_LOAD = re.compile(r"^\s*(%[\w.$-]+) = load ptr, ptr %([\w.$-]+)\.addr\b")
_COMPARED = re.compile(r"icmp (?:eq|ne) ptr (%[\w.$-]+), null\b")
_CALL = re.compile(r'\bcall\b[^@(]*(?:\([^)]*\) )?@("[^"]*"|[-\w$.]+)\((.*)\)')
NULL = "null"


@dataclass(slots=True)
class NullFacts:
    """Of one or more files: parameters that are compared with NULL, by function; NULLs that are passed, and parameters
    that are handed on, by callee and position."""

    parameters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    compared: dict[str, set[str]] = field(default_factory=dict)
    passed: set[tuple[str, int]] = field(default_factory=set)
    handed_on: set[tuple[str, str, str, int]] = field(default_factory=set)  # function, parameter, callee, position

    def add(self, other: NullFacts) -> None:
        self.parameters |= other.parameters
        self.compared |= other.compared
        self.passed |= other.passed
        self.handed_on |= other.handed_on

    def nullable(self) -> dict[str, frozenset[str]]:
        """Parameters that may be NULL, by function: also those that are only handed on to where they may."""
        found = {name: set(self.compared.get(name, ())) for name in self.parameters}
        for callee, position in self.passed:
            if position < len(self.parameters.get(callee, ())):
                found[callee].add(self.parameters[callee][position])
        changed = True
        while changed:
            changed = False
            for function, parameter, callee, position in sorted(self.handed_on):
                if parameter not in found[function] and self._may_be_null(callee, position, found):
                    found[function].add(parameter)
                    changed = True
        return {name: frozenset(parameters) for name, parameters in found.items()}

    def _may_be_null(self, callee: str, position: int, found: dict[str, set[str]]) -> bool:
        if callee in FREES:
            return True
        names = self.parameters.get(callee, ())
        return position < len(names) and names[position] in found[callee]


def null_facts(functions: Iterable[FunctionText]) -> NullFacts:
    """What the code of these functions says."""
    facts = NullFacts()
    for function in functions:
        name = plain_name(function.name)
        listed = function.header.partition("(")[2].rpartition(")")[0]
        facts.parameters[name] = tuple(_parameters(listed))
        _note_body(name, function.lines, facts)
    return facts


def _parameters(listed: str) -> Iterator[str]:
    for part in _split(listed):
        found = _PARAMETER.search(part)
        yield found[1] if found else ""


def _note_body(name: str, lines: Iterable[str], facts: NullFacts) -> None:
    held: dict[str, str] = {}  # values that were loaded from a parameter's place
    for line in lines:
        if loaded := _LOAD.match(line):
            held[loaded[1]] = loaded[2]
        elif (compared := _COMPARED.search(line)) and compared[1] in held:
            facts.compared.setdefault(name, set()).add(held[compared[1]])
        elif called := _CALL.search(line):
            _note_call(name, called, held, facts)


def _note_call(name: str, called: re.Match[str], held: dict[str, str], facts: NullFacts) -> None:
    callee = plain_name(called[1])
    for position, part in enumerate(_split(called[2])):
        value = part.rpartition(" ")[2]
        if value == NULL:
            facts.passed.add((callee, position))
        elif value in held:
            facts.handed_on.add((name, held[value], callee, position))


def _split(listed: str) -> list[str]:
    """At commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(listed):
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append(listed[start:place].strip())
            start = place + 1
    rest = listed[start:].strip()
    return [*parts, rest] if rest else parts
