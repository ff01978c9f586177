"""ARM Cortex-M: Thumb code only, little-endian.

SLEIGH leaves open what SSAT, USAT and registers of the system do. Its MSR sets flags from r0, whatever its register,
and clears none; its ANDS, MOVS and MVNS leave the carry as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from untaken.executables.machine_code.operations import (
    REGISTER,
    UNIQUE,
    MachineInstruction,
    Operation,
    Varnode,
    constant,
)
from untaken.executables.processors.description import Calling, Decode, Memory, Processor

STATUS = Varnode(REGISTER, 0x70, 4)
FLAGS = constant(0xF8000000, 4)
STACK_POINTER = Varnode(REGISTER, 0x54, 4)
NEGATIVE, CARRY, SHIFT_CARRY = (Varnode(REGISTER, offset, 1) for offset in (0x60, 0x62, 0x68))
SATURATED = Varnode(REGISTER, 0x6A, 1)
# Registers of the system that SLEIGH has none for: they are kept, and mean nothing.
SYSTEM = {
    "primask": Varnode(REGISTER, 0x10000, 4),
    "basepri": Varnode(REGISTER, 0x10004, 4),
    "psp": Varnode(REGISTER, 0x10008, 4),
}
READS = {
    "isIRQinterruptsEnabled": SYSTEM["primask"],
    "getBasePriority": SYSTEM["basepri"],
    "getProcessStackPointer": SYSTEM["psp"],
    "getMainStackPointer": STACK_POINTER,
}
WRITES = {
    "setBasePriority": SYSTEM["basepri"],
    "setProcessStackPointer": SYSTEM["psp"],
    "setMainStackPointer": STACK_POINTER,
}
# The program runs alone, with all rights, and not as a handler.
ANSWERS = {
    **dict.fromkeys(("isCurrentModePrivileged", "isThreadModePrivileged", "isThreadMode", "isUsingMainStack"), 1),
    "hasExclusiveAccess": 1,
    "getCurrentExceptionNumber": 0,
}


def decode(sleigh: Decode) -> Decode:
    """SLEIGH's, with what it leaves open, or has wrong."""

    def decoded(code: bytes, address: int) -> MachineInstruction | None:
        known = sleigh(code, address)
        if known is None:
            return None
        operations = [each for op in known.operations for each in _mended(op, code, known.text)]
        if known.text.startswith(("ands", "movs", "mvns")):
            operations += _carry(known)
        return replace(known, operations=tuple(operations))

    return decoded


def _carry(known: MachineInstruction) -> Iterator[Operation]:
    """What was shifted out last, where the flags are set and this one was forgotten."""
    written = {op.output for op in known.operations}
    if {NEGATIVE, SHIFT_CARRY} <= written and CARRY not in written:
        yield Operation("COPY", CARRY, (SHIFT_CARRY,))


def _mended(op: Operation, code: bytes, text: str) -> Iterator[Operation]:
    if op.code == "CALLOTHER":
        yield from _meaning(op, code, text)
    elif text.startswith("msr") and op.code == "INT_AND" and op.inputs[1] == FLAGS:
        yield replace(op, inputs=(Varnode(REGISTER, 0x20 + 4 * (code[0] & 0xF), 4), FLAGS))
    elif op.code == "INT_OR" and op.output == STATUS == op.inputs[0]:
        yield Operation("COPY", STATUS, op.inputs[1:])
    else:
        yield op


def _meaning(op: Operation, code: bytes, text: str) -> Iterator[Operation]:
    """Of what SLEIGH only names."""
    if op.name in READS and op.output is not None:
        yield Operation("COPY", op.output, (READS[op.name],))
    elif op.name in WRITES:
        yield Operation("COPY", WRITES[op.name], op.inputs)
    elif op.name in ANSWERS and op.output is not None:
        yield Operation("COPY", op.output, (constant(ANSWERS[op.name], op.output.size),))
    elif op.name in ("enableIRQinterrupts", "disableIRQinterrupts"):
        masked = op.inputs or (constant(op.name == "disableIRQinterrupts", 1),)
        yield Operation("INT_ZEXT", SYSTEM["primask"], masked)
    elif text.startswith(("ssat ", "usat ")):
        yield from _of_saturation(op, code[2] & 0x1F)
    else:
        yield op


def _of_saturation(op: Operation, bits: int) -> Iterator[Operation]:
    """The flag comes with the result."""
    if op.output is not None and op.name in ("SignedSaturate", "UnsignedSaturate"):
        lowest = -(1 << bits) if op.name == "SignedSaturate" else 0
        yield from _saturated(op.output, op.inputs[0], lowest, (1 << bits) - 1)


def _saturated(result: Varnode, value: Varnode, lowest: int, highest: int) -> Iterator[Operation]:
    """The nearest number between two; the flag that says that it is another one stays set."""
    below, above, outside, inside = (Varnode(UNIQUE, 16 * number, 1) for number in range(4))
    yield Operation("INT_SLESS", below, (value, constant(lowest, 4)))
    yield Operation("INT_SLESS", above, (constant(highest, 4), value))
    yield Operation("BOOL_OR", outside, (below, above))
    yield Operation("BOOL_OR", SATURATED, (SATURATED, outside))
    yield Operation("BOOL_NEGATE", inside, (outside,))
    parts = ((below, constant(lowest, 4)), (above, constant(highest, 4)), (inside, value))
    together = constant(0, 4)
    for number, (chosen, part) in enumerate(parts, 1):
        wide, mask, masked, more = (Varnode(UNIQUE, 0x100 * number + 16 * place, 4) for place in range(4))
        yield Operation("INT_ZEXT", wide, (chosen,))
        yield Operation("INT_2COMP", mask, (wide,))
        yield Operation("INT_AND", masked, (mask, part))
        yield Operation("INT_OR", more, (together, masked))
        together = more
    yield Operation("COPY", result, (together,))


ARM = Processor(
    name="arm",
    title="ARM Cortex-M (Thumb)",
    language="ARM:LE:32:Cortex",
    code_space="ram",
    memories=(Memory("ram", "ram", is_code=True),),
    address_bytes=4,
    big_endian=False,
    stack_pointer="sp",
    calling=Calling(link="lr", arguments=("r0", "r1", "r2", "r3")),
    reset_vector=4,
    thumb=True,
    more_registers=SYSTEM,
    decode=decode,
    without_effect=frozenset(
        "setISAMode DataMemoryBarrier DataSynchronizationBarrier InstructionSynchronizationBarrier HintYield HintNop "
        "HintPreloadData enableFIQinterrupts disableFIQinterrupts setThreadModePrivileged WaitForInterrupt "
        "WaitForEvent ExclusiveAccess ClearExclusiveLocal".split()
    ),
)
