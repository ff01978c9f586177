"""ARM Cortex-M: Thumb code only, little-endian."""

from __future__ import annotations

from untaken.executables.processors.description import Calling, Memory, Processor

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
    without_effect=frozenset(
        "setISAMode DataMemoryBarrier DataSynchronizationBarrier InstructionSynchronizationBarrier HintYield HintNop "
        "HintPreloadData enableIRQinterrupts disableIRQinterrupts enableFIQinterrupts disableFIQinterrupts".split()
    ),
)
