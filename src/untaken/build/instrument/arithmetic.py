"""Labels of values computed from values: arithmetic, comparisons, casts, addresses, intrinsics without memory."""

from __future__ import annotations

from untaken.build.instrument import abi
from untaken.build.instrument.writing.constants import constant_bits
from untaken.build.instrument.writing.steps import LARGEST_EXTRA, Offset, Step
from untaken.build.instrument.writing.writer import FunctionWriter
from untaken.build.ir.instructions import (
    BinaryOperation,
    CallInstruction,
    Cast,
    Compare,
    Concrete,
    GetElementPointer,
    Instruction,
    Select,
)
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Array, Integer, Pointer, Struct, Type, Vector, is_wide, label_width

Labelled = tuple[Value, int]
_EXCHANGED = {"ugt": "ult", "uge": "ule", "sgt": "slt", "sge": "sle"}  # what b op a is


def result_of(instruction: Instruction) -> Value:
    """The instruction's own value as an operand."""
    return Value(instruction.type, instruction.result)


def labelled(writer: FunctionWriter, value: Value) -> Labelled:
    """A scalar with its label."""
    return value, writer.labels.scalar(value)


def binary(writer: FunctionWriter, instruction: BinaryOperation) -> None:
    """Arithmetic, bit operations and integer comparisons."""
    ops = abi.COMPARE_OPS if isinstance(instruction, Compare) else abi.BINARY_OPS
    op, a, b = instruction.op, instruction.a, instruction.b
    if op in _EXCHANGED:
        op, a, b = _EXCHANGED[op], b, a
    binary_label(writer, ops[op], a, b, result_of(instruction))


def binary_label(writer: FunctionWriter, op: int, a: Value, b: Value, result: Value) -> None:
    """The label of a value computed from two."""
    operands = labelled(writer, a), labelled(writer, b)
    own = labelled(writer, result)
    if operands[0][1] or operands[1][1]:
        writer.group.step(Step.BINARY, own, *operands, descriptor=op | label_width(a.type) << 8)
    else:
        nothing(writer, own[1])


def cast(writer: FunctionWriter, instruction: Cast) -> None:
    """Widening and narrowing; casts that keep the bits share the operand's label and need nothing."""
    own, source = labelled(writer, result_of(instruction)), labelled(writer, instruction.value)
    if source[1] == own[1]:
        return
    if not (label_width(instruction.value.type) and label_width(instruction.type)):
        concretise(writer, (instruction.value,), _reason(instruction.type))
        return
    cast_label(writer, instruction.op, source, own)


def cast_label(writer: FunctionWriter, op: str, source: Labelled, own: Labelled) -> None:
    """The label of a widened or narrowed value."""
    before, after = label_width(source[0].type), label_width(own[0].type)
    if op not in abi.CAST_OPS:  # ptrtoint and inttoptr that change the width
        op = "trunc" if after < before else "zext"
    writer.group.step(Step.CAST, own, source, descriptor=abi.CAST_OPS[op] | before << 8 | after << 16)


def select(writer: FunctionWriter, instruction: Select) -> None:
    """A select that is no conditional of the source: an if-then-else expression."""
    own = writer.labels.of(result_of(instruction))
    if len(own) != 1:
        concretise(writer, instruction.operands, abi.BY_OTHER)
        for label in own:
            nothing(writer, label)
    elif own[0]:
        operands = [labelled(writer, value) for value in instruction.operands]
        writer.group.step(
            Step.SELECT, (result_of(instruction), own[0]), *operands, descriptor=label_width(instruction.type)
        )


def get_element_pointer(writer: FunctionWriter, instruction: GetElementPointer) -> None:
    """An address: base plus each symbolic index times its scale, plus what is concrete of the offset."""
    result = labelled(writer, result_of(instruction))
    if not result[1]:
        return
    indices, fixed = _scaled_indices(instruction)
    symbolic = [(value, scale) for value, scale in indices if writer.labels.scalar(value)]
    if len(symbolic) < len(indices):
        rest = _concrete_rest(writer, [index for index in indices if index not in symbolic], fixed)
    else:
        rest = Value(Integer(64), str(fixed))
    reached = labelled(writer, instruction.base)
    nothing_left = Value(Integer(64), "0")
    for value, scale in symbolic[:-1]:
        moved = writer.group.before(f"mul i64 {_wide(writer, value)}, {scale}")
        place = Value(Pointer(), writer.group.before(f"getelementptr i8, ptr {reached[0].text}, i64 {moved}"))
        following = (place, writer.labels.fresh())
        _offset(writer, following, reached, (value, scale), nothing_left)
        reached = following
    if symbolic:
        _offset(writer, result, reached, symbolic[-1], rest)
    else:
        writer.group.defer(result[1], Offset(result[0], reached, rest))


def _offset(writer: FunctionWriter, result: Labelled, base: Labelled, index: tuple[Value, int], rest: Value) -> None:
    value, scale = index
    number = labelled(writer, value)
    if scale > LARGEST_EXTRA:
        number, scale = _scaled(writer, number, scale), 1
    width = label_width(number[0].type)
    writer.group.step(Step.OFFSET, result, base, number, (rest, 0), descriptor=width, extra=scale)


def _scaled(writer: FunctionWriter, index: Labelled, scale: int) -> Labelled:
    """By more than a step has room for."""
    wide = Integer(64)
    number = Value(wide, _wide(writer, index[0])), index[1]
    if index[0].type != wide:
        number = number[0], writer.labels.fresh()
        descriptor = abi.CAST_OPS["sext"] | label_width(index[0].type) << 8 | wide.width << 16
        writer.group.step(Step.CAST, number, index, descriptor=descriptor)
    product = Value(wide, writer.group.before(f"mul {number[0]}, {scale}")), writer.labels.fresh()
    factor = (Value(wide, str(scale)), 0)
    writer.group.step(Step.BINARY, product, number, factor, descriptor=abi.BINARY_OPS["mul"] | wide.width << 8)
    return product


def _concrete_rest(writer: FunctionWriter, concrete: list[tuple[Value, int]], fixed: int) -> Value:
    """The part of the offset that is not symbolic, though not a constant."""
    total = str(fixed)
    for value, scale in concrete:
        product = writer.group.before(f"mul i64 {_wide(writer, value)}, {scale}")
        total = writer.group.before(f"add i64 {total}, {product}")
    return Value(Integer(64), total)


def _wide(writer: FunctionWriter, value: Value) -> str:
    return value.text if value.type == Integer(64) else writer.group.before(f"sext {value} to i64")


def _scaled_indices(instruction: GetElementPointer) -> tuple[list[tuple[Value, int]], int]:
    """The variable indices, each with the size of what it steps over; and the sum of the constant parts."""
    kind: Type = instruction.source
    found, fixed = _indexed(instruction.indices[0], kind.stride)
    for index in instruction.indices[1:]:
        if isinstance(kind, Struct):
            field = constant_bits(index) or 0
            fixed += kind.offsets[field]
            kind = kind.elements[field]
        else:
            assert isinstance(kind, Array | Vector)
            kind = kind.element
            more, constant = _indexed(index, kind.stride)
            found += more
            fixed += constant
    return found, fixed


def _indexed(index: Value, scale: int) -> tuple[list[tuple[Value, int]], int]:
    bits = constant_bits(index)
    if bits is None:
        return [(index, scale)], 0
    assert isinstance(index.type, Integer)
    signed = bits - (1 << index.type.width) if bits >> (index.type.width - 1) else bits
    return [], signed * scale


def concretise(writer: FunctionWriter, values: tuple[Value, ...], why: int | None = None) -> None:
    """Counts symbolic operands of an instruction that is computed concretely."""
    for value in values:
        labels = [label for label in writer.labels.of(value) if label]
        for label in labels:
            kind = _reason(value.type) if why is None else why
            scalar = value if len(writer.labels.of(value)) == 1 else Value(Integer(64), "0")
            _concretise_label(writer, scalar, label, kind)


def _concretise_label(writer: FunctionWriter, value: Value, label: int, kind: int) -> None:
    if value.is_local:
        writer.group.step(Step.CONCRETISE, None, (value, label), descriptor=kind, extra=writer.line)
    else:
        writer.group.after(
            f"call void @__untaken_concretise(i32 {kind}, i32 {writer.group.label(label)}, i32 {writer.line})"
        )


def _reason(kind: Type) -> int:
    return abi.BY_WIDE if isinstance(kind, Integer | Pointer) else abi.BY_FLOAT


def concrete(writer: FunctionWriter, instruction: Concrete) -> None:
    """Vectors, and floating point that has no labels."""
    why = {"float": abi.BY_FLOAT, "vector": abi.BY_VECTOR}.get(instruction.op, abi.BY_OTHER)
    concretise(writer, instruction.inputs, why)


def intrinsic(writer: FunctionWriter, call: CallInstruction, name: str) -> bool:
    """Intrinsics that only compute. False if this is none of them."""
    parts = name.split(".")
    values = call.operands
    if not values or label_width(values[0].type) == 0 or (is_wide(values[0].type) and _is_narrow(parts)):
        return False
    result = result_of(call)
    if parts[0] in abi.UNARY_OPS:
        _unary_label(writer, abi.UNARY_OPS[parts[0]], values[0], result)
    elif parts[0] in ("smin", "smax", "umin", "umax"):
        binary_label(writer, abi.BINARY_OPS[parts[0]], values[0], values[1], result)
    elif parts[0] in abi.OVERFLOW_OPS and parts[1:3] == ["with", "overflow"]:
        _with_overflow(writer, abi.OVERFLOW_OPS[parts[0]], values, call)
    elif parts[0] in abi.SATURATING_OPS and parts[1:2] == ["sat"]:
        binary_label(writer, abi.SATURATING_OPS[parts[0]], values[0], values[1], result)
    elif parts[0] in ("fshl", "fshr"):
        _funnel(writer, parts[0] == "fshr", values, result)
    elif parts[0] == "expect":
        _copy_label(writer, values[0], result)
    else:
        return False
    return True


def _is_narrow(parts: list[str]) -> bool:
    """Whether an intrinsic is followed only with what fits into a word."""
    return parts[0] in ("fshl", "fshr") or parts[1:2] == ["sat"]


def _unary_label(writer: FunctionWriter, op: int, value: Value, result: Value) -> None:
    source, own = labelled(writer, value), labelled(writer, result)
    if source[1]:
        writer.group.step(Step.UNARY, own, source, descriptor=op | label_width(value.type) << 8)
    else:
        nothing(writer, own[1])


def _with_overflow(
    writer: FunctionWriter, ops: tuple[int, int], values: tuple[Value, ...], call: CallInstruction
) -> None:
    a, b = labelled(writer, values[0]), labelled(writer, values[1])
    width = label_width(values[0].type)
    parts = (Integer(width), Integer(1))
    for index, (op, label) in enumerate(zip(ops, writer.labels.of(result_of(call)), strict=True)):
        if a[1] or b[1]:
            part = Value(parts[index], writer.group.before(f"extractvalue {result_of(call)}, {index}"))
            writer.group.step(Step.BINARY, (part, label), a, b, descriptor=op | width << 8)
        else:
            nothing(writer, label)


def _funnel(writer: FunctionWriter, right: bool, values: tuple[Value, ...], result: Value) -> None:
    operands = [labelled(writer, value) for value in values]
    own = labelled(writer, result)
    if any(label for _, label in operands):
        writer.group.step(Step.FUNNEL, own, *operands, descriptor=label_width(result.type) << 8 | int(right))
    else:
        nothing(writer, own[1])


def _copy_label(writer: FunctionWriter, value: Value, result: Value) -> None:
    source, own = labelled(writer, value), labelled(writer, result)
    if source[1]:
        writer.group.step(Step.BINARY, own, source, (Value(value.type, "0"), 0), descriptor=_identity(value.type))
    else:
        nothing(writer, own[1])


def _identity(kind: Type) -> int:
    return abi.BINARY_OPS["or"] | label_width(kind) << 8


def nothing(writer: FunctionWriter, label: int) -> None:
    """A value that counted as symbolic until looked at, and is not."""
    if label:
        writer.emit(f"  %$.l{label} = add i32 0, 0")
