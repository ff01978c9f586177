"""PowerPC with 32 bits, big-endian, as compilers for Linux and embedded systems use it."""

from __future__ import annotations

from untaken.executables.processors.description import Calling, Memory, Processor

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
