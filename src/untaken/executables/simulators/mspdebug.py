"""The simulator in mspdebug, for the MSP430: ports below 200h are its devices, one of digital pins each."""

from __future__ import annotations

from collections.abc import Iterator

from untaken.executables.c_text.memories import Port
from untaken.executables.lifting import Lifted
from untaken.executables.machine_code.operations import REGISTER, Varnode
from untaken.executables.simulators.observed_run import PortRead, TakenInterrupt
from untaken.executables.simulators.simulator import Simulator

DEVICES_END = 0x200


class Mspdebug(Simulator):
    """Takes commands as arguments; ours are lines of a file."""

    program = "mspdebug"
    packages = "mspdebug"
    runner = "mspdebug"

    def __init__(self, lifted: Lifted) -> None:
        super().__init__(lifted)
        self._breaks: dict[int, int] = {}

    @property
    def obstacle(self) -> str | None:
        wide = [port for port in self._lifted.start.ports if port.address < DEVICES_END and port.size > 1]
        return f"mspdebug has no device for the port {wide[0].name}, which is wider than a byte" if wide else None

    def begin(self) -> Iterator[str]:
        self._breaks.clear()
        for port in self._lifted.start.ports:
            if port.address < DEVICES_END:
                yield f"simio add gpio at{port.address:x}"
                yield f"simio config at{port.address:x} base {port.address:#x}"
                yield f"simio config at{port.address:x} noirq"
        yield f"fill {DEVICES_END:#x} {0x10000 - DEVICES_END:#x} 0"
        yield "load image.hex"
        yield from (f"set {number} 0" for number in range(1, 16))

    def put(self, place: Varnode, data: bytes) -> Iterator[str]:
        if place.space == REGISTER:
            number = next((int(name[1:]) for name, each in self._numbered() if each.offset == place.offset), None)
            if number is not None:
                yield f"set {number} {int.from_bytes(data, self.order):#x}"
        elif place.offset >= DEVICES_END:
            yield f"mw {place.offset:#x} {' '.join(f'{byte:#x}' for byte in data)}"

    def _numbered(self) -> Iterator[tuple[str, Varnode]]:
        names = self._lifted.setting.names
        yield from (("R1", names["SP"]), ("R2", names["SR"]))
        yield from ((name, place) for name, place in names.items() if name[:1] == "R" and name[1:].isdigit())

    def interrupt(self, taken: TakenInterrupt) -> Iterator[str]:
        yield from super().interrupt(taken)
        yield "set 2 0"

    def go_to(self, address: int) -> Iterator[str]:
        yield f"set 0 {address:#x}"

    def break_at(self, address: int) -> str:
        self._breaks[address] = len(self._breaks)
        return f"setbreak {address:#x} {self._breaks[address]}"

    def go_past(self, address: int) -> str:
        return f"delbreak {self._breaks[address]}"

    def set_port(self, port: Port, read: PortRead) -> Iterator[str]:
        if read.address >= DEVICES_END:
            yield from self.put(
                Varnode(port.memory.space, read.address, read.size), read.value.to_bytes(read.size, "little")
            )
            return
        for pin in range(8):
            yield f"simio config at{port.address:x} set {pin} {read.value >> pin & 1}"

    def run(self) -> str:
        return "run"

    def end(self) -> Iterator[str]:
        yield "regs"
        yield f"save_raw {DEVICES_END:#x} {0x10000 - DEVICES_END:#x} memory"
