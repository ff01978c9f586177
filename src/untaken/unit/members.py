"""Which members of structs code looks at: of the others it does not matter what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name
from untaken.unit.nulls import MEMBER, bare_struct

StructMember = tuple[str, int]  # struct and number


@dataclass(slots=True)
class MemberFacts:
    """Of all files of a project: the members that each function mentions, and what else it mentions."""

    mentioned: dict[str, frozenset[StructMember]] = field(default_factory=dict)
    uses: dict[str, set[str]] = field(default_factory=dict)

    def add(self, functions: Iterable[FunctionText], uses: Mapping[str, set[str]]) -> None:
        """What one file says; functions of the same name in several files are taken together."""
        for function in functions:
            name = plain_name(function.name)
            self.mentioned[name] = self.mentioned.get(name, frozenset()) | _mentioned(function.lines)
        for name, used in uses.items():
            self.uses.setdefault(name, set()).update(used)

    def used(self, function: str) -> frozenset[StructMember]:
        """What the function itself mentions."""
        return self.mentioned.get(function, frozenset())

    def reached(self, function: str) -> frozenset[StructMember]:
        """What the function mentions, or any that it may lead to."""
        return frozenset().union(*(self.used(name) for name in self.led_to(function)))

    def led_to(self, function: str) -> set[str]:
        """Functions and variables that a function may lead to, and itself."""
        seen, waiting = {function}, [function]
        while waiting:
            fresh = self.uses.get(waiting.pop(), set()) - seen
            seen |= fresh
            waiting += fresh
        return seen


def _mentioned(lines: Iterable[str]) -> frozenset[StructMember]:
    found = map(MEMBER.match, lines)
    return frozenset((bare_struct(address[2]), int(address[4])) for address in found if address is not None)
