"""Which pointer parameters and members may be NULL: those that the code looks at, or that somebody passes NULL for.

A function that never asks whether a pointer is NULL, and that nobody calls with NULL, takes it for granted that there
is an object: that is a precondition, learnt from the code. That another function asks to which it hands the pointer on
says nothing: that one may have other callers. Members of structs may be NULL if any code compares them with it, or sets
them to it. The facts are read from unoptimised code, in which every
parameter has a place of its own, called after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name

_PARAMETER = re.compile(r"%([\w.$-]+)$")
_LOAD = re.compile(r"^\s*(%[\w.$-]+) = load ptr, ptr %([\w.$-]+)\.addr\b")
_COMPARED = re.compile(r"icmp (?:eq|ne) ptr (%[\w.$-]+), null\b")
_LOAD_AT = re.compile(r"^\s*(%[\w.$-]+) = load ptr, ptr (%[\w.$-]+)\b")
_STORE_NULL = re.compile(r"^\s*store ptr null, ptr (%[\w.$-]+)\b")
# The address of a member: value, struct, pointer to that, number.
MEMBER = re.compile(
    r"^\s*(%[\w.$-]+) = getelementptr (?:inbounds |nuw |nusw )*(%\"?[\w.$-]+\"?), ptr (%[\w.$-]+), i32 0, i32 (\d+)"
)
# Older clangs write casts of pointers, which change nothing.
SAME = re.compile(r"^\s*(%[\w.$-]+) = bitcast ptr (%[\w.$-]+) to ptr\b")
CALL = re.compile(r'\bcall\b[^@(]*(?:\([^)]*\) )?@("[^"]*"|[-\w$.]+)\((.*)\)')
NULL = "null"
Known = TypeVar("Known")


@dataclass(slots=True)
class NullFacts:
    """Of one or more files: parameters that are compared with NULL, by function; NULLs that are passed, by callee and
    position; members that are compared with NULL or set to it, by struct and number."""

    parameters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    compared: dict[str, set[str]] = field(default_factory=dict)
    passed: set[tuple[str, int]] = field(default_factory=set)
    members: set[tuple[str, int]] = field(default_factory=set)

    def add(self, other: NullFacts) -> None:
        self.parameters |= other.parameters
        self.compared |= other.compared
        self.passed |= other.passed
        self.members |= other.members

    def nullable(self) -> dict[str, frozenset[str]]:
        """Parameters that may be NULL, by function."""
        found = {name: set(self.compared.get(name, ())) for name in self.parameters}
        for callee, position in self.passed:
            if position < len(self.parameters.get(callee, ())):
                found[callee].add(self.parameters[callee][position])
        return {name: frozenset(parameters) for name, parameters in found.items()}


def null_facts(functions: Iterable[FunctionText]) -> NullFacts:
    """What the code of these functions says."""
    facts = NullFacts()
    for function in functions:
        name = plain_name(function.name)
        facts.parameters[name] = parameter_names(function)
        _note_body(name, function.lines, facts)
    return facts


def parameter_names(function: FunctionText) -> tuple[str, ...]:
    """In order; without a name where the compiler has made another one of it."""
    listed = function.header.partition("(")[2].rpartition(")")[0]
    found = (_PARAMETER.search(part) for part in _split(listed))
    return tuple(name[1] if name else "" for name in found)


def _note_body(name: str, lines: Iterable[str], facts: NullFacts) -> None:
    held: dict[str, str] = {}  # values that were loaded from a parameter's place
    places: dict[str, tuple[str, int]] = {}  # addresses of members
    loaded_members: dict[str, tuple[str, int]] = {}
    for line in lines:
        if loaded := _LOAD.match(line):
            held[loaded[1]] = loaded[2]
        elif same := SAME.match(line):
            note_same(same, held)
            note_same(same, places)
            note_same(same, loaded_members)
        elif (address := MEMBER.match(line)) is not None:
            places[address[1]] = (bare_struct(address[2]), int(address[4]))
        elif (value := _LOAD_AT.match(line)) is not None and value[2] in places:
            loaded_members[value[1]] = places[value[2]]
        elif compared := _COMPARED.search(line):
            if compared[1] in held:
                facts.compared.setdefault(name, set()).add(held[compared[1]])
            if compared[1] in loaded_members:
                facts.members.add(loaded_members[compared[1]])
        elif (cleared := _STORE_NULL.search(line)) is not None and cleared[1] in places:
            facts.members.add(places[cleared[1]])
        elif called := CALL.search(line):
            callee = plain_name(called[1])
            facts.passed |= {(callee, place) for place, value in enumerate(arguments(called)) if value == NULL}


def note_same(same: re.Match[str], known: dict[str, Known]) -> None:
    """A value that is another one by a second name."""
    if same[2] in known:
        known[same[1]] = known[same[2]]


def bare_struct(name: str) -> str:
    """`%struct.node` or `%union.node.12` as the source calls it."""
    return re.sub(r"\.\d+$", "", name.strip('%"').removeprefix("struct.").removeprefix("union."))


def arguments(called: re.Match[str]) -> list[str]:
    """The values that a call has been given."""
    return [part.rpartition(" ")[2] for part in _split(called[2])]


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
