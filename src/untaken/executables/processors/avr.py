"""Atmel AVR with up to 128 KiB of flash: registers are the first bytes of data memory, addresses of code are of words.

Skips are conditions on the instruction behind them. SLEIGH keeps the condition in a register of its own, which a jump
to that instruction must not find set.
"""

from __future__ import annotations

from dataclasses import replace

from untaken.executables.machine_code.operations import REGISTER, MachineInstruction, Operation, Varnode, constant
from untaken.executables.processors.description import Calling, Decode, Interrupts, Memory, Processor

SKIP = Varnode(REGISTER, 0x88, 1)
STACK_POINTER = Varnode(REGISTER, 0x3D, 2)
SREG = Varnode("mem", 0x5F, 1)
FLAGS = tuple(Varnode(REGISTER, 0x80 + bit, 1) for bit in range(8))


def decode(sleigh: Decode) -> Decode:
    """SLEIGH's, with the stack pointer and the flags as the bytes of data memory that they are."""

    def decoded(code: bytes, address: int) -> MachineInstruction | None:
        known = sleigh(code, address)
        if known is None:
            return None
        operations = [each for op in known.operations for each in _mended(op)]
        return replace(known, operations=tuple(operations))

    return decoded


def _mended(op: Operation) -> list[Operation]:
    """Accesses by address to the stack pointer go to the register; a jump that is taken skips nothing."""
    op = replace(
        op,
        inputs=tuple(_place(place) for place in op.inputs),
        output=None if op.output is None else _place(op.output),
    )
    if op.code in ("BRANCH", "CALL", "CALLIND", "BRANCHIND", "RETURN") and not op.inside:
        return [Operation("COPY", SKIP, (constant(0, 1),)), op]
    return [op]


def _place(place: Varnode) -> Varnode:
    if place.space == "mem" and place.offset >= 0x5D and place.offset + place.size <= 0x5F:
        return Varnode(REGISTER, STACK_POINTER.offset + place.offset - 0x5D, place.size)
    return place


AVR = Processor(
    name="avr",
    title="Atmel AVR",
    tested=False,
    language="avr8:LE:16:default",
    code_space="code",
    memories=(
        Memory("data", "mem", 0x10000),
        Memory("flash", "codebyte", 0x20000, is_code=True, read_only=True),
    ),
    address_bytes=4,
    big_endian=False,
    stack_pointer="SP",
    calling=Calling(arguments=tuple(f"R{number}" for number in range(25, 7, -1))),
    stack_symbols=("__stack",),
    usual_stack=0x8FF,
    return_bytes=2,
    pushed_at=1,
    code_unit=2,
    interrupts=Interrupts(("pc",), entered=("Iflg = 0;",)),
    names={Varnode("mem", number, 1): f"R{number}" for number in range(32)},
    without_effect=frozenset({"sleep", "watchdog_reset", "break"}),
    decode=decode,
)
