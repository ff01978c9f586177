"""PowerPC with 32 bits, big-endian, as compilers for Linux and embedded systems use it.

SLEIGH's decoder damages its own memory when it meets vaddubm, so it is never shown one: runs that meet it end.
"""

from __future__ import annotations

from untaken.executables.machine_code.guarded import not_followed
from untaken.executables.machine_code.operations import MachineInstruction
from untaken.executables.processors.description import Calling, Decode, Memory, Processor

VADDUBM, ITS_BITS = 0x10000000, 0xFC0007FF


def decode(sleigh: Decode) -> Decode:
    """SLEIGH's, but for one instruction."""

    def decoded(code: bytes, address: int) -> MachineInstruction | None:
        if len(code) >= 4 and int.from_bytes(code[:4], "big") & ITS_BITS == VADDUBM:
            return not_followed(address, 4, "vaddubm", "vaddubm")
        return sleigh(code, address)

    return decoded


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
