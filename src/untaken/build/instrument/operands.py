"""What the compared values of a conditional are in the source: variables, constants, memory, results of calls.

The program map carries this for learned heuristics. Locals are SSA values by now; the compiler's debug records say
which results are values of variables, and its names which comparisons with zero it added itself.
"""

from __future__ import annotations

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
)
from untaken.build.ir.reader import FunctionBody
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Integer
from untaken.model.program import Operand

_Kinds = frozenset[Operand]
_NOTHING: _Kinds = frozenset()
_LOCAL = frozenset({Operand.LOCAL_VARIABLE})
_LARGEST_CHARACTER = 127
_DEEPEST = 8  # operators of one condition that are looked through
_ADDED_BY_COMPILER = "%tobool"  # `if (x)` is compared with a zero that the source does not show


class OperandKinds:
    """Of the conditions of one function; `external` are the functions without a body in this file."""

    def __init__(self, function: FunctionBody, external: frozenset[str]) -> None:
        self._definitions = {i.result: i for block in function.blocks for i in block.instructions if i.result}
        self._variables = function.variables
        self._external = external

    def of_condition(self, definition: Instruction | None) -> _Kinds:
        """Of what is compared, a negation looked through; nothing for a condition that is no comparison."""
        while isinstance(definition, BinaryOperation) and definition.op == "xor" and definition.type == Integer(1):
            definition = self._definitions.get(definition.a.text)
        if not isinstance(definition, Compare):
            return _NOTHING
        first = self._of(definition.a)
        if definition.result.startswith(_ADDED_BY_COMPILER):
            return first
        return first | self._of(definition.b)

    def compared(self, value: Value, constant: int) -> _Kinds:
        """The kinds of operands of a `case`: the value that is switched on, and its constant."""
        return self._of(value) | _of_constant(constant)

    def _of(self, value: Value, depth: int = 0) -> _Kinds:
        if not value.is_local:
            number = value.text.removeprefix("-").isdigit() and depth == 0  # those inside of expressions do not count
            return _of_constant(int(value.text)) if number else _NOTHING
        definition = self._definitions.get(value.text)
        named = _LOCAL if value.text in self._variables or definition is None else _NOTHING
        match definition:
            case Cast():
                return named | self._of(definition.value, depth)
            case CallInstruction():
                external = definition.callee in self._external
                return named | ({Operand.EXTERNAL_CALL} if external else _NOTHING)
            case Load():
                return named | self._of_memory(definition.pointer)
            case Phi():
                return _LOCAL
            case Compare():
                return named
            case BinaryOperation() if depth < _DEEPEST:
                return named | self._of(definition.a, depth + 1) | self._of(definition.b, depth + 1)
        return named

    def _of_memory(self, pointer: Value) -> _Kinds:
        """A local array or structure is a variable; what any other address leads to is accessed by pointer."""
        definition = self._definitions.get(pointer.text)
        while isinstance(definition, GetElementPointer | Cast):
            pointer = definition.base if isinstance(definition, GetElementPointer) else definition.value
            definition = self._definitions.get(pointer.text)
        if isinstance(definition, Alloca):
            return _LOCAL
        return frozenset({Operand.POINTER_ACCESS}) if pointer.is_local else _NOTHING


def _of_constant(constant: int) -> _Kinds:
    if 0 <= constant <= _LARGEST_CHARACTER:
        return frozenset({Operand.INTEGER_CONSTANT, Operand.CHARACTER_CONSTANT})
    return frozenset({Operand.INTEGER_CONSTANT})
