"""Reads one instruction of printed IR: a method for each form of operand list."""

from __future__ import annotations

import re
from collections.abc import Callable

from untaken.build.ir.call_arguments import read_arguments
from untaken.build.ir.instructions import (
    Alloca,
    AtomicUpdate,
    BinaryOperation,
    CallInstruction,
    Cast,
    Compare,
    CompareExchange,
    Concrete,
    ConditionalBranch,
    ExtractValue,
    FloatOperation,
    GetElementPointer,
    IndirectBranch,
    InsertValue,
    Instruction,
    Jump,
    Load,
    Phi,
    Return,
    Select,
    StoreInstruction,
    Switch,
    Unreachable,
)
from untaken.build.ir.syntax import Cursor, Value, starts_type
from untaken.build.ir.types import FunctionType, Integer, Pointer, Struct, Type, Vector, Void, element_at, label_width
from untaken.errors import InstrumentationError

_FLAGS = frozenset(
    """nuw nsw exact disjoint nneg samesign inbounds nusw volatile atomic fast nnan ninf nsz arcp contract afn reassoc
    weak inalloca swifterror""".split()
)
_RESULT = re.compile(r'\s*(%(?:"[^"]*"|[-\w$.]+)) = ')
_DEBUG = re.compile(r", !dbg (!\d+)")
_ALIGN = re.compile(r", align (\d+)")
_VOID = Void()


def read_instruction(text: str, named_types: dict[str, Type]) -> Instruction:
    """Reads one instruction, as printed."""
    match = _RESULT.match(text)
    result = match.group(1) if match else ""
    debug = _DEBUG.search(text)
    reader = _InstructionReader(text, result, debug.group(1) if debug else "", match.end() if match else 0, named_types)
    return reader.read()


class _InstructionReader:
    """One instruction; a method for each form of operand list."""

    def __init__(self, text: str, result: str, debug: str, start: int, named_types: dict[str, Type]) -> None:
        self.text, self.result, self.debug, self.start = text, result, debug, start
        self.named_types = named_types
        self.cursor = Cursor(text[start:], named_types)

    def read(self) -> Instruction:
        opcode = self.cursor.next()
        if opcode in ("tail", "musttail", "notail"):
            self.cursor.expect("call")
            return self._call(must_tail=opcode == "musttail")
        read = _READERS.get(opcode)
        if read is None:
            raise InstrumentationError(f"untaken does not know the LLVM instruction '{opcode}': {self.text.strip()}")
        self.cursor.skip_words(_FLAGS)
        return read(self, opcode)

    def _align(self, default: Type) -> int:
        match = _ALIGN.search(self.text)
        return int(match.group(1)) if match else default.alignment

    def _two(self) -> tuple[Value, Value]:
        a = self.cursor.typed_value()
        self.cursor.expect(",")
        return a, self.cursor.value(a.type)

    def binary(self, opcode: str) -> Instruction:
        a, b = self._two()
        if isinstance(a.type, Vector):
            return Concrete(self.text, self.result, a.type, self.debug, "vector", (a, b))
        return BinaryOperation(self.text, self.result, a.type, self.debug, opcode, a, b)

    def compare(self, opcode: str) -> Instruction:
        predicate = self.cursor.next()
        a, b = self._two()
        if isinstance(a.type, Vector):
            return Concrete(self.text, self.result, Vector(a.type.count, Integer(1)), self.debug, "vector", (a, b))
        return Compare(self.text, self.result, Integer(1), self.debug, predicate, a, b)

    def float_compare(self, opcode: str) -> Instruction:
        predicate = self.cursor.next()
        a, b = self._two()
        count = a.type.count if isinstance(a.type, Vector) else 0
        kind: Type = Vector(count, Integer(1)) if count else Integer(1)
        return self._float(predicate, kind, (a, b))

    def float_operation(self, opcode: str) -> Instruction:
        a = self.cursor.typed_value()
        values = [a]
        if self.cursor.accept(","):
            values.append(self.cursor.value(a.type))
        return self._float(opcode, a.type, tuple(values))

    def _float(self, op: str, kind: Type, values: tuple[Value, ...]) -> Instruction:
        """Concrete, if there are no labels for these types or no expression for the operation."""
        if op == "frem" or not all(map(label_width, (kind, *(value.type for value in values)))):
            return Concrete(self.text, self.result, kind, self.debug, "float", values)
        return FloatOperation(self.text, self.result, kind, self.debug, op, values)

    def cast(self, opcode: str) -> Instruction:
        value = self.cursor.typed_value()
        self.cursor.expect("to")
        to = self.cursor.type()
        if isinstance(value.type, Vector) or isinstance(to, Vector):
            return Concrete(self.text, self.result, to, self.debug, "vector", (value,))
        if opcode in _FLOAT_CASTS:
            return self._float(opcode, to, (value,))
        return Cast(self.text, self.result, to, self.debug, opcode, value)

    def get_element_pointer(self, opcode: str) -> Instruction:
        if self.cursor.accept("inrange"):
            self.cursor.skip_group()
        self.cursor.skip_words(_FLAGS)
        source = self.cursor.type()
        self.cursor.expect(",")
        values = [self.cursor.typed_value()]
        while self.cursor.peek() == "," and not self.cursor.peek(1).startswith("!"):
            self.cursor.next()
            values.append(self.cursor.typed_value())
        if any(isinstance(value.type, Vector) for value in values):
            count = next(value.type.count for value in values if isinstance(value.type, Vector))
            return Concrete(self.text, self.result, Vector(count, Pointer()), self.debug, "vector", tuple(values))
        return GetElementPointer(self.text, self.result, Pointer(), self.debug, source, values[0], tuple(values[1:]))

    def load(self, opcode: str) -> Instruction:
        kind = self.cursor.type()
        self.cursor.expect(",")
        return Load(self.text, self.result, kind, self.debug, self.cursor.typed_value(), self._align(kind))

    def store(self, opcode: str) -> Instruction:
        value = self.cursor.typed_value()
        self.cursor.expect(",")
        return StoreInstruction(
            self.text, "", _VOID, self.debug, value, self.cursor.typed_value(), self._align(value.type)
        )

    def alloca(self, opcode: str) -> Instruction:
        kind = self.cursor.type()
        count = None
        if self.cursor.peek() == "," and starts_type(self.cursor.peek(1)):
            self.cursor.next()
            count = self.cursor.typed_value()
        return Alloca(self.text, self.result, Pointer(), self.debug, kind, count)

    def phi(self, opcode: str) -> Instruction:
        kind = self.cursor.type()
        incoming: list[tuple[Value, str]] = []
        while self.cursor.accept("["):
            value = self.cursor.value(kind)
            self.cursor.expect(",")
            incoming.append((value, self.cursor.next()))
            self.cursor.expect("]")
            if self.cursor.peek(1) == "[":
                self.cursor.expect(",")
        return Phi(self.text, self.result, kind, self.debug, tuple(incoming))

    def select(self, opcode: str) -> Instruction:
        values = [self.cursor.typed_value()]
        for _ in range(2):
            self.cursor.expect(",")
            values.append(self.cursor.typed_value())
        condition, a, b = values
        if isinstance(condition.type, Vector) or isinstance(a.type, Vector):
            return Concrete(self.text, self.result, a.type, self.debug, "vector", tuple(values))
        return Select(self.text, self.result, a.type, self.debug, condition, a, b)

    def branch(self, opcode: str) -> Instruction:
        if self.cursor.accept("label"):
            return Jump(self.text, "", _VOID, self.debug, self.cursor.next())
        condition = self.cursor.typed_value()
        targets = []
        for _ in range(2):
            self.cursor.expect(",")
            self.cursor.expect("label")
            targets.append(self.cursor.next())
        return ConditionalBranch(self.text, "", _VOID, self.debug, condition, targets[0], targets[1])

    def switch(self, opcode: str) -> Instruction:
        value = self.cursor.typed_value()
        self.cursor.expect(",")
        self.cursor.expect("label")
        default = self.cursor.next()
        self.cursor.expect("[")
        cases: list[tuple[int, str]] = []
        while not self.cursor.accept("]"):
            constant = self.cursor.typed_value().text
            self.cursor.expect(",")
            self.cursor.expect("label")
            bits = int(constant == "true") if constant in ("true", "false") else int(constant)
            cases.append((bits, self.cursor.next()))
        return Switch(self.text, "", _VOID, self.debug, value, default, tuple(cases))

    def indirect_branch(self, opcode: str) -> Instruction:
        address = self.cursor.typed_value()
        self.cursor.expect(",")
        self.cursor.expect("[")
        targets: list[str] = []
        while not self.cursor.accept("]"):
            self.cursor.expect("label")
            targets.append(self.cursor.next())
            self.cursor.accept(",")
        return IndirectBranch(self.text, "", _VOID, self.debug, address, tuple(targets))

    def return_(self, opcode: str) -> Instruction:
        if self.cursor.accept("void"):
            return Return(self.text, "", _VOID, self.debug, None)
        return Return(self.text, "", _VOID, self.debug, self.cursor.typed_value())

    def unreachable(self, opcode: str) -> Instruction:
        return Unreachable(self.text, "", _VOID, self.debug)

    def extract_value(self, opcode: str) -> Instruction:
        aggregate = self.cursor.typed_value()
        indices = self._index_list()
        kind = element_at(aggregate.type, indices)
        return ExtractValue(self.text, self.result, kind, self.debug, aggregate, indices)

    def insert_value(self, opcode: str) -> Instruction:
        aggregate = self.cursor.typed_value()
        self.cursor.expect(",")
        element = self.cursor.typed_value()
        indices = self._index_list()
        return InsertValue(self.text, self.result, aggregate.type, self.debug, aggregate, element, indices)

    def _index_list(self) -> tuple[int, ...]:
        indices: list[int] = []
        while self.cursor.peek() == "," and self.cursor.peek(1).isdigit():
            self.cursor.next()
            indices.append(int(self.cursor.next()))
        return tuple(indices)

    def vector(self, opcode: str) -> Instruction:
        values = [self.cursor.typed_value()]
        while self.cursor.peek() == "," and not self.cursor.peek(1).startswith("!"):
            self.cursor.next()
            values.append(self.cursor.typed_value())
        first = values[0].type
        kind = first
        if opcode == "extractelement" and isinstance(first, Vector):
            kind = first.element
        elif opcode == "shufflevector" and isinstance(first, Vector) and isinstance(values[2].type, Vector):
            kind = Vector(values[2].type.count, first.element)
        return Concrete(self.text, self.result, kind, self.debug, "vector", tuple(values))

    def freeze(self, opcode: str) -> Instruction:
        value = self.cursor.typed_value()
        return Cast(self.text, self.result, value.type, self.debug, "freeze", value)

    def fence(self, opcode: str) -> Instruction:
        return Concrete(self.text, "", _VOID, self.debug, "fence", ())

    def va_arg(self, opcode: str) -> Instruction:
        pointer = self.cursor.typed_value()
        self.cursor.expect(",")
        return Concrete(self.text, self.result, self.cursor.type(), self.debug, "va_arg", (pointer,))

    def atomic_update(self, opcode: str) -> Instruction:
        op = self.cursor.next()
        pointer = self.cursor.typed_value()
        self.cursor.expect(",")
        value = self.cursor.typed_value()
        return AtomicUpdate(self.text, self.result, value.type, self.debug, op, pointer, value)

    def compare_exchange(self, opcode: str) -> Instruction:
        values = [self.cursor.typed_value()]
        for _ in range(2):
            self.cursor.expect(",")
            values.append(self.cursor.typed_value())
        kind = Struct((values[1].type, Integer(1)))
        return CompareExchange(self.text, self.result, kind, self.debug, values[0], values[1], values[2])

    def call(self, opcode: str) -> Instruction:
        return self._call(must_tail=False)

    def _call(self, must_tail: bool) -> Instruction:
        cursor = self.cursor
        cursor.skip_result_attributes()
        kind = cursor.type()
        callee_start = self.start + cursor.start()
        callee = cursor.next()
        if callee == "asm":
            while cursor.peek() != "(":
                cursor.next()
        elif cursor.peek() != "(":
            raise InstrumentationError(f"untaken cannot read this call: {self.text.strip()}")
        arguments = read_arguments(cursor)
        if isinstance(kind, FunctionType):
            function = kind
        else:
            function = FunctionType(kind, tuple(argument.value.type for argument in arguments), False)
        return CallInstruction(
            self.text, self.result, function.result, self.debug, callee, function, arguments, must_tail, callee_start
        )


_FLOAT_CASTS = frozenset("fptrunc fpext fptoui fptosi uitofp sitofp".split())
_INTEGER_CASTS = "trunc zext sext ptrtoint ptrtoaddr inttoptr bitcast addrspacecast".split()
_READERS: dict[str, Callable[[_InstructionReader, str], Instruction]] = {
    **dict.fromkeys("add sub mul udiv sdiv urem srem shl lshr ashr and or xor".split(), _InstructionReader.binary),
    **dict.fromkeys("fadd fsub fmul fdiv frem fneg".split(), _InstructionReader.float_operation),
    **dict.fromkeys([*_INTEGER_CASTS, *_FLOAT_CASTS], _InstructionReader.cast),
    **dict.fromkeys("extractelement insertelement shufflevector".split(), _InstructionReader.vector),
    "icmp": _InstructionReader.compare,
    "fcmp": _InstructionReader.float_compare,
    "getelementptr": _InstructionReader.get_element_pointer,
    "load": _InstructionReader.load,
    "store": _InstructionReader.store,
    "alloca": _InstructionReader.alloca,
    "phi": _InstructionReader.phi,
    "select": _InstructionReader.select,
    "br": _InstructionReader.branch,
    "switch": _InstructionReader.switch,
    "indirectbr": _InstructionReader.indirect_branch,
    "ret": _InstructionReader.return_,
    "unreachable": _InstructionReader.unreachable,
    "extractvalue": _InstructionReader.extract_value,
    "insertvalue": _InstructionReader.insert_value,
    "freeze": _InstructionReader.freeze,
    "fence": _InstructionReader.fence,
    "va_arg": _InstructionReader.va_arg,
    "atomicrmw": _InstructionReader.atomic_update,
    "cmpxchg": _InstructionReader.compare_exchange,
    "call": _InstructionReader.call,
}
