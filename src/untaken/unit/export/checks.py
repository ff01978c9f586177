"""What a test looks at after the call: the result, and what the function was given to write to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from untaken.unit.export.values import UNSIGNED
from untaken.unit.literals import number, string
from untaken.unit.places import CPlace
from untaken.unit.shape import ArrayShape, Fields, Objects, Real, Scalar, ScalarBlock, Shape, Stub, Text, Variable, Zero

FILLER = re.compile(r"_*(?:pad|padding|reserved|unused|dummy|spare|filler)_*\d*", re.IGNORECASE)  # means nothing
MOST_LEAVES = 32
MOST_BLOCK = 16


class Look(Enum):
    """How a value is written down by the program that observes it."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    REAL = "real"
    NULL = "null"  # whether a pointer is
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class Check:
    """One expression. Of an `output`, only what the call changed is pinned."""

    expression: str
    look: Look
    output: bool
    scalar: Scalar | None = None
    size: int = 0  # of BYTES
    fragile: bool = False  # of something that the function may have freed

    def condition(self, observed: str) -> str:
        """What must hold, in C."""
        match self.look:
            case Look.NULL:
                return f"{self.expression} {'==' if observed == '0' else '!='} NULL"
            case Look.REAL:
                return _real_condition(self.expression, observed)
            case Look.BYTES:
                return self._same_bytes(bytes.fromhex(observed))
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
    return [] if result is None else list(_leaves(result.shape, CPlace(name), output=False))[:MOST_LEAVES]


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
        case Fields(members=members, union=False):
            for name, member in members:
                if not FILLER.fullmatch(name):
                    yield from _leaves(member, place.member(name), output=output)
        case Zero() | Fields() | ArrayShape() | ScalarBlock():
            return
        case _:
            yield Check(place.text, Look.NULL, output)
