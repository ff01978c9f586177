"""Constants within one instruction: SLEIGH computes much that is known beforehand, such as 3 - 2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from untaken.executables.machine_code.operations import UNIQUE, MachineInstruction, Operation, Varnode, constant, signed

NEVER = constant(0, 1)
_FOLDED: dict[str, Callable[[int, int], int]] = {
    "INT_ADD": lambda a, b: a + b,
    "INT_SUB": lambda a, b: a - b,
    "INT_MULT": lambda a, b: a * b,
    "INT_AND": lambda a, b: a & b,
    "INT_OR": lambda a, b: a | b,
    "INT_XOR": lambda a, b: a ^ b,
    "INT_EQUAL": lambda a, b: int(a == b),
    "INT_NOTEQUAL": lambda a, b: int(a != b),
    "INT_LESS": lambda a, b: int(a < b),
    "INT_LESSEQUAL": lambda a, b: int(a <= b),
    "INT_LEFT": lambda a, b: a << b if b < 64 else 0,
    "INT_RIGHT": lambda a, b: a >> b if b < 64 else 0,
    "BOOL_AND": lambda a, b: a & b,
    "BOOL_OR": lambda a, b: a | b,
    "BOOL_XOR": lambda a, b: a ^ b,
    "SUBPIECE": lambda a, b: a >> 8 * b,
}


def folded(instruction: MachineInstruction) -> MachineInstruction:
    """Without temporaries that are constants, and jumps that are never taken.

    Instructions with jumps of their own stay as they are.
    """
    if any(op.inside for op in instruction.operations):
        return instruction
    known: dict[Varnode, Varnode] = {}
    kept: list[Operation] = []
    whole = _used_as_a_whole(instruction)
    for op in instruction.operations:
        if known and any(place in known for place in op.inputs):
            op = replace(op, inputs=tuple(known.get(place, place) for place in op.inputs))
        if op.output is not None:
            _forget(known, op.output)
            value = value_of(op)
            if value is not None and op.output in whole:
                known[op.output] = value
                continue
            if value is not None:
                op = Operation("COPY", op.output, (value,))
        if op.code != "CBRANCH" or op.inputs[1] != NEVER:
            kept.append(op)
    return replace(instruction, operations=tuple(kept))


def _used_as_a_whole(instruction: MachineInstruction) -> set[Varnode]:
    """Temporaries of which nothing reads or writes a part."""
    places = {place for op in instruction.operations for place in (*op.inputs, op.output) if place is not None}
    uniques = sorted((place.offset, place.offset + place.size, place) for place in places if place.space == UNIQUE)
    whole = {place for _, _, place in uniques}
    reached, last = -1, None
    for start, end, place in uniques:
        if start < reached:
            whole -= {place, last}
        if end > reached:
            reached, last = end, place
    return whole


def _forget(known: dict[Varnode, Varnode], output: Varnode) -> None:
    for place in [each for each in known if each.overlaps(output)]:
        del known[place]


def value_of(op: Operation) -> Varnode | None:
    """What it comes to, if its operands are constants."""
    assert op.output is not None
    if not op.inputs or not all(place.is_constant for place in op.inputs):
        return None
    size, first = op.output.size, op.inputs[0]
    if op.code in ("COPY", "INT_ZEXT"):
        return constant(first.offset, size)
    if op.code == "INT_SEXT":
        return constant(signed(first), size)
    if op.code == "INT_NEGATE":
        return constant(~first.offset, size)
    if op.code == "INT_2COMP":
        return constant(-first.offset, size)
    if op.code == "BOOL_NEGATE":
        return constant(first.offset ^ 1, size)
    fold = _FOLDED.get(op.code)
    return None if fold is None else constant(fold(first.offset, op.inputs[1].offset), size)
