"""The instructions that the reader gives out, one small class each. `text` is the line as LLVM printed it."""

from __future__ import annotations

from dataclasses import dataclass

from untaken.build.ir.syntax import Value
from untaken.build.ir.types import FunctionType, Type


@dataclass(slots=True, eq=False, repr=False)
class Instruction:
    text: str
    result: str  # "%name", or "" if there is none
    type: Type  # of the result
    debug: str  # "!12", or ""

    @property
    def operands(self) -> tuple[Value, ...]:
        return ()


@dataclass(slots=True, eq=False, repr=False)
class BinaryOperation(Instruction):
    op: str
    a: Value
    b: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.a, self.b)


@dataclass(slots=True, eq=False, repr=False)
class Compare(BinaryOperation):
    """icmp; `op` is the predicate."""


@dataclass(slots=True, eq=False, repr=False)
class Cast(Instruction):
    op: str
    value: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.value,)


@dataclass(slots=True, eq=False, repr=False)
class GetElementPointer(Instruction):
    source: Type
    base: Value
    indices: tuple[Value, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.base, *self.indices)


@dataclass(slots=True, eq=False, repr=False)
class Load(Instruction):
    pointer: Value
    align: int

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.pointer,)


@dataclass(slots=True, eq=False, repr=False)
class StoreInstruction(Instruction):
    value: Value
    pointer: Value
    align: int

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.value, self.pointer)


@dataclass(slots=True, eq=False, repr=False)
class Alloca(Instruction):
    allocated: Type
    count: Value | None

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.count,) if self.count else ()


@dataclass(slots=True, eq=False, repr=False)
class Phi(Instruction):
    incoming: tuple[tuple[Value, str], ...]  # value, "%block"

    @property
    def operands(self) -> tuple[Value, ...]:
        return tuple(value for value, _ in self.incoming)


@dataclass(slots=True, eq=False, repr=False)
class Select(Instruction):
    condition: Value
    a: Value
    b: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.condition, self.a, self.b)


@dataclass(slots=True, eq=False, repr=False)
class Jump(Instruction):
    target: str


@dataclass(slots=True, eq=False, repr=False)
class ConditionalBranch(Instruction):
    condition: Value
    true_target: str
    false_target: str

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.condition,)


@dataclass(slots=True, eq=False, repr=False)
class Switch(Instruction):
    value: Value
    default: str
    cases: tuple[tuple[int, str], ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.value,)


@dataclass(slots=True, eq=False, repr=False)
class IndirectBranch(Instruction):
    address: Value
    targets: tuple[str, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.address,)


@dataclass(slots=True, eq=False, repr=False)
class Return(Instruction):
    value: Value | None

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.value,) if self.value else ()


@dataclass(slots=True, eq=False, repr=False)
class Unreachable(Instruction):
    pass


@dataclass(slots=True, eq=False, repr=False)
class Argument:
    """Of a call: the value with the type it is passed as; `byval` is the type copied, if it is."""

    value: Value
    byval: Type | None = None


@dataclass(slots=True, eq=False, repr=False)
class CallInstruction(Instruction):
    callee: str  # "@name", "%pointer", or "asm"
    function: FunctionType
    arguments: tuple[Argument, ...]
    must_tail: bool
    callee_start: int  # where the callee stands in `text`

    @property
    def operands(self) -> tuple[Value, ...]:
        return tuple(argument.value for argument in self.arguments)


@dataclass(slots=True, eq=False, repr=False)
class ExtractValue(Instruction):
    aggregate: Value
    indices: tuple[int, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.aggregate,)


@dataclass(slots=True, eq=False, repr=False)
class InsertValue(Instruction):
    aggregate: Value
    element: Value
    indices: tuple[int, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.aggregate, self.element)


@dataclass(slots=True, eq=False, repr=False)
class AtomicUpdate(Instruction):
    op: str
    pointer: Value
    value: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.pointer, self.value)


@dataclass(slots=True, eq=False, repr=False)
class CompareExchange(Instruction):
    pointer: Value
    expected: Value
    new: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.pointer, self.expected, self.new)


@dataclass(slots=True, eq=False, repr=False)
class FloatOperation(Instruction):
    """With floats or doubles; `op` is fcmp's predicate, or the name of the instruction."""

    op: str
    inputs: tuple[Value, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return self.inputs


@dataclass(slots=True, eq=False, repr=False)
class Concrete(Instruction):
    """Computed concretely: vectors, floating point of other types, va_arg, fences."""

    op: str
    inputs: tuple[Value, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return self.inputs


def successors(terminator: Instruction) -> tuple[str, ...]:
    """The blocks that may come next."""
    match terminator:
        case Jump():
            return (terminator.target,)
        case ConditionalBranch():
            return (terminator.true_target, terminator.false_target)
        case Switch():
            return (terminator.default, *(target for _, target in terminator.cases))
        case IndirectBranch():
            return terminator.targets
    return ()
