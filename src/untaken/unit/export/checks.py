"""What a test looks at after the call: the result, and what the function was given to write to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice

from untaken.unit.export.values import UNSIGNED
from untaken.unit.literals import number, string
from untaken.unit.places import CPlace
from untaken.unit.shape import ArrayShape, Fields, Objects, Real, Scalar, ScalarBlock, Shape, Stub, Text, Variable, Zero

FILLER = re.compile(r"_*(?:pad|padding|reserved|unused|dummy|spare|filler)_*\d*", re.IGNORECASE)  # means nothing
MOST_LEAVES = 32
MOST_BLOCK = 16


class Concern(Enum):
    """Whose business a value is."""

    CALLERS = "callers"
    SAID = "said"  # by a function of the project, about an object
    INNER = "inner"


class Look(Enum):
    """How a value is written down by the program that observes it."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    REAL = "real"
    NULL = "null"  # whether a pointer is
    BYTES = "bytes"
    STRING = "string"  # what a pointer to characters leads to, or that it is NULL


@dataclass(frozen=True, slots=True)
class Check:
    """One expression. Of an `output`, only what the call changed is pinned."""

    expression: str
    look: Look
    output: bool
    scalar: Scalar | None = None
    size: int = 0  # of BYTES
    fragile: bool = False  # of something that the function may have freed
    unsure: bool = False  # looking there may go wrong: it is tried in a process of its own
    pointer: str = ""  # it is looked at only if this is not NULL
    concern: Concern = Concern.CALLERS

    def condition(self, observed: str) -> str:
        """What must hold, in C."""
        match self.look:
            case Look.NULL:
                return f"{self.expression} {'==' if observed == '0' else '!='} NULL"
            case Look.REAL:
                return _real_condition(self.expression, observed)
            case Look.BYTES:
                return self._same_bytes(bytes.fromhex(observed))
            case Look.STRING if observed == "null":
                return f"{self.expression} == NULL"
            case Look.STRING:
                return f"strcmp({self.expression}, {string(bytes.fromhex(observed))}) == 0"
            case _:
                assert self.scalar is not None
                return f"{self.expression} == {number(self.scalar, int(observed))}"

    def _same_bytes(self, observed: bytes) -> str:
        """As strings, if there is an end: what lies behind it says nothing."""
        text, end, _ = observed.partition(b"\0")
        if end:
            return f"strcmp({self.expression}, {string(text)}) == 0"
        return f"memcmp({self.expression}, {string(observed)}, {self.size}) == 0"


def _real_condition(expression: str, observed: str) -> str:
    if "nan" in observed:
        return f"{expression} != {expression}"
    if "inf" in observed:
        return f"{expression} {'<' if '-' in observed else '>'} {'-' if '-' in observed else ''}1.7976931348623157e308"
    return f"{expression} == {float.fromhex(observed)!r}"


def result_checks(result: Variable | None, name: str) -> list[Check]:
    """The result itself, what is said of it, and what it leads to."""
    if result is None:
        return []
    match result.shape:
        case Text():
            return [Check(name, Look.NULL, False), Check(name, Look.STRING, False, unsure=True)]
        case Objects(element=element, count=None):
            behind = _leaves(element, CPlace(name, through=True), output=False)
            own = [Check(name, Look.NULL, False)]
            own += [replace(each, unsure=True, pointer=name) for each in islice(behind, MOST_LEAVES)]
        case shape:
            own = list(islice(_leaves(shape, CPlace(name), output=False), MOST_LEAVES))
    return [*inner_if(bool(result.getters), own), *getter_checks(result, name, output=False)]


def getter_checks(variable: Variable, name: str, *, output: bool) -> list[Check]:
    """What functions of the project say of a variable of this name, or of what it leads to."""
    found = []
    for getter in variable.getters:
        places = [f"{'*' * count}{name}" for count in range(variable.pointers - getter.pointers + 1)]
        call = f"{getter.function}({places[-1]})"
        pointers = places if getter.pointers else places[:-1]
        how = replace(_SAID, output=output, pointer=" && ".join(pointers))
        found += [replace(how, expression=each.expression, look=each.look, scalar=each.scalar)
                  for each in _said(getter.result.shape, call)]  # fmt: skip
    return found


_SAID = Check("", Look.NULL, False, unsure=True, concern=Concern.SAID)


def _said(shape: Shape, call: str) -> Iterator[Check]:
    match shape:
        case Text():
            yield Check(call, Look.STRING, False)
        case Scalar() | Real():
            yield from _leaves(shape, CPlace(call), output=False)


def inner_if(inner: bool, checks: list[Check]) -> list[Check]:
    """Members of what the project has functions for are its own business."""
    if not inner:
        return checks
    return [each if each.look is Look.NULL and each.expression.isidentifier() else replace(each, concern=Concern.INNER)
            for each in checks]  # fmt: skip


def output_checks(shape: Shape, name: str, *, heap: bool) -> list[Check]:
    """Of the object or array that a pointer parameter was made to point to, under its name; `heap`: that is a pointer
    to it."""
    match shape:
        case Objects(element=element, constant=False, count=None):
            found = list(_leaves(element, CPlace(name, through=heap), output=True))
        case Text(constant=False, most=most):
            found = [Check(name, Look.BYTES, True, size=most + 1)]
        case _:
            found = []
    return found[:MOST_LEAVES]


def made_checks(element: Shape, pointer: str) -> list[Check]:
    """Of an object that the project's own functions made."""
    return list(_leaves(element, CPlace(pointer, through=True), output=True))[:MOST_LEAVES]


def array_checks(shape: Objects, name: str, count: int) -> list[Check]:
    if isinstance(shape.element, Scalar) and shape.element.draw == "char":
        return [Check(name, Look.BYTES, True, size=count)]
    places = (CPlace(name).item(index) for index in range(count))
    return [check for place in places for check in _leaves(shape.element, place, output=True)][:MOST_LEAVES]


def call_checks(stub: Stub, name: str, *, output: bool) -> list[Check]:
    """How often a stub was called, and the numbers that it was called with last, as it notes them under its name."""
    calls = Check(f"{name}_calls", Look.UNSIGNED, output, scalar=Scalar("uint", 4))
    places = ((each.shape, CPlace(f"{name}_{each.name}")) for each in stub.arguments)
    return [calls, *(check for shape, place in places for check in _leaves(shape, place, output=output))]


def global_checks(variable: Variable) -> list[Check]:
    return list(_leaves(variable.shape, CPlace(variable.name), output=True))[:MOST_LEAVES]


def _leaves(shape: Shape, place: CPlace, *, output: bool) -> Iterator[Check]:
    match shape:
        case Scalar(draw=draw):
            yield Check(place.text, Look.UNSIGNED if draw in UNSIGNED else Look.SIGNED, output, scalar=shape)
        case Real():
            yield Check(place.text, Look.REAL, output)
        case ArrayShape(element, count) | ScalarBlock(element, count) if count <= MOST_BLOCK:
            for index in range(count):
                yield from _leaves(element, place.item(index), output=output)
        case Fields(members=members, union=False, inner=inner):
            for name, member in members:
                if not FILLER.fullmatch(name):
                    found = _leaves(member, place.member(name), output=output)
                    hidden = inner or name.startswith("_") or name.endswith("_")
                    yield from (replace(each, concern=Concern.INNER) for each in found) if hidden else found
        case Zero() | Fields() | ArrayShape() | ScalarBlock():
            return
        case _:
            yield Check(place.text, Look.NULL, output)
