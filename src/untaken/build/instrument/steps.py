"""What a group of label work is made of: steps in constant data, struct untaken_step in runtime/abi.h."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from untaken.build.ir.syntax import Value

STEP_TYPE = "{ i8, i8, i8, i8, i8, i8, i16, i32, i32 }"


class Step(IntEnum):
    """Numbers as in `enum untaken_step_kind`."""

    BINARY = 1
    UNARY = 2
    CAST = 3
    SELECT = 4
    FUNNEL = 5
    OFFSET = 6
    LOAD = 7
    STORE = 8
    COPIED = 9
    FILLED = 10
    BRANCH = 11
    PIN = 12
    CONCRETISE = 13
    CHOOSE = 14


@dataclass(frozen=True, slots=True)
class Offset:
    """An address that is a concrete distance away from another."""

    result: Value
    base: tuple[Value, int]
    distance: Value


class GroupTable:
    """The step lists of a module, each content once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, steps: list[str], constants: list[int]) -> str:
        values = ", ".join(f"i64 {value}" for value in constants)
        listed = ", ".join(steps)
        kind = f"{{ i32, i32, [{len(constants)} x i64], [{len(steps)} x {STEP_TYPE}] }}"
        body = f"{{ i32 {len(steps)}, i32 {len(constants)}, [{len(constants)} x i64] "
        body += f"{f'[{values}]' if constants else 'zeroinitializer'}, [{len(steps)} x {STEP_TYPE}] [{listed}] }}"
        return self._names.setdefault(f"{kind} {body}", f"@untaken.group.{len(self._names)}")

    def definitions(self) -> list[str]:
        return [f"{name} = internal constant {text}, align 8" for text, name in self._names.items()]
