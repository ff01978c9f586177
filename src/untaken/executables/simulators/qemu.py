"""qemu's user mode, steered by gdb: PowerPC, ARM and x86-64.

It loads programs of Linux only, so the image's memory is written as one, with room for its stack and its ports.
"""

from __future__ import annotations

from collections.abc import Iterator

from untaken.executables.c_text.memories import Port
from untaken.executables.image_files.elf_writer import Contents, elf_file
from untaken.executables.lifting import Lifted, memories_of
from untaken.executables.machine_code.operations import REGISTER, Varnode
from untaken.executables.simulators.observed_run import PortRead
from untaken.executables.simulators.simulator import Simulator

EMULATORS = {"ppc": "qemu-ppc", "arm": "qemu-arm", "x86-64": "qemu-x86_64"}
CLEARED = {
    "ppc": (*(f"r{number}" for number in range(32)), "cr", "ctr", "xer", "lr"),
    "arm": tuple(f"r{number}" for number in range(13)),
    "x86-64": ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", *(f"r{number}" for number in range(8, 16))),
}
THREAD_POINTERS = {"x86-64": "fs_base"}
THUMB = 1


class Qemu(Simulator):
    """gdb takes the commands, qemu is what it is connected with."""

    program = "gdb-multiarch"
    packages = "gdb-multiarch qemu-user"
    runner = "qemu"

    def __init__(self, lifted: Lifted) -> None:
        super().__init__(lifted)
        self._regions = memories_of(lifted.setting, lifted.start).regions

    @property
    def programs(self) -> tuple[str, ...]:
        return (self.program, EMULATORS[self._processor.name])

    def files(self) -> dict[str, bytes]:
        processor, start = self._processor, self._lifted.start
        parts = [(region.address, bytes(region.data)) for region in self._regions]
        parts = [*((port.address, bytes(port.size)) for port in start.ports if not self._is_known(port)), *parts]
        entry = start.beginning.entry | (THUMB if processor.thumb else 0)
        contents = Contents(processor.name, processor.big_endian, processor.address_bytes, entry, tuple(parts))
        return {"image.elf": elf_file(contents)}

    def _is_known(self, port: Port) -> bool:
        return any(region.holds(port.address, port.size) for region in self._regions)

    def begin(self) -> Iterator[str]:
        if self._processor.thumb:
            yield "set arm force-mode thumb"
        yield from (f"set ${name} = 0" for name in CLEARED[self._processor.name])

    def put(self, place: Varnode, data: bytes) -> Iterator[str]:
        if place.space != REGISTER:
            yield from (f"set {{unsigned char}}{place.offset + at:#x} = {byte:#x}" for at, byte in enumerate(data))
            return
        name = self._register(place)
        if name is not None:
            yield f"set ${name} = {int.from_bytes(data, self.order):#x}"

    def _register(self, place: Varnode) -> str | None:
        """What gdb calls it; a part of one that is an input is the lower part, and the rest is 0."""
        calling = self._processor.calling
        pointer = self._processor.thread_pointer
        if pointer and self._lifted.setting.names[pointer].overlaps(place):
            return THREAD_POINTERS[self._processor.name]
        for name in filter(None, (self._processor.stack_pointer, calling.link, *calling.arguments)):
            if self._lifted.setting.names[name].overlaps(place):
                return name.lower()
        return None

    def go_to(self, address: int) -> Iterator[str]:
        """It is there already: the file says so. To tell gdb makes it forget what it was told of other registers."""
        yield from ()

    def break_at(self, address: int) -> str:
        return f"break *{address:#x}"

    def go_past(self, address: int) -> str:
        return f"clear *{address:#x}"

    def set_port(self, port: Port, read: PortRead) -> Iterator[str]:
        yield from self.put(
            Varnode(port.memory.space, read.address, read.size), read.value.to_bytes(read.size, self.order)
        )

    def run(self) -> str:
        return "continue"

    def end(self) -> Iterator[str]:
        yield 'printf "pc %lx\\n", $pc'
        for region in self._regions:
            if region.writable:
                yield f"dump binary memory {region.memory.name}-{region.address:x} {region.address:#x} {region.end:#x}"
        yield "kill"
