"""PowerPC with 32 bits, big-endian, as compilers for Linux and embedded systems use it.

SLEIGH's decoder damages its own memory when it meets vaddubm, so it is never shown one: runs that meet it end. Its
XER, as it is moved from and to registers, has none of the bits that instructions set and read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from untaken.executables.machine_code.guarded import not_followed
from untaken.executables.machine_code.operations import (
    REGISTER,
    UNIQUE,
    MachineInstruction,
    Operation,
    Varnode,
    constant,
)
from untaken.executables.processors.description import Calling, Decode, Memory, Processor

VADDUBM, ITS_BITS = 0x10000000, 0xFC0007FF
MOVE_TO_XER, MOVE_FROM_XER, BITS_OF_MOVES = 0x7C0103A6, 0x7C0102A6, 0xFC1FFFFF
XER = Varnode(REGISTER, 0x1004, 4)
BITS_OF_XER = {31: Varnode(REGISTER, 0x400, 1), 30: Varnode(REGISTER, 0x401, 1), 29: Varnode(REGISTER, 0x403, 1)}
OTHERS_OF_XER = 0x1FFFFFFF


def decode(sleigh: Decode) -> Decode:
    """SLEIGH's, but for three instructions."""

    def decoded(code: bytes, address: int) -> MachineInstruction | None:
        word = int.from_bytes(code[:4], "big") if len(code) >= 4 else 0
        if word & ITS_BITS == VADDUBM:
            return not_followed(address, 4, "vaddubm", "vaddubm")
        known = sleigh(code, address)
        register = Varnode(REGISTER, 4 * (word >> 21 & 31), 4)
        if known is not None and word & BITS_OF_MOVES == MOVE_TO_XER:
            return replace(known, operations=(*known.operations, *_bits_of(register)))
        if known is not None and word & BITS_OF_MOVES == MOVE_FROM_XER:
            return replace(known, operations=tuple(_put_together(register)))
        return known

    return decoded


def _bits_of(register: Varnode) -> Iterator[Operation]:
    """Summary overflow, overflow and carry, from the bits of a register."""
    for bit, flag in BITS_OF_XER.items():
        shifted, cut = Varnode(UNIQUE, 64 * bit, 4), Varnode(UNIQUE, 64 * bit + 16, 4)
        yield Operation("INT_RIGHT", shifted, (register, constant(bit, 4)))
        yield Operation("INT_AND", cut, (shifted, constant(1, 4)))
        yield Operation("SUBPIECE", flag, (cut, constant(0, 4)))


def _put_together(register: Varnode) -> Iterator[Operation]:
    together = Varnode(UNIQUE, 0, 4)
    yield Operation("INT_AND", together, (XER, constant(OTHERS_OF_XER, 4)))
    for bit, flag in BITS_OF_XER.items():
        wide, shifted, more = (Varnode(UNIQUE, 64 * bit + 16 * number, 4) for number in range(3))
        yield Operation("INT_ZEXT", wide, (flag,))
        yield Operation("INT_LEFT", shifted, (wide, constant(bit, 4)))
        yield Operation("INT_OR", more, (together, shifted))
        together = more
    yield Operation("COPY", register, (together,))


POWERPC = Processor(
    name="ppc",
    title="PowerPC, 32 bits",
    language="PowerPC:BE:32:default",
    code_space="ram",
    memories=(Memory("ram", "ram", is_code=True),),
    address_bytes=4,
    big_endian=True,
    stack_pointer="r1",
    calling=Calling(link="LR", arguments=tuple(f"r{number}" for number in range(3, 11))),
    decode=decode,
    without_effect=frozenset(
        {
            "sync",
            "lightweightSync",
            "instructionSynchronize",
            "enforceInOrderExecutionIO",
            "dataCacheBlockTouch",
            "dataCacheBlockTouchForStore",
            "dataCacheBlockStore",
            "instructionCacheBlockInvalidate",
        }
    ),
)
