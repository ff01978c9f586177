"""Which variables the conditions of a function compare with constants, and where it gives variables which values.

Most conditions of a program do not depend on the input by data: they ask for a state that was set before. The program
map says what they ask for, and where it may be set (model/variables.py), without any analysis of pointers: a global is
known by its name, a field by its struct's type and its place in there, a local by the values that are joined in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from untaken.build.ir.instructions import (
    Alloca,
    BinaryOperation,
    CallInstruction,
    Cast,
    Compare,
    GetElementPointer,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    StoreInstruction,
)
from untaken.build.ir.reader import FunctionBody
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Integer, Pointer
from untaken.model.variables import PREDICATES, AskedVariable

_SOURCE_TYPE = re.compile(r"getelementptr (?:[a-z]+ )*(%[^,\s]+),")
_EXCHANGED = {"slt": "sgt", "sle": "sge", "ult": "ugt", "ule": "uge"}
_EXCHANGED |= {other: one for one, other in _EXCHANGED.items()}
_OPPOSITE = {"eq": "ne", "slt": "sge", "sle": "sgt", "ult": "uge", "ule": "ugt"}
_OPPOSITE |= {other: one for one, other in _OPPOSITE.items()}
_KEPT_BY = frozenset(("zext", "sext", "trunc", "freeze", "ptrtoint", "inttoptr"))
_DEEPEST = 6  # casts, selections and the like that are looked through
_WORD_BYTES = 8
_NULL = {"null": 0, "false": 0, "true": 1, "zeroinitializer": 0}


class Definition(NamedTuple):
    """A variable gets a value at the end of a block, or only on its way to `target`."""

    variable: str
    block: str
    target: str | None
    value: int | None = None
    step: int | None = None
    copied: str | None = None


class Variables:
    """Those of one function, and those of others that it reads and sets."""

    def __init__(self, function: FunctionBody) -> None:
        self._function = function
        self._made = {i.result: i for block in function.blocks for i in block.instructions if i.result}
        self._parameters = {each.name: number for number, each in enumerate(function.parameters)}
        self._webs = _Webs(self._made)

    def asked(self, condition: Value, negated: bool = False, depth: int = 0) -> AskedVariable | None:
        """What a condition asks of a variable, if it compares one with a constant."""
        made = self._made.get(condition.text)
        match made:
            case Compare() if made.op in PREDICATES:
                return self._compared(made.a, made.b, made.op, negated)
            case BinaryOperation() if made.op == "xor" and made.b.text == "true" and depth < _DEEPEST:
                return self.asked(made.a, not negated, depth + 1)
            case Cast() if made.op == "trunc":  # of a bool
                return self._compared(made.value, Value(made.value.type, "0"), "ne", negated)
            case Load() | Phi() | CallInstruction():
                return self._compared(condition, Value(condition.type, "0"), "ne", negated)
        return None

    def switched(self, value: Value, case: int) -> AskedVariable | None:
        """What a case asks of a variable."""
        variable = self.of(value)
        return None if variable is None else AskedVariable(variable, "eq", case)

    def _compared(self, a: Value, b: Value, predicate: str, negated: bool) -> AskedVariable | None:
        if _number(a) is not None:
            a, b, predicate = b, a, _EXCHANGED.get(predicate, predicate)
        constant, variable = _number(b), self.of(a)
        if constant is None or variable is None:
            return None
        return AskedVariable(variable, _OPPOSITE[predicate] if negated else predicate, constant)

    def of(self, value: Value, depth: int = 0) -> str | None:
        """The variable that a value was read from; None if it was computed."""
        made = self._made.get(value.text)
        match made:
            case None if value.text in self._parameters:
                return f"{self._function.name}#{self._parameters[value.text]}"
            case Load():
                return self._at(made.pointer)
            case Cast() if made.op in _KEPT_BY and depth < _DEEPEST:
                return self.of(made.value, depth + 1)
            case Phi():
                return self._function.name + self._webs.name(made.result)
            case CallInstruction() if made.callee.startswith("@"):
                return f"{made.callee}()"
        return None

    def _at(self, pointer: Value) -> str | None:
        """The variable at an address."""
        made = self._made.get(pointer.text)
        match made:
            case None if not pointer.is_local and "@" in pointer.text:
                return re.sub(r"\b(inbounds|nuw|nusw) ", "", pointer.text)
            case Alloca():
                return self._function.name + pointer.text
            case GetElementPointer():
                return self._element(made)
        return None

    def _element(self, made: GetElementPointer) -> str | None:
        """A field of a struct, by the type; an element of an array is what the array is."""
        source = _SOURCE_TYPE.search(made.text)
        if source is None:
            return self._at(made.base)
        return ".".join((source[1], *(each.text for each in made.indices[1:])))

    def definitions(self) -> Iterator[Definition]:
        """All that the function gives a value which can be told."""
        for block in self._function.blocks:
            for instruction in block.instructions:
                yield from self._of_instruction(instruction, block.name)

    def _of_instruction(self, instruction: Instruction, block: str) -> Iterator[Definition]:
        match instruction:
            case Phi():
                variable = self.of(Value(instruction.type, instruction.result))
                for value, source in instruction.incoming:
                    yield from self._given(variable, value, (source, block))
            case StoreInstruction():
                yield from self._given(self._at(instruction.pointer), instruction.value, (block, None))
            case CallInstruction() if re.match("@(?!llvm[.])", instruction.callee):
                for number, value in enumerate(instruction.operands):
                    yield from self._given(f"{instruction.callee}#{number}", value, (block, None))
            case Return() if instruction.value is not None:
                yield from self._given(f"{self._function.name}()", instruction.value, (block, None))

    def _given(
        self, variable: str | None, value: Value, place: tuple[str, str | None], depth: int = 0
    ) -> Iterator[Definition]:
        """What a variable gets with a value: one or several constants, a step, or what another variable has."""
        if variable is None or not isinstance(value.type, Integer | Pointer) or depth > _DEEPEST:
            return
        number, made = _number(value), self._made.get(value.text)
        if number is not None:
            yield Definition(variable, *place, value=number)
        elif isinstance(made, Compare):
            yield from (Definition(variable, *place, value=outcome) for outcome in (0, 1))
        elif isinstance(made, Cast) and made.op in _KEPT_BY:
            yield from self._given(variable, made.value, place, depth + 1)
        elif isinstance(made, Select):
            yield from self._given(variable, made.a, place, depth + 1)
            yield from self._given(variable, made.b, place, depth + 1)
        elif (step := _step(made)) is not None and isinstance(made, BinaryOperation) and self.of(made.a) == variable:
            yield Definition(variable, *place, step=step)
        else:
            other = self.of(value)
            if other not in (None, variable):
                yield Definition(variable, *place, copied=other)
            if isinstance(value.type, Pointer) and (other is None or isinstance(made, CallInstruction)):
                yield Definition(variable, *place, value=1)  # something, not null


class _Webs:
    """Which joins belong together: a local variable has one at each place where ways meet."""

    def __init__(self, made: dict[str, Instruction]) -> None:
        self._made = made
        self._parent: dict[str, str] = {}
        for name, instruction in made.items():
            if isinstance(instruction, Phi):
                for value, _ in instruction.incoming:
                    self._join(name, value, 0)

    def name(self, phi: str) -> str:
        """The name of the variable that a join is of."""
        while (parent := self._parent.get(phi, phi)) != phi:
            phi = parent
        return phi

    def _join(self, phi: str, value: Value, depth: int) -> None:
        made = self._made.get(value.text)
        if isinstance(made, Phi):
            one, other = sorted((self.name(phi), self.name(made.result)))
            self._parent[other] = one
        elif isinstance(made, Select) and depth < _DEEPEST:
            self._join(phi, made.a, depth + 1)
            self._join(phi, made.b, depth + 1)
        elif isinstance(made, BinaryOperation) and _step(made) is not None and depth < _DEEPEST:
            self._join(phi, made.a, depth + 1)


def _number(value: Value) -> int | None:
    if not isinstance(value.type, Integer | Pointer):
        return None
    if value.text.removeprefix("-").isdigit():
        return int(value.text) if value.type.size <= _WORD_BYTES else None
    return _NULL.get(value.text)


def _step(made: Instruction | None) -> int | None:
    """By how much an operation moves its first operand, if that is known."""
    if not isinstance(made, BinaryOperation) or made.op not in ("add", "sub"):
        return None
    number = _number(made.b)
    return None if number is None else number if made.op == "add" else -number
