"""x86 with 64 bits: freestanding code, and single functions of ordinary executables."""

from __future__ import annotations

from untaken.executables.processors.description import Calling, Memory, Processor

X86_64 = Processor(
    name="x86-64",
    title="x86-64",
    language="x86:LE:64:default",
    code_space="ram",
    memories=(Memory("ram", "ram", is_code=True),),
    address_bytes=8,
    big_endian=False,
    stack_pointer="RSP",
    calling=Calling(arguments=("RDI", "RSI", "RDX", "RCX", "R8", "R9")),
    return_bytes=8,
    thread_pointer="FS_OFFSET",
)
