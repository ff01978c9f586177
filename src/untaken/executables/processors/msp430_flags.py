"""The MSP430's flags as registers of their own.

SLEIGH puts each flag into its bit of the status register. So all of them would be computed by each instruction, because
one is read, and the condition of a jump would be dug out of a word. Where an instruction needs the whole register, that
is put together before it, and taken apart behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from untaken.executables.machine_code.operations import (
    JUMPS,
    REGISTER,
    UNIQUE,
    MachineInstruction,
    Operation,
    Varnode,
    constant,
)
from untaken.executables.processors.description import Decode

STATUS = Varnode(REGISTER, 0x4, 2)
FLAGS = {  # by their bits in the status register
    0: Varnode(REGISTER, 0x4000, 1),
    1: Varnode(REGISTER, 0x4001, 1),
    2: Varnode(REGISTER, 0x4002, 1),
    8: Varnode(REGISTER, 0x4003, 1),
}
NAMES = {name: FLAGS[bit] for name, bit in (("CF", 0), ("ZF", 1), ("NF", 2), ("VF", 8))}
ALL_FLAGS = sum(1 << bit for bit in FLAGS)
WHOLE = f"SR & {0xFFFF & ~ALL_FLAGS:#x} | CF | ZF << 1 | NF << 2 | VF << 8"  # in C
CLEARED = "SR = 0; CF = ZF = NF = VF = 0;"
_FIRST_TEMPORARY = 0x100000  # SLEIGH's own are below


def with_flags(sleigh: Decode) -> Decode:
    """What SLEIGH says, with flags as registers."""

    def decoded(code: bytes, address: int) -> MachineInstruction | None:
        known = sleigh(code, address)
        if known is None or not any(_touches_status(op) for op in known.operations):
            return known
        operations = _with_single_flags(known.operations)
        if operations is None:
            operations = _with_whole_status(known.operations)
        return replace(known, operations=operations)

    return decoded


def _touches_status(op: Operation) -> bool:
    places = op.inputs if op.output is None else (*op.inputs, op.output)
    return any(place.overlaps(STATUS) for place in places)


def _with_single_flags(operations: tuple[Operation, ...]) -> tuple[Operation, ...] | None:
    """With reads and writes of bits as those of flags; None if there are others."""
    if any(op.inside for op in operations):
        return None
    made = {op.output: op for op in operations if op.output is not None and op.output.space == UNIQUE}
    found: list[Operation] = []
    for op in operations:
        changed = _flag_written(op, made) or _flag_read(op, made)
        if changed is not None:
            found.append(changed)
        elif not _touches_status(op):
            found.append(op)
        elif op.output is None or op.output.space != UNIQUE or not _leads_to_a_flag(op, operations, made):
            return None
    return tuple(found)


def _flag_written(op: Operation, made: dict[Varnode, Operation]) -> Operation | None:
    """SR = (SR & ~(1 << bit)) | zext(flag) << bit."""
    if op.code != "INT_OR" or op.output != STATUS:
        return None
    kept, moved = (made.get(place) for place in op.inputs)
    if kept is None or moved is None or kept.code != "INT_AND" or kept.inputs[0] != STATUS:
        return None
    bit = 0
    if moved.code == "INT_LEFT" and moved.inputs[1].is_constant:
        bit = moved.inputs[1].offset
        moved = made.get(moved.inputs[0])
    is_mask = kept.inputs[1].is_constant and kept.inputs[1].offset == 0xFFFF & ~(1 << bit)
    if bit not in FLAGS or not is_mask or moved is None or moved.code != "INT_ZEXT" or moved.inputs[0].size != 1:
        return None
    return Operation("COPY", FLAGS[bit], (moved.inputs[0],))


def _flag_read(op: Operation, made: dict[Varnode, Operation]) -> Operation | None:
    """The lowest bit of a byte of SR, or of SR >> bit."""
    if op.code != "INT_AND" or op.output is None or op.inputs[1] != constant(1, 1):
        return None
    part = made.get(op.inputs[0])
    if part is None or part.code != "SUBPIECE" or not part.inputs[1].is_constant:
        return None
    bit, place = 8 * part.inputs[1].offset, part.inputs[0]
    shifted = made.get(place)
    if shifted is not None and shifted.code == "INT_RIGHT" and shifted.inputs[1].is_constant:
        bit, place = bit + shifted.inputs[1].offset, shifted.inputs[0]
    return Operation("COPY", op.output, (FLAGS[bit],)) if place == STATUS and bit in FLAGS else None


def _leads_to_a_flag(op: Operation, operations: tuple[Operation, ...], made: dict[Varnode, Operation]) -> bool:
    """Whether what a part of the status register is read for is nothing but flags."""
    users = [each for each in operations if op.output in each.inputs]
    for user in users:
        if (_flag_written(user, made) or _flag_read(user, made)) is not None:
            continue
        if user.code not in ("SUBPIECE", "INT_RIGHT") or not _leads_to_a_flag(user, operations, made):
            return False
    return bool(users)


def _with_whole_status(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The register is put together first, and taken apart before the instruction is left."""
    last = len(operations) - (1 if operations[-1].code in JUMPS and not operations[-1].inside else 0)
    return (*_put_together(), *operations[:last], *_taken_apart(), *operations[last:])


def _put_together() -> Iterator[Operation]:
    number = _FIRST_TEMPORARY
    yield Operation("INT_AND", STATUS, (STATUS, constant(0xFFFF & ~ALL_FLAGS, 2)))
    for bit, flag in FLAGS.items():
        wide, moved = Varnode(UNIQUE, number, 2), Varnode(UNIQUE, number + 0x10, 2)
        number += 0x20
        yield Operation("INT_ZEXT", wide, (flag,))
        yield Operation("INT_LEFT", moved, (wide, constant(bit, 2)))
        yield Operation("INT_OR", STATUS, (STATUS, moved))


def _taken_apart() -> Iterator[Operation]:
    number = _FIRST_TEMPORARY + 0x1000
    for bit, flag in FLAGS.items():
        shifted, part = Varnode(UNIQUE, number, 2), Varnode(UNIQUE, number + 0x10, 1)
        number += 0x20
        yield Operation("INT_RIGHT", shifted, (STATUS, constant(bit, 2)))
        yield Operation("SUBPIECE", part, (shifted, constant(0, 4)))
        yield Operation("INT_AND", flag, (part, constant(1, 1)))
