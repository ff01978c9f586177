"""Atmel AVR with up to 128 KiB of flash: registers are the first bytes of data memory, addresses of code are of words.

SLEIGH's language for it lacks ELPM, which reads flash beyond 64 KiB, and takes one form of it for another instruction.

Return addresses lie with their upper byte first in memory; SLEIGH has them the other way round, and cut to 64 KiB.

Skips are conditions on the instruction behind them. SLEIGH keeps the condition in a register of its own, which a jump
to that instruction must not find set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from untaken.executables.machine_code.operations import (
    REGISTER,
    UNIQUE,
    MachineInstruction,
    Operation,
    Varnode,
    constant,
)
from untaken.executables.processors.avr_fractions import with_fractions
from untaken.executables.processors.avr_half_carry import half_carry
from untaken.executables.processors.description import Calling, Decode, Interrupts, Memory, Processor

SKIP = Varnode(REGISTER, 0x88, 1)
STACK_POINTER = Varnode(REGISTER, 0x3D, 2)
Z = Varnode("mem", 30, 2)
RAMPZ = Varnode("mem", 0x5B, 1)


def decode(sleigh: Decode) -> Decode:
    """SLEIGH's, with ELPM, and with the stack pointer as the bytes of data memory that it is."""

    def decoded(code: bytes, address: int) -> MachineInstruction | None:
        far = _FAR_READS.get(code[:2])
        known = sleigh((code[:2] if far is None else far.near) + code[2:], address)
        if known is None:
            return None
        if far is not None:
            known = far.instead_of(known)
        known = _with_overflow(known)
        operations = [each for op in _with_return_address(known) for each in _mended(op)]
        skipped = bool(operations) and operations[0].code == "CBRANCH"
        operations[skipped:skipped] = half_carry(code)
        return with_fractions(replace(known, operations=tuple(operations)), code)

    return decoded


@dataclass(frozen=True, slots=True)
class _FarRead:
    """An ELPM: the LPM (`near`) of the same register, with an address whose upper byte is RAMPZ."""

    near: bytes
    register: int
    counts_on: bool

    def instead_of(self, near: MachineInstruction) -> MachineInstruction:
        """Whether it is skipped is asked as of any instruction."""
        skipped = tuple(op for op in near.operations[:1] if op.code == "CBRANCH")
        return replace(near, text=f"e{near.text}", operations=(*skipped, *self._operations()))

    def _operations(self) -> Iterator[Operation]:
        low, high, shifted, place = (Varnode(UNIQUE, 16 * number, 4) for number in range(4))
        yield Operation("INT_ZEXT", low, (Z,))
        yield Operation("INT_ZEXT", high, (RAMPZ,))
        yield Operation("INT_LEFT", shifted, (high, constant(16, 4)))
        yield Operation("INT_OR", place, (low, shifted))
        yield Operation("LOAD", Varnode("mem", self.register, 1), (place,), space="codebyte")
        if self.counts_on:
            following = Varnode(UNIQUE, 64, 4)
            yield Operation("INT_ADD", following, (place, constant(1, 4)))
            yield Operation("SUBPIECE", Z, (following, constant(0, 4)))
            yield Operation("SUBPIECE", RAMPZ, (following, constant(2, 4)))


def _with_overflow(known: MachineInstruction) -> MachineInstruction:
    """ADIW overflows by what its register held before; SLEIGH looks at what it holds then."""
    if not known.text.startswith("adiw"):
        return known
    before = {op.inputs[0]: op.output for op in known.operations if op.code == "COPY" and op.output is not None}
    return replace(
        known,
        operations=tuple(
            replace(op, inputs=(before.get(op.inputs[0], op.inputs[0]), *op.inputs[1:]))
            if op.code == "INT_SCARRY"
            else op
            for op in known.operations
        ),
    )


def _opcode(number: int) -> bytes:
    return number.to_bytes(2, "little")


_FAR_READS = {
    _opcode(0x95D8): _FarRead(_opcode(0x95C8), 0, False),
    **{_opcode(0x9006 | r << 4): _FarRead(_opcode(0x9004 | r << 4), r, False) for r in range(32)},
    **{_opcode(0x9007 | r << 4): _FarRead(_opcode(0x9005 | r << 4), r, True) for r in range(32)},
}


def _with_return_address(instruction: MachineInstruction) -> Iterator[Operation]:
    """What a call pushes and what a return pops, as the processor has it.

    A call of what follows, with which compilers make room on the stack, is none in SLEIGH: it only pushes.
    """
    leaves = instruction.operations[-1].code if instruction.operations else ""
    pushes = leaves in ("CALL", "CALLIND") or instruction.text.startswith("rcall")
    for op in instruction.operations:
        if pushes and op.code == "STORE":
            yield replace(op, inputs=(op.inputs[0], _turned(instruction.next // 2)))
        elif leaves == "RETURN" and op.code == "LOAD" and op.output is not None:
            popped, upper, lower = Varnode(UNIQUE, 0x10000, 2), Varnode(UNIQUE, 0x10010, 1), Varnode(UNIQUE, 0x10020, 1)
            yield replace(op, output=popped)
            yield Operation("SUBPIECE", upper, (popped, constant(0, 4)))
            yield Operation("SUBPIECE", lower, (popped, constant(1, 4)))
            yield Operation("PIECE", op.output, (upper, lower))
        else:
            yield op


def _turned(address: int) -> Varnode:
    return constant(int.from_bytes((address & 0xFFFF).to_bytes(2, "big"), "little"), 2)


def _mended(op: Operation) -> list[Operation]:
    """Accesses by address to the stack pointer go to the register; a jump that is taken skips nothing.

    LPM's reads of a whole word of code, whose result nobody uses, are left out.
    """
    if op.code == "LOAD" and op.space == "code":
        return []
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
    pushed_upper_first=True,
    code_unit=2,
    interrupts=Interrupts(("pc",), entered=("Iflg = 0;",)),
    names={Varnode("mem", number, 1): f"R{number}" for number in range(32)},
    without_effect=frozenset({"sleep", "watchdog_reset", "break"}),
    decode=decode,
)
