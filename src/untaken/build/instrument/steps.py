"""What a group of label work is made of: steps in constant data, struct untaken_step in runtime/abi.h."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from untaken.build.instrument import abi
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


class Form(IntEnum):
    """By which function the runtime takes a step. Numbers as in `enum untaken_step_form`; operators have their own."""

    GENERAL = 0
    END = 1
    DIFFERENT = 21
    OFFSET = 30
    BRANCH = 31
    LOAD = 32
    STORE = 48


def form_of(kind: Step, descriptor: int) -> int:
    """The form of a step; most kinds have one in which they are taken faster than by the general function."""
    op = descriptor & 0xFF
    match kind:
        case Step.BINARY if op <= abi.COMPARE_OPS["sle"]:
            return op
        case Step.BINARY if op == abi.COMPARE_OPS["ne"]:
            return Form.DIFFERENT
        case Step.CAST if op != abi.CAST_OPS["trunc"]:
            return op
        case Step.OFFSET:
            return Form.OFFSET
        case Step.BRANCH:
            return Form.BRANCH
        case Step.LOAD if descriptor in (1, 2, 4, 8):
            return Form.LOAD + descriptor
        case Step.STORE if descriptor in (1, 4, 8):
            return Form.STORE + descriptor
        case _:
            return Form.GENERAL


def step_text(numbers: tuple[int, int, int, int, int, int], form: int, descriptor: int, extra: int) -> str:
    """A step as constant data; the numbers are kind, result, the operands, and their flags."""
    small = ", ".join(f"i8 {number}" for number in numbers)
    return f"{STEP_TYPE} {{ {small}, i16 {form}, i32 {descriptor}, i32 {extra} }}"


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
        listed = ", ".join((*steps, step_text((0, 0, 0, 0, 0, 0), Form.END, 0, 0)))
        many = f"[{len(steps) + 1} x {STEP_TYPE}]"
        kind = f"{{ i64, [{len(constants)} x i64], {many} }}"
        body = f"{{ i64 {len(constants)}, [{len(constants)} x i64] "
        body += f"{f'[{values}]' if constants else 'zeroinitializer'}, {many} [{listed}] }}"
        return self._names.setdefault(f"{kind} {body}", f"@untaken.group.{len(self._names)}")

    def definitions(self) -> list[str]:
        return [f"{name} = internal constant {text}, align 8" for text, name in self._names.items()]
