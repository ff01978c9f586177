"""Texas Instruments MSP430 with 64 KiB of memory."""

from __future__ import annotations

from untaken.executables.processors.description import Calling, Interrupts, Memory, Processor
from untaken.executables.processors.msp430_flags import CLEARED, NAMES, WHOLE, with_flags

MSP430 = Processor(
    name="msp430",
    title="TI MSP430",
    language="TI_MSP430:LE:16:default",
    code_space="RAM",
    memories=(Memory("memory", "RAM", 0x10000, is_code=True),),
    address_bytes=2,
    big_endian=False,
    stack_pointer="SP",
    calling=Calling(arguments=("R12", "R13", "R14", "R15")),
    stack_symbols=("__stack",),
    usual_stack=0xA00,
    return_bytes=2,
    interrupts=Interrupts(("pc", WHOLE), reads=("SR", *NAMES), entered=(CLEARED,)),
    reset_vector=0xFFFE,
    code_alignment=2,
    more_registers=NAMES,
    decode=with_flags,
)
