"""Which numbers code uses as an index: parameters, members of structs, and elements of what members lead to.

Nearly all values of a number lie outside of any array that a driver builds, and a run that reads there crashes before
it has shown anything. So such numbers are small more often than not. Read from unoptimised code: a value is followed
from its variable through sums with constants and conversions to the address that it is part of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name
from untaken.unit.members import StructMember
from untaken.unit.nulls import CALL, MEMBER, arguments, bare_struct, parameter_names
from untaken.unit.parameter_uses import ParameterUses

_LOAD = re.compile(r"^\s*(%[\w.$-]+) = load (ptr|i\d+), ptr (%[\w.$-]+)")
_STORE = re.compile(r"^\s*store (?:ptr|i\d+) (%[\w.$-]+), ptr (%[\w.$-]+)")
_SAME = re.compile(r"^\s*(%[\w.$-]+) = (?:sext|zext|trunc|bitcast) \S+ (%[\w.$-]+) to ")
_SUM = re.compile(r"^\s*(%[\w.$-]+) = (?:add|sub) (?:nsw |nuw )*i\d+ (%[\w.$-]+), -?\d+")
_ELEMENT = re.compile(
    r"^\s*(%[\w.$-]+) = getelementptr [^%\[]*(?:%\"?[\w.$-]+\"?|\[[^\]]*\]|\w+), ptr (%[\w.$-]+), (.*)"
)
_INDEX = re.compile(r"i\d+ (%[\w.$-]+)")


class OriginKind(Enum):
    """Of what a number is a part."""

    PARAMETER = "parameter"
    MEMBER = "member"
    ELEMENT = "element"  # of what the member leads to
    POINTER = "pointer"  # no number: what the member holds


@dataclass(frozen=True, slots=True)
class ValueOrigin:
    """Where a value comes from: a parameter by its name, or a member."""

    part: OriginKind
    name: str = ""
    member: StructMember = ("", 0)


@dataclass(slots=True)
class IndexFacts:
    """Of all files of a project."""

    parameters: ParameterUses = field(default_factory=ParameterUses)
    members: set[StructMember] = field(default_factory=set)
    elements: set[StructMember] = field(default_factory=set)

    def add(self, functions: Iterable[FunctionText]) -> None:
        """Adds what the functions of one file do with numbers."""
        for function in functions:
            name = plain_name(function.name)
            self.parameters.names[name] = parameter_names(function)
            followed = _FollowedNumbers(name, self)
            for line in function.lines:
                followed.note(line)

    def of(self, function: str) -> frozenset[str]:
        """Parameters that a function uses as an index, or hands on to one that does."""
        return self.parameters.of(function)

    def note(self, function: str, origin: ValueOrigin) -> None:
        match origin.part:
            case OriginKind.PARAMETER:
                self.parameters.used.add((function, origin.name))
            case OriginKind.MEMBER:
                self.members.add(origin.member)
            case OriginKind.ELEMENT:
                self.elements.add(origin.member)


@dataclass(slots=True)
class _FollowedNumbers:
    """Values and variables of one function, with where they come from."""

    function: str
    facts: IndexFacts
    _held: dict[str, ValueOrigin] = field(default_factory=dict)
    _slots: dict[str, ValueOrigin] = field(default_factory=dict)
    _places: dict[str, StructMember] = field(default_factory=dict)  # addresses of members

    def __post_init__(self) -> None:
        names = self.facts.parameters.names[self.function]
        self._slots = {f"%{name}.addr": ValueOrigin(OriginKind.PARAMETER, name) for name in names if name}

    def note(self, line: str) -> None:
        if (loaded := _LOAD.match(line)) is not None:
            self._load(loaded[1], loaded[2], loaded[3])
        elif (stored := _STORE.match(line)) is not None:
            if stored[1] in self._held:
                self._slots.setdefault(stored[2], self._held[stored[1]])
        elif (same := _SAME.match(line) or _SUM.match(line)) is not None:
            self._move(same[2], same[1])
        elif (address := MEMBER.match(line)) is not None:
            self._places[address[1]] = (bare_struct(address[2]), int(address[4]))
        elif (element := _ELEMENT.match(line)) is not None:
            self._move(element[2], element[1])
            for value in _INDEX.findall(element[3]):
                if value in self._held:
                    self.facts.note(self.function, self._held[value])
        elif (called := CALL.search(line)) is not None:
            self._hand_on(called)

    def _load(self, into: str, kind: str, place: str) -> None:
        number = kind != "ptr"
        if place in self._slots:
            self._held[into] = self._slots[place]
        elif place in self._places:
            self._held[into] = ValueOrigin(
                OriginKind.MEMBER if number else OriginKind.POINTER, member=self._places[place]
            )
        elif number and place in self._held and self._held[place].part is OriginKind.POINTER:
            self._held[into] = ValueOrigin(OriginKind.ELEMENT, member=self._held[place].member)

    def _move(self, value: str, into: str) -> None:
        if value in self._held:
            self._held[into] = self._held[value]

    def _hand_on(self, called: re.Match[str]) -> None:
        for position, value in enumerate(arguments(called)):
            if value in self._held and self._held[value].part is OriginKind.PARAMETER:
                parameter = self.function, self._held[value].name
                self.facts.parameters.hand_on(parameter, plain_name(called[1]), position)
