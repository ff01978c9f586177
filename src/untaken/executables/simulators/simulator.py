"""What is particular to one simulator: the commands that bring a run about in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Literal

from untaken.executables.c_text.memories import Port
from untaken.executables.image_files.hex_file import hex_text
from untaken.executables.lifting import Lifted
from untaken.executables.machine_code.control_flow import idle_loops
from untaken.executables.machine_code.operations import REGISTER, Varnode
from untaken.executables.simulators.observed_run import PortRead, SimulatedRun, Stop, TakenInterrupt


class Simulator(ABC):
    """Writes a file of commands for a run: what memory holds at first, where to stop, what ports say there."""

    program = ""
    packages = ""
    runner = ""  # the function of run.py that knows it

    def __init__(self, lifted: Lifted) -> None:
        self._lifted = lifted
        self._processor = lifted.setting.processor

    @property
    def obstacle(self) -> str | None:
        """Why this program cannot be run there; None if it can."""
        return None

    @property
    def programs(self) -> tuple[str, ...]:
        """What must be installed to run its tests."""
        return (self.program,)

    def files(self) -> dict[str, bytes]:
        """What lies beside the cases: the program, at least."""
        return {"image.hex": hex_text(self._lifted.setting.image).encode()}

    def commands(self, run: SimulatedRun) -> Iterator[str]:
        """All of them, for one run."""
        start = self._lifted.start
        yield from self.begin()
        for place, value in (*start.beginning.registers, *start.beginning.words):
            yield from self.put(place, value.to_bytes(place.size, self.order))
        yield from self.go_to(start.beginning.entry)
        places = {stop.address for stop in run.stops} | self.ends(run)
        yield from (self.break_at(address) for address in sorted(places | self._input_places()))
        here: int | None = start.beginning.entry
        for number, stop in enumerate([*run.stops, None]):
            if number == run.inputs_before and run.inputs:
                yield from self._inputs(run, here)
                here = here if start.input_at is None else start.input_at
            if stop is None:
                break
            yield from self._stop(stop, here)
            here = None if stop.interrupt is None else stop.interrupt.vector  # else an instruction may come to itself
        if here is None or here not in self.ends(run):
            yield self.run()
        yield from self.end()

    def ends(self, run: SimulatedRun) -> set[int]:
        """Where a run is over: where its input ends, or where the program does."""
        if run.last_stop is not None:
            return {run.last_stop}
        start = self._lifted.start
        return {start.beginning.stop, *start.exits, *idle_loops(self._lifted.program)}

    def _input_places(self) -> set[int]:
        return set() if self._lifted.start.input_at is None else {self._lifted.start.input_at}

    def _inputs(self, run: SimulatedRun, here: int | None) -> Iterator[str]:
        start = self._lifted.start
        if start.input_at is not None:
            if start.input_at != here:
                yield self.run()
            if start.input_at not in {stop.address for stop in run.stops} | self.ends(run):
                yield self.go_past(start.input_at)
        for number, data in sorted(run.inputs.items()):
            place = start.beginning.inputs[number].place
            yield from self.put(place, data if place.space != REGISTER or self.order == "little" else data[::-1])

    def _stop(self, stop: Stop, here: int | None) -> Iterator[str]:
        if stop.address != here:
            yield self.run()
        for read in stop.reads:
            yield from self.set_port(self.port(read), read)
        if stop.interrupt is not None:
            yield from self.interrupt(stop.interrupt)

    def interrupt(self, taken: TakenInterrupt) -> Iterator[str]:
        """Does what the processor does when one comes."""
        memory = self._processor.data_memory
        pointer = self._lifted.setting.names[self._processor.stack_pointer]
        yield from self.put(Varnode(memory.space, taken.first, len(taken.pushed)), taken.pushed)
        yield from self.put(pointer, taken.stack_pointer.to_bytes(pointer.size, self.order))
        yield from self.go_to(taken.vector)

    def port(self, read: PortRead) -> Port:
        for port in self._lifted.start.ports:
            if port.name == read.name and port.address <= read.address < port.address + port.size:
                return port
        raise LookupError(read.name)

    @property
    def order(self) -> Literal["big", "little"]:
        return "big" if self._processor.big_endian else "little"

    @abstractmethod
    def begin(self) -> Iterator[str]:
        """An empty machine with the program in it."""

    @abstractmethod
    def put(self, place: Varnode, data: bytes) -> Iterator[str]:
        """Bytes into memory or a register."""

    @abstractmethod
    def go_to(self, address: int) -> Iterator[str]: ...

    @abstractmethod
    def break_at(self, address: int) -> str: ...

    @abstractmethod
    def go_past(self, address: int) -> str:
        """No stop there any more."""

    @abstractmethod
    def set_port(self, port: Port, read: PortRead) -> Iterator[str]: ...

    @abstractmethod
    def run(self) -> str: ...

    @abstractmethod
    def end(self) -> Iterator[str]:
        """Commands that show the memory when the run is over."""
