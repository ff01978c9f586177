"""What functions take for granted of an object's kind, or of an index.

A member that is compared with constants, one for each kind of object, is a tag. Where the functions that use a part
which only some kinds have look at the tag first, one that does not takes for granted that somebody else did. So does
one that follows what a getter says of its argument, which is NULL for objects of another kind, and one that uses a
number as an index into a table without any comparison. Read from unoptimised code of all files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name
from untaken.unit.debug_types import FunctionInfo
from untaken.unit.members import StructMember
from untaken.unit.nulls import CALL, MEMBER, arguments, bare_struct, parameter_names
from untaken.unit.shape import NAME, Precondition
from untaken.unit.types import CPointer, CType, Record, TypeTable

LEAST_KINDS = 3  # constants that a tag is compared with
LEAST_WITNESSES = 2  # functions that look at the tag before they use a part of the object
_LOAD = re.compile(r"^\s*(%[\w.$-]+) = load (ptr|i\d+), ptr (%[\w.$-]+)")
_STORE = re.compile(r"^\s*store (?:ptr|i\d+) (%[\w.$-]+), ptr (%[\w.$-]+)")
_SAME = re.compile(r"^\s*(%[\w.$-]+) = (?:sext|zext|trunc|bitcast|freeze) (?:\S+ )?(%[\w.$-]+)(?: to |$|,)")
_SUM = re.compile(r"^\s*(%[\w.$-]+) = (add|sub) (?:nsw |nuw )*i(?:32|64) ([%\w.$-]+), ([%\w.$-]+)")
_COMPARED = re.compile(r"^\s*%[\w.$-]+ = icmp (?:samesign )?(\w+) (?:ptr|i\d+) ([%@\w.$-]+), ([%@\w.$-]+)")
_SWITCH = re.compile(r"^\s*switch i\d+ (%[\w.$-]+),")
_DIVISION = re.compile(r"^\s*%[\w.$-]+ = [us](?:div|rem) (?:exact )?i\d+ ([%\w.$-]+), (%[\w.$-]+)")
_VALUE = re.compile(r"%[\w.$-]+")
_CASE = re.compile(r"^\s*i\d+ (-?\d+), label ")
_RETURN = re.compile(r"^\s*ret (?:ptr|i\d+) (%[\w.$-]+)")
_RESULT = re.compile(r"^\s*(%[\w.$-]+) = ")
_POINTER = re.compile(r"\bcall\b[^@(]*\bptr @")  # is what a call comes to
_TABLE = re.compile(
    r"^\s*%[\w.$-]+ = getelementptr (?:inbounds |nuw |nusw )*\[(\d+) x [^\]]*\], ptr @[^,]+, i\d+ 0, i\d+ (%[\w.$-]+)"
)
_NUMBER = re.compile(r"-?\d+$")


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a value comes from: the parameter, or a member of what it leads to, or what a function says of it; or it is
    the parameter times `sign` and `offset` more. Without a parameter it is a member of some other object."""

    parameter: str = ""
    member: StructMember | None = None
    getter: str = ""
    sign: int = 1
    offset: int = 0

    @property
    def is_parameter(self) -> bool:
        return bool(self.parameter) and self.member is None and not self.getter


@dataclass(slots=True)
class _FunctionUses:
    """What one function does with its parameters, by their names."""

    names: tuple[str, ...]
    structs: dict[str, set[str]] = field(default_factory=dict)  # as which it is used
    tests: dict[tuple[str, StructMember], set[int]] = field(
        default_factory=dict
    )  # constants that a member is compared with
    told: set[tuple[str, StructMember]] = field(default_factory=set)  # the same, by functions that it is handed on to
    tables: dict[str, set[tuple[int, int, int]]] = field(default_factory=dict)  # length, sign and offset of an index
    compared: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)  # it is handed on to a function that compares it
    divides: set[str] = field(default_factory=set)
    counts: set[str] = field(default_factory=set)  # it is used for something else than to divide by it
    kept: set[str] = field(default_factory=set)  # it has a variable; structs may be handed over in parts
    needed: set[str] = field(default_factory=set)  # it is used, and not only handed on to what ignores it
    followed: set[str] = field(default_factory=set)
    getters: dict[tuple[str, str], bool] = field(default_factory=dict)  # whether what one says is compared with NULL
    followed_getters: set[tuple[str, str]] = field(default_factory=set)
    returned: dict[_Origin, None] = field(default_factory=dict)
    equal: set[tuple[str, StructMember, str]] = field(default_factory=set)  # a member, and another parameter


@dataclass(slots=True)
class KindFacts:
    """Of all files of a project."""

    functions: dict[str, _FunctionUses] = field(default_factory=dict)
    constants: dict[StructMember, set[int]] = field(default_factory=dict)
    ordered: set[StructMember] = field(default_factory=set)  # members that are more or less than something: no tags

    def add(self, functions: Iterable[FunctionText]) -> None:
        """Adds what the functions of all files do: as they stand, and again with what is known of those they call."""
        every = list(functions)
        for _ in range(2):
            before = dict(self.functions)
            for function in every:
                self.functions[plain_name(function.name)] = _Follower(function, before, self).uses

    def preconditions(
        self, info: FunctionInfo, table: TypeTable, looks: Callable[[str], bool]
    ) -> tuple[Precondition, ...]:
        """What a function takes for granted of its parameters; `looks` says which functions change nothing."""
        uses = self.functions.get(info.name)
        if uses is None:
            return ()
        found = []
        for name, reference in zip(info.parameters, info.signature.parameters, strict=True):
            pointer = table.plain(reference)
            if isinstance(pointer, CPointer):
                found += self._of_kind(uses, name, pointer, table) or self._of_answer(uses, name, looks)
            else:
                found += _of_index(uses, name)
        return tuple(Precondition(name, condition) for name, condition in found)

    def ignores(self, function: str) -> bool:
        """Whether a function takes something that it does not use: somebody else said what it takes."""
        uses = self.functions.get(function)
        return uses is not None and not uses.needed.issuperset(uses.kept)

    def only_divides(self, function: str) -> frozenset[str]:
        """Parameters that something is divided by, and that are used for nothing else: no length is."""
        uses = self.functions.get(function)
        return frozenset() if uses is None else frozenset(uses.divides - uses.counts)

    def unchecked_divisors(self, function: str) -> frozenset[str]:
        """Parameters that something is divided by, though nobody asks whether they are zero."""
        uses = self.functions.get(function)
        return frozenset() if uses is None else frozenset(uses.divides - uses.compared)

    def _of_kind(self, uses: _FunctionUses, name: str, pointer: CPointer, table: TypeTable) -> list[tuple[str, str]]:
        record, struct = table.plain(pointer.target), table.bare_name(pointer.target)
        members = (record.members or ()) if isinstance(record, Record) else ()
        if struct is None or any(each.bits is not None for each in members):
            return []
        parts = uses.structs.get(name, set()) - {struct, *_always_there(record, table)}
        for number, member in enumerate(members):
            tag = struct, number
            if member.name and self._is_tag(tag) and (name, tag) not in (*uses.tests, *uses.told):
                kinds = {kind for part in parts if (kind := self._kind(tag, part)) is not None}
                if len(kinds) == 1:
                    return [(name, f"(!{NAME}{name} || {NAME}{name}->{member.name} == {kinds.pop()})")]
        return []

    def _of_answer(self, uses: _FunctionUses, name: str, looks: Callable[[str], bool]) -> list[tuple[str, str]]:
        """What a function says that looks at the tag is followed, and nobody asked whether it says anything."""
        if any(parameter == name and self._is_tag(member) for parameter, member in uses.tests):
            return []
        return [
            (name, f"(!{NAME}{name} || {getter}({NAME}{name}) != 0)")
            for parameter, getter in sorted(uses.followed_getters)
            if parameter == name and not uses.getters[name, getter] and looks(getter) and self._tells_kinds(getter)
        ]

    def _tells_kinds(self, getter: str) -> bool:
        """Whether a function of one argument decides by its tag."""
        uses = self.functions.get(getter)
        return uses is not None and len(uses.names) == 1 and any(self._is_tag(member) for _, member in uses.tests)

    def _is_tag(self, member: StructMember) -> bool:
        return member not in self.ordered and len(self.constants.get(member, ())) >= LEAST_KINDS

    def _kind(self, tag: StructMember, part: str) -> int | None:
        """Which kind an object has that is used as this: what most functions say that look for one kind alone."""
        votes = Counter(
            min(constants)
            for uses in self.functions.values()
            for (name, member), constants in uses.tests.items()
            if member == tag and len(constants) == 1 and part in uses.structs.get(name, ())
        )
        most = votes.most_common(1)
        if not most or most[0][1] < LEAST_WITNESSES or 2 * most[0][1] <= votes.total():
            return None
        return most[0][0]


def _always_there(record: CType, table: TypeTable) -> Iterator[str]:
    """Structs that are parts of an object, whatever its kind is."""
    for member in (record.members or ()) if isinstance(record, Record) and not record.union else ():
        if (part := table.bare_name(member.type)) is not None:
            yield part
            yield from _always_there(table.plain(member.type), table)


def _of_index(uses: _FunctionUses, name: str) -> list[tuple[str, str]]:
    """An index into a table of a known length that is compared with nothing lies in the table."""
    if name in uses.compared or name in uses.asked:
        return []
    found = []
    for length, sign, offset in sorted(uses.tables.get(name, ())):
        low, high = (-offset, length - 1 - offset) if sign > 0 else (offset - length + 1, offset)
        found.append((name, f"(((long long){NAME}{name} >= {low}) & ((long long){NAME}{name} <= {high}))"))
    return found


class _Follower:
    """Follows the values of one function from its parameters, through variables, casts and calls."""

    def __init__(self, function: FunctionText, known: Mapping[str, _FunctionUses], facts: KindFacts) -> None:
        self.uses = _FunctionUses(parameter_names(function))
        self._known = known
        self._facts = facts
        self._slots = {f"%{name}.addr": _Origin(name) for name in self.uses.names if name}
        self._held: dict[str, _Origin] = {}
        self._places: dict[str, _Origin] = {}  # addresses of members
        self._switched: _Origin | None = None
        for line in function.lines:
            self._note(line)

    def _note(self, line: str) -> None:
        called = CALL.search(line)
        if called is not None:
            self._need_arguments(called)
        elif _LOAD.match(line) is None and _SAME.match(line) is None:
            self._need(_VALUE.findall(line))
        if _LOAD.match(line) is None and _SAME.match(line) is None and _DIVISION.match(line) is None:
            self._count(_VALUE.findall(line))
        if (loaded := _LOAD.match(line)) is not None:
            self._load(loaded)
        elif (stored := _STORE.match(line)) is not None:
            if stored[1] in self._held:
                self._slots.setdefault(stored[2], self._held[stored[1]])
            elif stored[2] == f"{stored[1]}.addr":
                self.uses.kept.add(stored[1][1:])
        elif (address := MEMBER.match(line)) is not None:
            self._member(address)
        elif (table := _TABLE.match(line)) is not None:
            self._index(int(table[1]), table[2])
        elif (added := _SUM.match(line)) is not None:
            self._sum(added)
        elif (same := _SAME.match(line)) is not None:
            if same[2] in self._held:
                self._held[same[1]] = self._held[same[2]]
        elif (division := _DIVISION.match(line)) is not None:
            self._divide(division[1], division[2])
        elif (compared := _COMPARED.match(line)) is not None:
            self._compare(compared[1], compared[2], compared[3])
        elif (switch := _SWITCH.match(line)) is not None:
            self._switched = self._held.get(switch[1])
            self._look(self._switched)
        elif (case := _CASE.match(line)) is not None:
            self._test(self._switched, int(case[1]))
        elif (returned := _RETURN.match(line)) is not None:
            if returned[1] in self._held:
                self.uses.returned[self._held[returned[1]]] = None
        elif called is not None:
            self._call(called, _RESULT.match(line))

    def _need(self, values: Iterable[str]) -> None:
        self.uses.needed |= {self._held[value].parameter for value in values if value in self._held} - {""}

    def _need_arguments(self, called: re.Match[str]) -> None:
        known, given = self._known.get(plain_name(called[1])), arguments(called)
        names = known.names if known is not None and len(known.names) == len(given) else None
        for place, value in enumerate(given):
            if known is None or names is None or names[place] in known.needed:
                self._need([value])

    def _count(self, values: Iterable[str]) -> None:
        for value in values:
            if value in self._held and self._held[value].is_parameter:
                self.uses.counts.add(self._held[value].parameter)

    def _divide(self, left: str, right: str) -> None:
        self._count([left])
        origin = self._held.get(right)
        if origin is not None and origin.is_parameter and not origin.offset:
            self.uses.divides.add(origin.parameter)

    def _load(self, loaded: re.Match[str]) -> None:
        into, place = loaded[1], loaded[3]
        if place in self._slots:
            self._held[into] = self._slots[place]
        elif place in self._places:
            self._held[into] = self._places[place]
        elif place in self._held:
            self._follow(self._held[place])

    def _member(self, address: re.Match[str]) -> None:
        base, struct = self._held.get(address[3]), bare_struct(address[2])
        member = struct, int(address[4])
        if base is not None and base.is_parameter:
            self.uses.structs.setdefault(base.parameter, set()).add(struct)
            self._places[address[1]] = _Origin(base.parameter, member)
            self._held[address[1]] = base  # a struct inside of it is a part of it
        else:
            self._places[address[1]] = _Origin(member=member)
        if base is not None:
            self._follow(base)

    def _follow(self, origin: _Origin) -> None:
        if origin.getter:
            self.uses.followed_getters.add((origin.parameter, origin.getter))
        elif origin.is_parameter:
            self.uses.followed.add(origin.parameter)

    def _index(self, length: int, value: str) -> None:
        origin = self._held.get(value)
        if origin is not None and origin.is_parameter:
            found = self.uses.tables.setdefault(origin.parameter, set())
            found.add((length, origin.sign, origin.offset))

    def _sum(self, added: re.Match[str]) -> None:
        into, subtracts, left, right = added[1], added[2] == "sub", added[3], added[4]
        if left in self._held and _NUMBER.match(right):
            origin, sign, amount = self._held[left], 1, -int(right) if subtracts else int(right)
        elif right in self._held and _NUMBER.match(left):
            origin, sign, amount = self._held[right], -1 if subtracts else 1, int(left)
        else:
            return
        if origin.is_parameter:
            self._held[into] = _Origin(origin.parameter, sign=sign * origin.sign, offset=sign * origin.offset + amount)

    def _compare(self, how: str, left: str, right: str) -> None:
        one, other = self._held.get(left), self._held.get(right)
        for origin in (one, other):
            self._look(origin)
            if origin is not None and origin.member is not None and how not in ("eq", "ne"):
                self._facts.ordered.add(origin.member)
        if how in ("eq", "ne"):
            self._equal(one, other, right)

    def _equal(self, one: _Origin | None, other: _Origin | None, right: str) -> None:
        if _NUMBER.match(right):
            self._test(one, int(right))
        elif one is not None and other is not None:
            for this, that in ((one, other), (other, one)):
                if this.member is not None and this.parameter:
                    self.uses.tests.setdefault((this.parameter, this.member), set())
                    if that.is_parameter:
                        self.uses.equal.add((this.parameter, this.member, that.parameter))

    def _look(self, origin: _Origin | None) -> None:
        """It is compared with something."""
        if origin is not None and origin.getter:
            self.uses.getters[origin.parameter, origin.getter] = True
        elif origin is not None and origin.is_parameter:
            self.uses.compared.add(origin.parameter)

    def _test(self, origin: _Origin | None, constant: int) -> None:
        if origin is None or origin.member is None:
            return
        self._facts.constants.setdefault(origin.member, set()).add(constant)
        if origin.parameter:
            self.uses.tests.setdefault((origin.parameter, origin.member), set()).add(constant)

    def _call(self, called: re.Match[str], result: re.Match[str] | None) -> None:
        callee, given = plain_name(called[1]), arguments(called)
        known = self._known.get(callee)
        origins = [self._held.get(value) for value in given]
        first = origins[0] if len(origins) == 1 else None
        if result is not None and first is not None and first.is_parameter:
            self._held[result[1]] = _Origin(first.parameter, getter=callee)
            self.uses.getters.setdefault((first.parameter, callee), False)
        if known is None or len(known.names) != len(given):
            return
        by_name = dict(zip(known.names, zip(given, origins, strict=True), strict=True))
        for name, (_, origin) in by_name.items():
            if origin is not None:
                self._hand_on(known, name, origin)
        for name, member, other in known.equal:
            if name in by_name and other in by_name and _NUMBER.match(by_name[other][0]):
                self._test(_part(by_name[name][1], member), int(by_name[other][0]))
        if result is not None:
            self._result(result[1], _POINTER.search(called.string) is not None, known, by_name)

    def _hand_on(self, known: _FunctionUses, name: str, origin: _Origin) -> None:
        """What the function that is called does with it."""
        looked_at = name in known.compared or name in known.asked
        if name in known.followed and not looked_at:
            self._follow(origin)
        if looked_at and origin.is_parameter:
            self.uses.asked.add(origin.parameter)
        elif looked_at:
            self._look(origin)
        elif origin.is_parameter and origin.sign == 1 and not origin.offset:
            self.uses.tables.setdefault(origin.parameter, set()).update(known.tables.get(name, ()))
        if origin.is_parameter:
            for other, member in (*known.tests, *known.told):
                if other == name:
                    self.uses.told.add((origin.parameter, member))

    def _result(
        self, into: str, pointer: bool, known: _FunctionUses, given: Mapping[str, tuple[str, _Origin | None]]
    ) -> None:
        """What a function returns that hands its argument back, or says what a member holds."""
        for returned in known.returned:
            origin = given.get(returned.parameter, ("", None))[1]
            if origin is None or not origin.is_parameter or returned.getter:
                continue
            if returned.member is not None and not pointer:
                self._held[into] = _Origin(origin.parameter, returned.member)
            elif returned.member is None and returned.offset == 0 and returned.sign == 1:
                self._held[into] = origin


def _part(origin: _Origin | None, member: StructMember) -> _Origin | None:
    return _Origin(origin.parameter, member) if origin is not None and origin.is_parameter else None
