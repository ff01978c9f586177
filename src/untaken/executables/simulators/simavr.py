"""simavr, for the AVR: a small program around its library takes commands, since its own has none."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from untaken.executables.c_text.memories import Port
from untaken.executables.lifting import memories_of
from untaken.executables.machine_code.operations import REGISTER, Varnode
from untaken.executables.processors.avr import STACK_POINTER
from untaken.executables.simulators.observed_run import PortRead, TakenInterrupt
from untaken.executables.simulators.simulator import Simulator

USUAL_DEVICE = "atmega128"
STACK_POINTER_PLACE = 0x5D  # in data memory


class Simavr(Simulator):
    """Which device it is, the image says, or it is a large one."""

    program = "cc"
    packages = "gcc libsimavr-dev libelf-dev"
    runner = "simavr"

    def files(self) -> dict[str, bytes]:
        return {**super().files(), "simulator.c": files(__package__).joinpath("simavr.c.txt").read_bytes()}

    def begin(self) -> Iterator[str]:
        yield f"device {self._lifted.setting.image.device or USUAL_DEVICE}"
        yield "load image.hex"
        for region in memories_of(self._lifted.setting, self._lifted.start).regions:
            if region.writable:  # variables, where the code that copies them there is not run
                yield from (f"put {address:#x} {byte:#x}" for address, byte in enumerate(region.data) if byte)

    def put(self, place: Varnode, data: bytes) -> Iterator[str]:
        if place.space == REGISTER and not place.overlaps(STACK_POINTER):
            return
        first = place.offset - STACK_POINTER.offset + STACK_POINTER_PLACE if place.space == REGISTER else place.offset
        yield from (f"put {first + at:#x} {byte:#x}" for at, byte in enumerate(data))

    def interrupt(self, taken: TakenInterrupt) -> Iterator[str]:
        yield from super().interrupt(taken)
        yield "cli"

    def go_to(self, address: int) -> Iterator[str]:
        yield f"pc {address:#x}"

    def break_at(self, address: int) -> str:
        return f"break {address:#x}"

    def go_past(self, address: int) -> str:
        return f"clear {address:#x}"

    def set_port(self, port: Port, read: PortRead) -> Iterator[str]:
        for at, byte in enumerate(read.value.to_bytes(read.size, "little")):
            yield f"port {read.address + at:#x} {byte:#x}"

    def run(self) -> str:
        return "run"

    def end(self) -> Iterator[str]:
        yield "show"
