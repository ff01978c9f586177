"""One p-code operation as a C expression.

Each expression has the unsigned type of its size. C computes bytes and shorts as ints, so what may leave their range
is cast back. Nothing here branches: a conditional of C would count as a branch of the program.
"""

from __future__ import annotations

from collections.abc import Callable

from untaken.executables.c_text.c_types import literal, mask, room, signed_type, unsigned
from untaken.executables.machine_code.operations import Operation

_INFIX = {
    "INT_ADD": "+",
    "INT_SUB": "-",
    "INT_MULT": "*",
    "INT_AND": "&",
    "INT_OR": "|",
    "INT_XOR": "^",
    "BOOL_AND": "&",
    "BOOL_OR": "|",
    "BOOL_XOR": "^",
}
_COMPARED = {"INT_EQUAL": "==", "INT_NOTEQUAL": "!=", "INT_LESS": "<", "INT_LESSEQUAL": "<="}
_SIGNED = {"INT_SLESS": "<", "INT_SLESSEQUAL": "<="}
_DIVIDED = {"INT_DIV": "divided", "INT_REM": "rest", "INT_SDIV": "signed_divided", "INT_SREM": "signed_rest"}
_FLOAT_INFIX = {"FLOAT_ADD": "+", "FLOAT_SUB": "-", "FLOAT_MULT": "*", "FLOAT_DIV": "/"}
_FLOAT_COMPARED = {"FLOAT_EQUAL": "==", "FLOAT_NOTEQUAL": "!=", "FLOAT_LESS": "<", "FLOAT_LESSEQUAL": "<="}
_FLOAT_CALLED = {
    "FLOAT_ABS": "__builtin_fabs",
    "FLOAT_SQRT": "__builtin_sqrt",
    "FLOAT_CEIL": "__builtin_ceil",
    "FLOAT_FLOOR": "__builtin_floor",
    "FLOAT_ROUND": "__builtin_round",
}


class NotSupported(Exception):
    """An operation without a C expression."""


def expression(op: Operation, operands: list[str], address: int) -> str:
    """The value of an operation, parenthesised if need be; `operands` are C, too."""
    assert op.output is not None
    writer = _WRITERS.get(op.code)
    if writer is None:
        writer = _float if op.code.startswith("FLOAT_") else None
    if writer is None:
        raise NotSupported(op.code)
    text = writer(op, operands, address)
    return _within(text, op.output.size) if op.code in _OVERFLOWING else text


def _within(text: str, size: int) -> str:
    """Back in its range: after promotion to int, or in a type that is larger than it should be."""
    if room(size) != size:
        return f"({text} & {mask(size)})"
    return f"({unsigned(size)}){text}" if size < 4 else text


def _infix(op: Operation, operands: list[str], _: int) -> str:
    first, second = operands
    if op.code == "INT_MULT" and op.inputs[0].size == 2:
        first = f"(u32){first}"  # else two ints are multiplied, and may overflow
    return f"({first} {_INFIX[op.code]} {second})"


def _compared(op: Operation, operands: list[str], _: int) -> str:
    return f"({operands[0]} {_COMPARED[op.code]} {operands[1]})"


def as_signed(text: str, size: int) -> str:
    """A number whose sign counts."""
    if room(size) == size:
        return f"({signed_type(size)}){text}"
    shift = 8 * (room(size) - size)
    return f"(({signed_type(size)})({text} << {shift}) >> {shift})"


def _signed_compared(op: Operation, operands: list[str], _: int) -> str:
    first, second = (as_signed(text, place.size) for text, place in zip(operands, op.inputs, strict=True))
    return f"({first} {_SIGNED[op.code]} {second})"


def _sign_extended(op: Operation, operands: list[str], _: int) -> str:
    assert op.output is not None
    size = op.output.size
    text = f"({unsigned(size)})({signed_type(size)}){as_signed(operands[0], op.inputs[0].size)}"
    return _within(text, size) if room(size) != size else text


def _zero_extended(op: Operation, operands: list[str], _: int) -> str:
    assert op.output is not None
    return f"({unsigned(op.output.size)}){operands[0]}"


def _shifted(op: Operation, operands: list[str], _: int) -> str:
    """By more than its width a number is shifted out; C does not say what happens then."""
    size, amount = op.inputs[0].size, op.inputs[1]
    left = op.code == "INT_LEFT"
    if amount.is_constant:
        if amount.offset >= 8 * size:
            return literal(0, size)
        return f"({operands[0]} {'<<' if left else '>>'} {amount.offset})"
    return f"{'left' if left else 'right'}{8 * room(size)}({operands[0]}, {operands[1]})"


def _signed_shifted(op: Operation, operands: list[str], _: int) -> str:
    size, amount = op.inputs[0].size, op.inputs[1]
    number = as_signed(operands[0], size)
    if amount.is_constant:
        return f"({unsigned(size)})({number} >> {min(amount.offset, 8 * size - 1)})"
    return f"signed_right{8 * room(size)}({number}, {operands[1]})"


def _carry(op: Operation, operands: list[str], _: int) -> str:
    size = op.inputs[0].size
    first, second = operands
    return f"({_within(f'({first} + {second})', size)} < {first})"


def _overflow(op: Operation, operands: list[str], _: int) -> str:
    """Of a sum or a difference, as signed numbers: the sign bit tells."""
    size, (first, second) = op.inputs[0].size, operands
    if op.code == "INT_SCARRY":
        changed = f"(~({first} ^ {second}) & ({first} ^ ({first} + {second})))"
    else:
        changed = f"(({first} ^ {second}) & ({first} ^ ({first} - {second})))"
    return f"({changed} >> {8 * size - 1} & 1)"


def _divided(op: Operation, operands: list[str], address: int) -> str:
    name = _DIVIDED[op.code]
    given = [
        as_signed(text, place.size) if name.startswith("signed") else text
        for text, place in zip(operands, op.inputs, strict=True)
    ]
    return f"{name}{8 * room(op.inputs[0].size)}({given[0]}, {given[1]}, {address:#x})"


def _piece(op: Operation, operands: list[str], _: int) -> str:
    assert op.output is not None
    return f"(({unsigned(op.output.size)}){operands[0]} << {8 * op.inputs[1].size} | {operands[1]})"


def _part(op: Operation, operands: list[str], _: int) -> str:
    assert op.output is not None
    size, shift = op.output.size, 8 * op.inputs[1].offset
    text = f"({operands[0]} >> {shift})" if shift else operands[0]
    return f"({text} & {mask(size)})" if room(size) != size else f"({unsigned(size)}){text}"


def _leading_zeros(op: Operation, operands: list[str], _: int) -> str:
    return f"leading_zeros({operands[0]}, {8 * op.inputs[0].size})"


def _ones(op: Operation, operands: list[str], _: int) -> str:
    return f"(u8)__builtin_popcountll({operands[0]})"


def _float(op: Operation, operands: list[str], _: int) -> str:
    assert op.output is not None
    if any(place.size not in (4, 8) for place in op.inputs if op.code != "FLOAT_INT2FLOAT"):
        raise NotSupported(f"{op.code} of {op.inputs[0].size} bytes")
    made, numbers = f"bits{8 * op.output.size}", [f"float{8 * op.inputs[0].size}({text})" for text in operands]
    if op.code in _FLOAT_INFIX:
        return f"{made}({numbers[0]} {_FLOAT_INFIX[op.code]} {numbers[1]})"
    if op.code in _FLOAT_COMPARED:
        return f"({numbers[0]} {_FLOAT_COMPARED[op.code]} {numbers[1]})"
    if op.code == "FLOAT_NAN":
        return f"({numbers[0]} != {numbers[0]})"
    if op.code == "FLOAT_NEG":
        return f"({operands[0]} ^ {literal(1 << 8 * op.output.size - 1, op.output.size)})"
    if op.code in _FLOAT_CALLED:
        suffix = "f" if op.output.size == 4 else ""
        return f"{made}({_FLOAT_CALLED[op.code]}{suffix}({numbers[0]}))"
    if op.code == "FLOAT_FLOAT2FLOAT":
        return f"{made}({numbers[0]})"
    if op.code == "FLOAT_INT2FLOAT" and op.output.size in (4, 8):
        return f"{made}({as_signed(operands[0], op.inputs[0].size)})"
    if op.code == "FLOAT_TRUNC":
        return f"truncated{8 * room(op.output.size)}({numbers[0]})"
    raise NotSupported(op.code)


Writer = Callable[[Operation, list[str], int], str]
_WRITERS: dict[str, Writer] = {
    **dict.fromkeys(_INFIX, _infix),
    **dict.fromkeys(_COMPARED, _compared),
    **dict.fromkeys(_SIGNED, _signed_compared),
    **dict.fromkeys(_DIVIDED, _divided),
    "COPY": lambda op, operands, _: operands[0],
    "INT_ZEXT": _zero_extended,
    "INT_SEXT": _sign_extended,
    "INT_NEGATE": lambda op, operands, _: f"(~{operands[0]})",
    "INT_2COMP": lambda op, operands, _: f"(-{operands[0]})",
    "BOOL_NEGATE": lambda op, operands, _: f"({operands[0]} ^ 1)",
    "INT_LEFT": _shifted,
    "INT_RIGHT": _shifted,
    "INT_SRIGHT": _signed_shifted,
    "INT_CARRY": _carry,
    "INT_SCARRY": _overflow,
    "INT_SBORROW": _overflow,
    "PIECE": _piece,
    "SUBPIECE": _part,
    "LZCOUNT": _leading_zeros,
    "POPCOUNT": _ones,
}
_OVERFLOWING = {"INT_ADD", "INT_SUB", "INT_MULT", "INT_LEFT", "INT_NEGATE", "INT_2COMP"}
