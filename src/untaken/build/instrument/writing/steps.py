"""What a group of label work is made of: steps in constant data, struct untaken_step in runtime/abi.h."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from untaken.build.instrument import abi
from untaken.build.ir.syntax import Value

FIRST_CONSTANT = 128  # operands from here on are constants of the group, not slots
LARGEST_EXTRA = (1 << 32) - 1  # what a step has room for beside its operands
_FIRST_LABELLED = 1  # of a step's flags


class Step(IntEnum):
    """Numbers as in `enum untaken_step_kind`."""

    NONE = 0
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
    WIDE = 15


class Form(IntEnum):
    """By which function the runtime takes a step. Numbers as in `enum untaken_step_form`; operators have their own."""

    GENERAL = 0
    END = 1
    DIFFERENT = 21
    OFFSET = 30
    BRANCH = 31
    LOAD = 32
    STORE = 48
    CONSTANT = 64
    DECIDING = 128


_DIVISIONS = {abi.BINARY_OPS[op] for op in ("udiv", "sdiv", "urem", "srem")}
_WIDENING = (abi.CAST_OPS["zext"], abi.CAST_OPS["sext"])
_COMPARISONS = {*range(abi.COMPARE_OPS["eq"], abi.COMPARE_OPS["sle"] + 1), Form.DIFFERENT}


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step for the runtime: a struct untaken_step of abi.h."""

    kind: Step
    result: int
    operands: tuple[int, int, int]
    flags: int
    form: int
    descriptor: int
    extra: int

    @property
    def words(self) -> tuple[int, int]:
        """As it lies in memory: two words of eight bytes, the first field lowest."""
        a, b, c = self.operands
        small = (self.kind, self.result, a, b, c, self.flags)
        first = sum(number << 8 * place for place, number in enumerate(small)) | self.form << 48
        return first, self.descriptor | self.extra << 32

    def is_comparison(self) -> bool:
        return self.kind is Step.BINARY and self.form & ~Form.CONSTANT in _COMPARISONS


def form_of(kind: Step, operands: tuple[int, int, int], flags: int, descriptor: int) -> int:
    """The form of a step; most kinds have one in which they are taken faster than by the general function."""
    a, b, c = (operand >= FIRST_CONSTANT for operand in operands)
    match kind:
        case Step.BINARY if flags & _FIRST_LABELLED or not b:
            form = _form_of_operator(descriptor & 0xFF)
            return form + Form.CONSTANT * b if form else form
        case Step.CAST if descriptor & 0xFF in _WIDENING:
            return descriptor & 0xFF
        case Step.OFFSET:
            return Form.OFFSET
        case Step.BRANCH:
            return Form.BRANCH
        case Step.LOAD if descriptor in (1, 2, 4, 8) and not a:
            return Form.LOAD + descriptor + Form.CONSTANT * b
        case Step.STORE if descriptor in (1, 4, 8) and not a:
            return Form.STORE + descriptor + Form.CONSTANT * c
        case _:
            return Form.GENERAL


def _form_of_operator(op: int) -> int:
    if op == abi.COMPARE_OPS["ne"]:
        return Form.DIFFERENT
    return op if op <= abi.COMPARE_OPS["sle"] and op not in _DIVISIONS else Form.GENERAL


@dataclass(frozen=True, slots=True)
class Offset:
    """An address that is a concrete distance away from another."""

    result: Value
    base: tuple[Value, int]
    distance: Value


_LAST = StepRecord(Step.NONE, 0, (0, 0, 0), 0, Form.END, 0, 0)


class GroupTable:
    """The step lists of a module, each content once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, steps: list[StepRecord], constants: list[int], handover: Sequence[int] = ()) -> str:
        """The name of a list; `handover` is what precedes it."""
        group = [len(constants), *constants, *(word for step in (*steps, _LAST) for word in step.words)]
        words = [*handover, *group]
        listed = ", ".join(f"i64 {word}" for word in words)
        return self._names.setdefault(f"[{len(words)} x i64] [{listed}]", f"@untaken.group.{len(self._names)}")

    def definitions(self) -> list[str]:
        return [f"{name} = internal constant {text}, align 8" for text, name in self._names.items()]
