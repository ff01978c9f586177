"""The Intel 8051 and its many relatives, with 256 bytes of internal memory.

Registers R0 to R7 are bytes of internal memory. Direct addresses from 80h on are special function registers, among them
A, B, SP, DPTR and PSW themselves; bit addresses are bits of either.
"""

from __future__ import annotations

from dataclasses import replace

from untaken.executables.machine_code.operations import REGISTER, MachineInstruction, Varnode
from untaken.executables.processors.description import Calling, Decode, Interrupts, Memory, Processor
from untaken.executables.processors.i8051_opcodes import may_choose_bank, meaning_of
from untaken.executables.processors.i8051_semantics import (
    AC,
    CODE,
    CY,
    DPH,
    DPL,
    IRAM,
    OV,
    PSW,
    SFR,
    SP,
    XRAM,
    A,
    B,
    Semantics,
)

_SFR_NAMES = {
    0x80: "P0",
    0x90: "P1",
    0xA0: "P2",
    0xB0: "P3",
    0x87: "PCON",
    0x88: "TCON",
    0x89: "TMOD",
    0x8A: "TL0",
    0x8B: "TL1",
    0x8C: "TH0",
    0x8D: "TH1",
    0x98: "SCON",
    0x99: "SBUF",
    0xA8: "IE",
    0xB8: "IP",
    0xC8: "T2CON",
}


def decode(sleigh: Decode, banked: bool) -> Decode:
    """Lengths and disassembly are SLEIGH's, what instructions do is ours."""

    def decoded(code: bytes, address: int) -> MachineInstruction | None:
        known = sleigh(code, address)
        meaning = meaning_of(code[0]) if code else None
        if known is None or meaning is None:
            return None
        semantics = Semantics(code[: known.length], address, known.length, banked)
        meaning(semantics)
        return replace(known, operations=tuple(semantics.operations))

    return decoded


I8051 = Processor(
    name="8051",
    title="Intel 8051",
    language="8051:BE:16:default",
    code_space=CODE,
    memories=(
        Memory("iram", IRAM, 0x100),
        Memory("xram", XRAM, 0x10000),
        Memory("sfr", SFR, 0x80, first=0x80),
        Memory("code", CODE, 0x10000, is_code=True, read_only=True),
    ),
    address_bytes=2,
    big_endian=True,
    stack_pointer="SP",
    stack_grows_up=True,
    reset={"SP": 0x07},
    reset_memory={Varnode(SFR, port, 1): 0xFF for port in (0x80, 0x90, 0xA0, 0xB0)},
    calling=Calling(arguments=("DPL", "DPH", "B", "A")),
    stack_symbols=("__start__stack",),
    usual_stack=0x7F,
    return_bytes=2,
    has_latches=True,
    interrupts=Interrupts(("pc",)),
    registers={
        "A": A,
        "B": B,
        "SP": SP,
        "DPL": DPL,
        "DPH": DPH,
        "PSW": PSW,
        "CY": CY,
        "AC": AC,
        "OV": OV,
        "DPTR": Varnode(REGISTER, DPL.offset, 2),
    },
    names={
        **{Varnode(IRAM, number, 1): f"R{number}" for number in range(8)},
        **{Varnode(SFR, address, 1): name for address, name in _SFR_NAMES.items()},
    },
    decode=lambda sleigh: decode(sleigh, banked=False),
)
BANKED = replace(I8051, decode=lambda sleigh: decode(sleigh, banked=True))


def chosen(codes: list[bytes]) -> Processor:
    """With banks of registers if one of these instructions may choose one; that makes each register an address."""
    return BANKED if any(map(may_choose_bank, codes)) else I8051
