"""ucsim, the simulator of sdcc's authors, for the 8051."""

from __future__ import annotations

from collections.abc import Iterator

from untaken.executables.c_text.memories import Port
from untaken.executables.machine_code.operations import REGISTER, Varnode
from untaken.executables.simulators.observed_run import PortRead
from untaken.executables.simulators.simulator import Simulator

PINS = {0x80: 0, 0x90: 1, 0xA0: 2, 0xB0: 3}  # ports with pins of their own, beside what was written to them
FLAGS = 0x100  # registers from here on are bits of PSW


class Ucsim(Simulator):
    """Its console takes a file of commands."""

    program = "s51"
    packages = "sdcc-ucsim"
    runner = "ucsim"

    def begin(self) -> Iterator[str]:
        yield 'file "image.hex"'
        yield "fill iram 0 0xff 0"
        yield "fill xram 0 0xffff 0"

    def put(self, place: Varnode, data: bytes) -> Iterator[str]:
        if place.space == REGISTER and place.offset >= FLAGS:
            return
        memory = self._processor.memory(place.space)
        name = "sfr" if memory is None else memory.name
        if name != "code":
            yield f"set memory {name} {place.offset:#x} {' '.join(f'{byte:#x}' for byte in data)}"

    def go_to(self, address: int) -> Iterator[str]:
        yield f"pc {address:#x}"

    def break_at(self, address: int) -> str:
        return f"break {address:#x}"

    def go_past(self, address: int) -> str:
        return f"clear {address:#x}"

    def set_port(self, port: Port, read: PortRead) -> Iterator[str]:
        if port.memory.name == "sfr" and read.address in PINS:
            yield f"set hardware port[{PINS[read.address]}] {read.value:#x}"
        else:
            yield from self.put(Varnode(port.memory.space, read.address, read.size), read.value.to_bytes(read.size))

    def run(self) -> str:
        return "run"

    def end(self) -> Iterator[str]:
        yield "dump iram 0 0xff"
        yield "dump xram 0 0xffff"
        yield "quit"
