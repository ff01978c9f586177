"""From the input of a test back to values: walks the shapes as the driver does, and takes its fields in that order."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, replace

from untaken.errors import CampaignError
from untaken.model.input import Field, Source
from untaken.suite.delivery import asked_for, delivered, field_bytes
from untaken.suite.failed_allocations import allocation_pattern, is_allocation
from untaken.suite.tests import SavedTest
from untaken.unit.drawing import (
    BEFORE,
    MOST_INDEX,
    NOBODYS_FILE,
    THERE_BITS,
    argument_place,
    broken_name,
    choice_name,
    chosen_word,
    in_one_piece,
    is_broken,
    real_name,
    same_count,
    same_name,
    small_name,
    then_count,
    then_name,
    there_name,
    usual_count,
    usual_name,
    usual_number,
    way_count,
    word_count,
)
from untaken.unit.places import CPlace
from untaken.unit.shape import (
    ArrayShape,
    Buffer,
    Callback,
    Enclosing,
    Fields,
    Handle,
    Made,
    MadeValue,
    MakerCall,
    Null,
    Objects,
    Preparer,
    Real,
    Related,
    Scalar,
    ScalarBlock,
    Shape,
    Stream,
    Stub,
    Text,
    UnitPlan,
    Within,
    Zero,
)
from untaken.unit.stubs import NAME_LENGTH, output_name

UNSIGNED = ("uchar", "ushort", "uint", "ulong", "ulonglong", "bool")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The member of a union that was filled, or the way in which a handle was made."""

    index: int
    value: DrawnValue


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer that is not NULL: the elements, the bytes, a stream's content, or nothing for what is no data."""

    content: tuple[DrawnValue, ...] | bytes = ()


@dataclass(frozen=True, slots=True)
class Back:
    """A pointer to an object that it lies in, so many pointers up."""

    up: int


@dataclass(frozen=True, slots=True)
class Position:
    """A pointer to the element of this number, of an array that another member leads to."""

    index: int


@dataclass(frozen=True, slots=True)
class MadeBy:
    """An object that a call made, by its number among the makers; then the numbers of the setters that followed, each
    with its arguments."""

    maker: int
    arguments: tuple[DrawnValue, ...]
    then: tuple[tuple[int, tuple[DrawnValue, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Same:
    """A pointer to what another parameter leads to, or a member of that."""

    parameter: str
    member: str


# None: zeros, or NULL. A floating-point number is text, as C writes it.
DrawnValue = int | str | Chosen | Address | Back | Position | MadeBy | Same | tuple["DrawnValue", ...] | None


@dataclass(frozen=True, slots=True)
class StubCall:
    """What one call of a stub came to: its result, and what it wrote through its arguments; None for a NULL."""

    result: DrawnValue
    outputs: tuple[DrawnValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """All that a test gives: to variables by name, and to the calls of stubs by the stub's name."""

    variables: dict[str, DrawnValue]
    calls: dict[str, list[StubCall]]
    allocations: str = ""  # a letter for each: F fails, and a dot does not
    broken: bool = False  # something need not be as the function takes it for granted
    before: Preparer | None = None  # what was called first
    early: bool = False  # stubs were called while arguments were made


def is_zero(value: DrawnValue) -> bool:
    match value:
        case None | 0:
            return True
        case str():
            return "_" not in value and float.fromhex(value) == 0 and not value.startswith("-")
        case Chosen(value=inner):
            return is_zero(inner)
        case tuple():
            return all(map(is_zero, value))
        case _:
            return False


class Mismatch(CampaignError):
    """The input was drawn by another driver."""

    def __init__(self, test: SavedTest) -> None:
        super().__init__(f"{test.file} does not fit the function any more: run `untaken unit` into a new --out")


class NotCalled(Mismatch):
    """The run ended while an argument was made, before the function was called."""


def given_values(plan: UnitPlan, test: SavedTest, declared: tuple[Source, ...]) -> Given:
    """What a test gives to the function."""
    calls: dict[str, list[StubCall]] = {stub.name: [] for stub in plan.stubs}
    reader = _FieldReader(test, declared, plan, calls)
    before = reader.preparer(plan.preparers) if plan.preparers else None
    variables: dict[str, DrawnValue] = {}
    for variable in plan.drawn():
        variables[variable.name] = reader.value(variable.shape, CPlace(variable.name))
    broken = [reader.is_broken(each.parameter) for each in plan.preconditions]
    early = any(calls.values())
    while (stub := reader.next_call()) is not None and (stub.result is not None or stub.outputs):
        calls[stub.name].append(reader.stub_call(stub))
    told = {stub.name: _telling(stub, calls[stub.name]) for stub in plan.stubs}
    return Given(variables, told, allocation_pattern(test.input, test.fields), any(broken), before, early)


def _telling(stub: Stub, calls: list[StubCall]) -> list[StubCall]:
    """Without the last ones that return nothing but zeros: a stub does that by itself. One is left, to say that it was
    called."""
    used = len(calls)
    while used > 1 and not stub.outputs and is_zero(calls[used - 1].result):
        used -= 1
    return calls[:used]


class _FieldReader:
    """Takes the fields of a test one after the other."""

    def __init__(
        self, test: SavedTest, declared: tuple[Source, ...], plan: UnitPlan, calls: dict[str, list[StubCall]]
    ) -> None:
        self.test = test
        self._plan = plan
        self._calls = calls
        asked = [field for field in asked_for(test.fields, declared) if not is_allocation(field)]
        self._fields: list[Field] = asked[::-1]
        self._lengths: dict[str, int] = {}
        self._ways: dict[str, int] = {}  # in which parameters were made
        self._content = delivered(test.input, declared, test.fields).stdin or b""

    @property
    def upcoming(self) -> str | None:
        return self._fields[-1].name if self._fields else None

    def next_call(self) -> Stub | None:
        """The stub that was called next."""
        if self.upcoming is None:
            return None
        if (stub := self._stub(self.upcoming)) is None:
            raise Mismatch(self.test)
        return stub

    def _stub(self, name: str) -> Stub | None:
        """The longest that fits: one stub's name may begin another's."""
        fitting = [stub for stub in self._plan.stubs if name.startswith(stub.shown[:NAME_LENGTH])]
        return max(fitting, key=lambda stub: len(stub.shown), default=None)

    def _pass_calls(self, name: str) -> None:
        """What makes an argument may call stubs before the next field is drawn, which has this name."""
        following = (field.name for field in reversed(self._fields) if self._stub(field.name) is None)
        if next(following, None) != name[:NAME_LENGTH]:
            return
        while self.upcoming is not None and self.upcoming != name[:NAME_LENGTH]:
            stub = self._stub(self.upcoming)
            assert stub is not None
            self._calls[stub.name].append(self.stub_call(stub))

    def _take(self, name: str) -> bytes:
        if self.upcoming is None:
            raise NotCalled(self.test)
        if self.upcoming != name[:NAME_LENGTH]:
            self._pass_calls(name)
        if self.upcoming != name[:NAME_LENGTH]:
            if all(self._stub(field.name) is not None for field in self._fields):
                raise NotCalled(self.test)  # the last that happened was a call while an argument was made
            raise Mismatch(self.test)
        return field_bytes(self.test.input, self._fields.pop())

    def preparer(self, known: tuple[Preparer, ...]) -> Preparer | None:
        chosen = self._take(BEFORE)[0] % (len(known) + 1)
        return known[chosen - 1] if chosen else None

    def is_broken(self, parameter: str) -> bool:
        """Whether a parameter need not be what the function takes for granted."""
        return is_broken(self._take(broken_name(parameter))[0])

    def _number(self, shape: Scalar, shown: CPlace) -> int:
        data = self._take(shown.text)
        if shape.most is not None:
            return int.from_bytes(data, "little") % (shape.most + 1)
        number = decoded(shape, data)
        if shape.usual:
            return usual_number(shape, self._take(usual_name(shown))[0] % usual_count(shape), number)
        return number & MOST_INDEX if shape.index and self._take(small_name(shown))[0] & THERE_BITS else number

    def _descriptor(self, number: int) -> DrawnValue:
        if number == 0:
            return Address(self._content)
        return number | NOBODYS_FILE if number > 0 else number

    def value(self, shape: Shape, shown: CPlace) -> DrawnValue:
        match shape:
            case Scalar():
                number = self._number(shape, shown)
                self._lengths[shown.text] = number
                return self._descriptor(number) if shape.descriptor else number
            case Real():
                return self._real(shape, shown)
            case ScalarBlock(element, _):
                return elements(element, self._take(shown.text))
            case ArrayShape(element, count):
                return tuple(self.value(element, shown.item(index)) for index in range(count))
            case Fields(members=members, union=False):
                return self._members(members, shown)
            case Fields(members=members):
                index = self._choice(shown, len(members)) if len(members) > 1 else 0
                name, member = members[index]
                return Chosen(index, self.value(member, shown.member(name)))
            case MadeValue():
                return self._first(shape, shown)
            case Handle(ways=ways):
                index = self._choice(shown, len(ways))
                return Chosen(index, index + 1)
            case Related():
                return self._related(shape, shown)
            case Zero() | Null() | Within():
                return None
            case _:
                return self._pointer(shape, shown)

    def _members(self, members: tuple[tuple[str, Shape], ...], shown: CPlace) -> tuple[DrawnValue, ...]:
        """Some of them point into what others lead to, which come before them."""
        found: dict[str, DrawnValue] = {}
        values: list[DrawnValue] = []
        for name, member in members:
            if isinstance(member, Within):
                found[name] = self._within(member, found, shown.member(name))
            else:
                found[name] = self.value(member, shown.member(name))
            values.append(found[name])
        return tuple(values)

    def _within(self, shape: Within, found: dict[str, DrawnValue], shown: CPlace) -> DrawnValue:
        if found[shape.start] is None:
            return None
        if shape.at_end:
            return Position(shape.count)
        after = found[shape.after]
        chosen = self._choice(shown, shape.count + 1)
        return Position(min(shape.count, chosen + (after.index if isinstance(after, Position) else 0)))

    def stub_call(self, stub: Stub) -> StubCall:
        """Nothing was drawn for an argument that was NULL; and no result if the run ended where the stub wrote."""
        outputs = []
        for output in stub.outputs:
            shown = CPlace(output_name(stub.shown, output.name))
            there = self.upcoming in (shown.text, *(name(shown)[:NAME_LENGTH] for name in (choice_name, real_name)))
            outputs.append(self.value(output.shape, shown) if there else None)
        if stub.result is None or self.upcoming is None:
            return StubCall(None, tuple(outputs))
        result = self.value(stub.result.shape, CPlace(stub.shown))
        return StubCall(result, tuple(outputs))

    def _choice(self, shown: CPlace, count: int) -> int:
        return self._take(choice_name(shown))[0] % count

    def _real(self, shape: Real, shown: CPlace) -> str:
        choice = self._take(real_name(shown))[0] % (len(shape.choices) + 1)
        if choice:
            return shape.choices[choice - 1]
        data = self._take(shown.text)
        value: float = struct.unpack("<f" if shape.draw == "float" else "<d", data)[0]
        if value != value:
            return '__builtin_nan("")'
        return value.hex() if value - value == 0 else f"{'-' if value < 0 else ''}__builtin_inf()"

    def _pointer(self, shape: Shape, shown: CPlace) -> DrawnValue:
        assert isinstance(shape, Objects | Enclosing | Text | Buffer | Callback | Stream | Made)
        if shape.nullable and not self._take(there_name(shown))[0] & THERE_BITS:
            return None
        match shape:
            case Made():
                return self._made(shape, shown)
            case Text():
                return Address(self._text(shape, shown))
            case Buffer():
                return Address(self._take(shown.text))
            case Stream():
                return Address(self._content) if self._choice(shown, 2) else Address()
            case Enclosing(up=up):
                return Back(up)
            case Objects(count=None, back=int(up)) if self._choice(shown, 2):
                return Back(up)
            case Objects(count=None):
                return Address((self.value(shape.element, shown.target()),))
            case Objects(count=int(count)):
                count = min(count, self._lengths[shape.length]) if shape.length is not None else count
                return Address(self._elements(shape, shown, count))
            case _:
                return Address()

    def _text(self, shape: Text, shown: CPlace) -> bytes:
        word = chosen_word(shape, self._choice(shown, word_count(shape))) if shape.words else None
        return self._take(shown.text) if word is None else word.encode()

    def _made(self, shape: Made, shown: CPlace) -> DrawnValue:
        """A call may have made nothing: then nothing followed."""
        then: list[tuple[int, tuple[DrawnValue, ...]]] = []
        first = self._first(shape, shown)
        while shape.setters and len(then) < shape.rounds:
            self._pass_calls(then_name(shown))
            if self.upcoming != then_name(shown)[:NAME_LENGTH]:
                break
            chosen = self._take(then_name(shown))[0] % then_count(shape)
            if not 0 < chosen <= len(shape.setters):
                break
            then.append((chosen - 1, self._arguments(shape.setters[chosen - 1])))
        return replace(first, then=tuple(then))

    def _first(self, shape: Made | MadeValue, shown: CPlace) -> MadeBy:
        """Choices past the makers are the object as its type says."""
        chosen = min(self._way(shape, shown), len(shape.makers))
        if chosen < len(shape.makers):
            return MadeBy(chosen, self._arguments(shape.makers[chosen]))
        assert shape.otherwise is not None
        return MadeBy(chosen, (self.value(shape.otherwise, shown),))

    def _way(self, shape: Made | MadeValue, shown: CPlace) -> int:
        """What is NULL was made in no way, which counts as the first."""
        count, number = way_count(shape), self._take(choice_name(shown))[0]
        if shape.like:
            return self._ways.get(shape.like, 0) % count if number & 1 else (number >> 1) % count
        self._ways[shown.text] = number % count
        return number % count

    def _related(self, shape: Related, shown: CPlace) -> DrawnValue:
        """Where the other led nowhere, the pointer was drawn by itself."""
        chosen = self._take(same_name(shown))[0] % same_count(shape)
        drawn = self.upcoming is not None and re.match(rf"{re.escape(shown.text)}\b", self.upcoming)
        if 0 < chosen <= len(shape.others) and not drawn:
            return Same(*shape.others[chosen - 1])
        return self.value(shape.otherwise, shown)

    def _arguments(self, call: MakerCall) -> tuple[DrawnValue, ...]:
        return tuple(self.value(each.shape, argument_place(call, each)) for each in call.parameters)

    def _elements(self, shape: Objects, shown: CPlace, count: int) -> tuple[DrawnValue, ...]:
        if in_one_piece(shape):
            assert isinstance(shape.element, Scalar)
            return elements(shape.element, self._take(shown.text))
        drawn = range(count - shape.ended)
        return (*(self.value(shape.element, shown.target_item(index)) for index in drawn), *[None] * shape.ended)


def decoded(shape: Scalar, data: bytes) -> int:
    """The number that these bytes are, in a bit-field as far as it goes."""
    if shape.draw == "bool":
        return data[0] & 1
    signed = shape.draw not in UNSIGNED
    number = int.from_bytes(data, "little", signed=signed)
    if shape.bits is None or shape.bits >= 8 * shape.size:
        return number
    number &= (1 << shape.bits) - 1
    return number - (1 << shape.bits) if signed and number >> (shape.bits - 1) else number


def elements(shape: Scalar, data: bytes) -> tuple[int, ...]:
    return tuple(decoded(shape, data[start : start + shape.size]) for start in range(0, len(data), shape.size))
