"""Labels of floating point: arithmetic, comparisons, casts, and the intrinsics that mathematical functions become.

Expressions have IEEE 754's meaning, and round to nearest. Compilers may take liberties (-ffast-math, contraction), so
the runtime compares each result with the program's own, and drops the label where they differ, or where the program has
asked for another rounding.
"""

from __future__ import annotations

from untaken.build.instrument import abi
from untaken.build.instrument.arithmetic import Labelled, labelled, nothing, result_of
from untaken.build.instrument.writing.steps import Step
from untaken.build.instrument.writing.writer import FunctionWriter
from untaken.build.ir.instructions import CallInstruction, FloatOperation
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import WORD_BITS, Integer, Type, label_width

# What b op a is.
_EXCHANGED = {"ogt": "olt", "oge": "ole", "ult": "uge", "ule": "ugt"}
# Of the classes that llvm.is.fpclass is asked for: how the magnitude compares with infinity, or a number with itself.
_CLASSES = {0x003: "uno", 0x3FC: "ord", 0x204: "oeq", 0x1F8: "olt"}
_INFINITY = {32: 0x7F800000, 64: 0x7FF0000000000000, 80: 0x7FFF8000000000000000}


def float_operation(writer: FunctionWriter, instruction: FloatOperation) -> None:
    """An instruction that computes with numbers of floating point."""
    own = labelled(writer, result_of(instruction))
    if not own[1]:
        return
    op, operands = instruction.op, [labelled(writer, value) for value in instruction.inputs]
    if op == "fneg":
        _with_bits(writer, "xor", operands[0], _sign(instruction.type), own)
    elif op in abi.FLOAT_CASTS:
        _cast(writer, op, operands[0], own)
    elif op in abi.FLOAT_OPS:
        _binary(writer, abi.FLOAT_OPS[op], operands[0], operands[1], own)
    else:
        _compare(writer, op, operands[0], operands[1], own)


def _binary(writer: FunctionWriter, op: int, a: Labelled, b: Labelled, own: Labelled) -> None:
    writer.group.step(Step.BINARY, own, a, b, descriptor=op | label_width(a[0].type) << 8, given=True)


def _compare(writer: FunctionWriter, predicate: str, a: Labelled, b: Labelled, own: Labelled) -> None:
    if predicate in _EXCHANGED:
        predicate, a, b = _EXCHANGED[predicate], b, a
    if predicate in abi.FLOAT_COMPARISONS:
        _binary(writer, abi.FLOAT_COMPARISONS[predicate], a, b, own)
    else:
        nothing(writer, own[1])  # `true` and `false`


def _with_bits(writer: FunctionWriter, op: str, a: Labelled, bits: int, own: Labelled) -> None:
    """An operation on the sign."""
    width = label_width(a[0].type)
    constant = (Value(Integer(width), str(bits)), 0)
    writer.group.step(Step.BINARY, own, a, constant, descriptor=abi.BINARY_OPS[op] | width << 8)


def _sign(kind: Type) -> int:
    return 1 << (label_width(kind) - 1)


def _cast(writer: FunctionWriter, op: str, source: Labelled, own: Labelled) -> None:
    """Processors convert to signed numbers of 32 or 64 bits: narrower ones are cut off from these."""
    before, after = label_width(source[0].type), label_width(own[0].type)
    if op in ("fptosi", "fptoui") and not (after >= WORD_BITS or (after, op) == (32, "fptosi")):
        wide = Integer(64 if after == 32 else 32)
        number = (Value(wide, writer.group.before(f"fptosi {source[0]} to {wide}")), writer.labels.fresh())
        _cast(writer, "fptosi", source, number)
        writer.group.step(Step.CAST, own, number, descriptor=abi.CAST_OPS["trunc"] | wide.width << 8 | after << 16)
    else:
        writer.group.step(
            Step.CAST, own, source, descriptor=abi.FLOAT_CASTS[op] | before << 8 | after << 16, given=True
        )


# ---- intrinsics


def float_intrinsic(writer: FunctionWriter, call: CallInstruction, name: str) -> bool:
    """Intrinsics that only compute, of floating point. False if this is none of them."""
    own = labelled(writer, result_of(call))
    operands = [labelled(writer, value) for value in call.operands]
    if not any(label for _, label in operands):
        nothing(writer, own[1])
        return True
    match name.split(".")[0]:
        case "fabs":
            _with_bits(writer, "and", operands[0], _sign(own[0].type) - 1, own)
        case "fmuladd":
            product = _between(writer, "fmul", operands[0], operands[1])
            _binary(writer, abi.FLOAT_OPS["fadd"], product, operands[2], own)
        case "minnum":
            _least(writer, operands[0], operands[1], operands, own)
        case "maxnum":
            _least(writer, operands[1], operands[0], operands, own)
        case "is":
            return _is_of_class(writer, operands[0], int(operands[1][0].text), own)
        case function if function in abi.FLOAT_FUNCTIONS:
            descriptor = abi.FLOAT_FUNCTIONS[function] | label_width(own[0].type) << 8
            writer.group.step(Step.UNARY, own, operands[0], descriptor=descriptor, given=True)
        case _:
            return False
    return True


def _between(writer: FunctionWriter, op: str, a: Labelled, b: Labelled) -> Labelled:
    """A value that the program does not have."""
    value = Value(a[0].type, writer.group.before(f"{op} {a[0]}, {b[0].text}"))
    result = value, writer.labels.fresh()
    _binary(writer, abi.FLOAT_OPS[op], a, b, result)
    return result


def _less(writer: FunctionWriter, a: Labelled, b: Labelled) -> Labelled:
    value = Value(Integer(1), writer.group.before(f"fcmp olt {a[0]}, {b[0].text}"))
    result = value, writer.labels.fresh()
    _compare(writer, "olt", a, b, result)
    return result


def _least(writer: FunctionWriter, a: Labelled, b: Labelled, operands: list[Labelled], own: Labelled) -> None:
    """The first operand if a < b, else the second. If one is no number, that may be wrong, and is seen."""
    chosen = _less(writer, a, b)
    writer.group.step(Step.SELECT, own, chosen, *operands, descriptor=label_width(own[0].type), given=True)


def _is_of_class(writer: FunctionWriter, a: Labelled, classes: int, own: Labelled) -> bool:
    """What isnan, isinf and isfinite ask for."""
    predicate = _CLASSES.get(classes)
    if predicate in ("uno", "ord"):
        _compare(writer, predicate, a, a, own)
    elif predicate is not None:
        infinity = Value(Integer(label_width(a[0].type)), str(_INFINITY[label_width(a[0].type)]))
        _compare(writer, predicate, _magnitude(writer, a), (infinity, 0), own)
    return predicate is not None


def _magnitude(writer: FunctionWriter, a: Labelled) -> Labelled:
    """The number without its sign, and the label of that."""
    kind = Integer(label_width(a[0].type))
    bits = writer.group.before(f"bitcast {a[0]} to {kind}")
    value = Value(kind, writer.group.before(f"and {kind} {bits}, {_sign(kind) - 1}"))
    result = value, writer.labels.fresh()
    _with_bits(writer, "and", a, _sign(kind) - 1, result)
    return result
