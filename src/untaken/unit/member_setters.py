"""What no function of the project sets: numbers in an object after it was made, as assignments to its members.

An object that the project's own functions make is in one of few states. The code under test asks for others, which it
takes long sequences of calls, a file or a failure of the system to get to. So members that it looks at can be set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from untaken.unit.shape import MakerCall, Shape, Variable
from untaken.unit.types import Basic, Enumeration, Record, TypeTable

MOST = 10  # of a type
VALUE = "value"


@dataclass(frozen=True, slots=True)
class MemberSetters:
    """`used` are the members that the code looks at, by struct and number; `shaped` says how a number of a type and a
    name is drawn, and `name` stands for the name in a declaration."""

    table: TypeTable
    used: frozenset[tuple[str, int]]
    shaped: Callable[[str, str], Shape]
    name: str

    def of(self, target: str, through: str) -> tuple[MakerCall, ...]:
        """For objects of a type; `through` is the pointer that they are taken for, if that is another."""
        return tuple(islice((self._assignment(*found, through) for found in self._numbers(target, "")), MOST))

    def _numbers(self, reference: str, outer: str) -> Iterator[tuple[str, str]]:
        """Places in the object and their types; also in structs that lie in it."""
        record, bare = self.table.plain(reference), self.table.bare_name(reference)
        if not isinstance(record, Record) or record.union or bare is None:
            return
        if any(member.bits is not None for member in record.members or ()):
            return  # the compiler numbers these otherwise
        for number, member in enumerate(record.members or ()):
            if (bare, number) in self.used and member.name and not self.table.is_const(member.type):
                place = f"{outer}{member.name}"
                match self.table.plain(member.type):
                    case Basic() | Enumeration() if not self.table.nameless(member.type):
                        yield place, member.type
                    case Record():
                        yield from self._numbers(member.type, f"{place}.")

    def _assignment(self, place: str, reference: str, through: str) -> MakerCall:
        own = self.table.unqualified(reference)
        value = Variable(VALUE, self.table.declaration(own, self.name), self.shaped(own, place.rpartition(".")[2]))
        return MakerCall("", (value,), given=True, member=place, through=through)
