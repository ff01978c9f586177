"""The instructions that the reader gives out, one small class each. `text` is the line as LLVM printed it."""

from __future__ import annotations

from dataclasses import dataclass

from untaken.build.ir.syntax import Value
from untaken.build.ir.types import FunctionType, Type


@dataclass(frozen=True, slots=True)
class Instruction:
    text: str
    result: str  # "%name", or "" if there is none
    type: Type  # of the result
    debug: str  # "!12", or ""

    @property
    def operands(self) -> tuple[Value, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Binary(Instruction):
    op: str
    a: Value
    b: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.a, self.b)


@dataclass(frozen=True, slots=True)
class Compare(Binary):
    """icmp; `op` is the predicate."""


@dataclass(frozen=True, slots=True)
class Cast(Instruction):
    op: str
    value: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.value,)


@dataclass(frozen=True, slots=True)
class GetElementPointer(Instruction):
    source: Type
    base: Value
    indices: tuple[Value, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.base, *self.indices)


@dataclass(frozen=True, slots=True)
class Load(Instruction):
    pointer: Value
    align: int

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.pointer,)


@dataclass(frozen=True, slots=True)
class Store(Instruction):
    value: Value
    pointer: Value
    align: int

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.value, self.pointer)


@dataclass(frozen=True, slots=True)
class Alloca(Instruction):
    allocated: Type
    count: Value | None

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.count,) if self.count else ()


@dataclass(frozen=True, slots=True)
class Phi(Instruction):
    incoming: tuple[tuple[Value, str], ...]  # value, "%block"

    @property
    def operands(self) -> tuple[Value, ...]:
        return tuple(value for value, _ in self.incoming)


@dataclass(frozen=True, slots=True)
class Select(Instruction):
    condition: Value
    a: Value
    b: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.condition, self.a, self.b)


@dataclass(frozen=True, slots=True)
class Jump(Instruction):
    target: str


@dataclass(frozen=True, slots=True)
class Branch(Instruction):
    condition: Value
    true_target: str
    false_target: str

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.condition,)


@dataclass(frozen=True, slots=True)
class Switch(Instruction):
    value: Value
    default: str
    cases: tuple[tuple[int, str], ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.value,)


@dataclass(frozen=True, slots=True)
class IndirectBranch(Instruction):
    address: Value
    targets: tuple[str, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.address,)


@dataclass(frozen=True, slots=True)
class Return(Instruction):
    value: Value | None

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.value,) if self.value else ()


@dataclass(frozen=True, slots=True)
class Unreachable(Instruction):
    pass


@dataclass(frozen=True, slots=True)
class Argument:
    """Of a call: the value with the type it is passed as; `byval` is the type copied, if it is."""

    value: Value
    byval: Type | None = None


@dataclass(frozen=True, slots=True)
class Call(Instruction):
    callee: str  # "@name", "%pointer", or "asm"
    function: FunctionType
    arguments: tuple[Argument, ...]
    must_tail: bool
    callee_start: int  # where the callee stands in `text`

    @property
    def operands(self) -> tuple[Value, ...]:
        return tuple(argument.value for argument in self.arguments)


@dataclass(frozen=True, slots=True)
class ExtractValue(Instruction):
    aggregate: Value
    indices: tuple[int, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.aggregate,)


@dataclass(frozen=True, slots=True)
class InsertValue(Instruction):
    aggregate: Value
    element: Value
    indices: tuple[int, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.aggregate, self.element)


@dataclass(frozen=True, slots=True)
class AtomicUpdate(Instruction):
    op: str
    pointer: Value
    value: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.pointer, self.value)


@dataclass(frozen=True, slots=True)
class CompareExchange(Instruction):
    pointer: Value
    expected: Value
    new: Value

    @property
    def operands(self) -> tuple[Value, ...]:
        return (self.pointer, self.expected, self.new)


@dataclass(frozen=True, slots=True)
class Concrete(Instruction):
    """Computed concretely: floating point, vectors, va_arg, fences."""

    op: str
    inputs: tuple[Value, ...]

    @property
    def operands(self) -> tuple[Value, ...]:
        return self.inputs


TERMINATORS = (Jump, Branch, Switch, IndirectBranch, Return, Unreachable)
