"""Which values may be symbolic, and the number of the label beside each.

Symbolic values enter a function through parameters, loads, calls and atomics, and spread along operands. All else
(addresses of locals, loop counters that start from constants) is known to be concrete and costs nothing.
"""

from __future__ import annotations

from untaken.build.ir.instructions import (
    Alloca,
    AtomicUpdate,
    CallInstruction,
    Cast,
    CompareExchange,
    Concrete,
    ExtractValue,
    InsertValue,
    Instruction,
    Load,
    Phi,
)
from untaken.build.ir.reader import FunctionBody
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Leaf, Pointer, Type, label_width, leaves

Labels = tuple[int, ...]  # one for each leaf of the value; 0: concrete
FOREVER = 1 << 30
_SAME_BITS = ("bitcast", "addrspacecast", "ptrtoint", "ptrtoaddr", "inttoptr")


class LabelTable:
    """Numbers the labels of a function; label n is `%$.l<n>` in the program's code, `%$.c<n>` in cold blocks."""

    def __init__(self, function: FunctionBody) -> None:
        self._definitions = {
            instruction.result: instruction
            for block in function.blocks
            for instruction in block.instructions
            if instruction.result
        }
        self._types: dict[str, Type] = {parameter.name: parameter.type for parameter in function.parameters}
        self._known: dict[str, Labels] = {}
        self._last = 0
        self._symbolic = self._spread(function)
        self.last_use: dict[int, int] = {}
        self._note_uses(function)

    def of(self, value: Value) -> Labels:
        """The labels of an operand's leaves."""
        if not value.is_local:
            return (0,) * len(shape(value.type))
        known = self._known.get(value.text)
        if known is None:
            known = self._known[value.text] = self._resolve(value)
        return known

    def scalar(self, value: Value) -> int:
        """The label of an operand that is no aggregate."""
        labels = self.of(value)
        return labels[0] if len(labels) == 1 else 0

    def fresh(self) -> int:
        """A label for a value of our own, used anywhere."""
        self._last += 1
        self.last_use[self._last] = FOREVER
        return self._last

    def _resolve(self, value: Value) -> Labels:
        definition = self._definitions.get(value.text)
        if is_alias(definition):
            assert isinstance(definition, Cast)
            return self.of(definition.value)
        if isinstance(definition, ExtractValue):
            return self._extracted(definition)
        if isinstance(definition, InsertValue):
            return self._inserted(definition)
        if value.text not in self._symbolic:
            return (0,) * len(shape(value.type))
        return tuple(self._number() if label_width(leaf.type) else 0 for leaf in shape(value.type))

    def _number(self) -> int:
        self._last += 1
        return self._last

    def _extracted(self, instruction: ExtractValue) -> Labels:
        whole = self.of(instruction.aggregate)
        first, count = _span(instruction.aggregate.type, instruction.indices)
        return whole[first : first + count]

    def _inserted(self, instruction: InsertValue) -> Labels:
        whole = self.of(instruction.aggregate)
        first, count = _span(instruction.aggregate.type, instruction.indices)
        return whole[:first] + self.of(instruction.element) + whole[first + count :]

    def _spread(self, function: FunctionBody) -> set[str]:
        symbolic = {p.name for p in function.parameters if _labelled(p.type) and p.byval is None}
        instructions = [i for block in function.blocks for i in block.instructions if i.result and _labelled(i.type)]
        symbolic.update(
            i.result for i in instructions if isinstance(i, Load | CallInstruction | AtomicUpdate | CompareExchange)
        )
        rest = [i for i in instructions if i.result not in symbolic and not isinstance(i, Concrete | Alloca)]
        changed = True
        while changed:
            changed = False
            for instruction in rest:
                if instruction.result not in symbolic and _any_symbolic(instruction, symbolic):
                    symbolic.add(instruction.result)
                    changed = True
        return symbolic

    def _note_uses(self, function: FunctionBody) -> None:
        """Where each label is used last: its index in the block that defines it, or FOREVER if elsewhere too."""
        defined_in: dict[int, int] = {}
        for number, block in enumerate(function.blocks):
            for instruction in block.instructions:
                if instruction.result:
                    for label in self.of(Value(instruction.type, instruction.result)):
                        defined_in.setdefault(label, number)
        for number, block in enumerate(function.blocks):
            for index, instruction in enumerate(block.instructions):
                at = FOREVER if isinstance(instruction, Phi) else index
                for operand in (*instruction.operands, *_callee(instruction)):
                    for label in self.of(operand):
                        use = at if defined_in.get(label) == number else FOREVER
                        self.last_use[label] = max(self.last_use.get(label, -1), use)


def shape(whole: Type) -> tuple[Leaf, ...]:
    """The leaves of a type."""
    return tuple(leaves(whole))


def is_alias(instruction: Instruction | None) -> bool:
    """The same bits under another name: the label is the operand's own."""
    if not isinstance(instruction, Cast):
        return False
    if instruction.op == "freeze":
        return True
    same_width = label_width(instruction.type) == label_width(instruction.value.type) != 0
    return same_width and instruction.op in _SAME_BITS


def _callee(instruction: Instruction) -> tuple[Value, ...]:
    if isinstance(instruction, CallInstruction) and instruction.callee.startswith("%"):
        return (Value(Pointer(), instruction.callee),)
    return ()


def _labelled(kind: Type) -> bool:
    return any(label_width(leaf.type) for leaf in leaves(kind))


def _any_symbolic(instruction: Instruction, symbolic: set[str]) -> bool:
    return any(operand.text in symbolic for operand in instruction.operands)


def _span(whole: Type, indices: tuple[int, ...]) -> tuple[int, int]:
    """Which leaves of an aggregate the indices name: the first, and how many."""
    inside = [number for number, leaf in enumerate(leaves(whole)) if leaf.indices[: len(indices)] == indices]
    return (inside[0], len(inside)) if inside else (0, 0)
