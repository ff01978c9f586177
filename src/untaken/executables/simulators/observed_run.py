"""What a run of a lifted program was given, step by step, and what is in memory at its end: as it prints it itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

DEFINE = "-DUNTAKEN_DUMP"  # what makes the lifted program print it
READS_VARIABLE = "UNTAKEN_READS"  # the read of a port that a run ends before


@dataclass(frozen=True, slots=True)
class PortRead:
    """The value that one read of a port gave."""

    name: str
    address: int
    size: int
    value: int


@dataclass(frozen=True, slots=True)
class TakenInterrupt:
    """What the processor has done when an interrupt came: it goes on at the vector, with more on its stack."""

    vector: int
    stack_pointer: int
    first: int  # the lowest address of what was pushed
    pushed: bytes


@dataclass(slots=True)
class Stop:
    """An instruction that gets something from outside: a simulator stops before it."""

    address: int
    reads: list[PortRead] = field(default_factory=list)
    has_just_arrived: bool = False  # where interrupts may come, and no more is known as yet
    more_loads: int = 0  # that the instruction makes
    interrupt: TakenInterrupt | None = None  # comes before the instruction, which then is arrived at once more


@dataclass(slots=True)
class SimulatedRun:
    """One run. `inputs` came before the stop of that number, by the number of the input."""

    stops: list[Stop] = field(default_factory=list)
    inputs: dict[int, bytes] = field(default_factory=dict)
    inputs_before: int = 0
    last_stop: int | None = None  # where the input ended; None: the program did
    memory: dict[str, dict[int, int]] = field(default_factory=dict)  # bytes that are not 0


def observed_run(printed: str, loads: Mapping[int, int]) -> SimulatedRun:
    """Reads what the program printed; `loads` says how many an instruction makes, where that is more than one."""
    run = SimulatedRun()
    for line in printed.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "read":
            _add_read(run, rest, loads)
        elif kind == "passed":
            _stop_at(run, int(rest, 16), loads)
        elif kind == "arrived":
            run.stops.append(Stop(int(rest, 16), has_just_arrived=True))
        elif kind == "interrupt":
            run.stops[-1].interrupt = _interrupt(rest)
            run.stops[-1].has_just_arrived = False
        elif kind == "stop":
            run.last_stop = int(rest, 16)
            if run.stops and run.stops[-1].has_just_arrived and run.stops[-1].address == run.last_stop:
                run.stops.pop()
        elif kind == "input":
            number, _, data = rest.partition(" ")
            run.inputs[int(number)] = bytes.fromhex(data)
            run.inputs_before = len(run.stops)
        elif kind == "memory":
            name, address, data = rest.split()
            found = run.memory.setdefault(name, {})
            found.update((int(address, 16) + place, byte) for place, byte in enumerate(bytes.fromhex(data)))
    return run


def _add_read(run: SimulatedRun, rest: str, loads: Mapping[int, int]) -> None:
    """An instruction that reads two ports is one stop."""
    pc, address, size, value, name = rest.split(" ", 4)
    read = PortRead(name, int(address, 16), int(size), int(value, 16))
    last = run.stops[-1] if run.stops else None
    another = last is not None and last.address == int(pc, 16) and last.reads
    if last is not None and another and all(each.address != read.address for each in last.reads):
        last.reads.append(read)
    else:
        _stop_at(run, int(pc, 16), loads).reads.append(read)


def _stop_at(run: SimulatedRun, pc: int, loads: Mapping[int, int]) -> Stop:
    """A new stop, or the one at which the run has just arrived, or whose instruction loads once more."""
    last = run.stops[-1] if run.stops else None
    if last is not None and last.address == pc and last.more_loads:
        last.more_loads -= 1
        return last
    if last is None or not last.has_just_arrived or last.address != pc:
        last = Stop(pc)
        run.stops.append(last)
    last.has_just_arrived = False
    last.more_loads = loads.get(pc, 1) - 1
    return last


def _interrupt(rest: str) -> TakenInterrupt:
    vector, pointer, first, pushed = rest.split()
    return TakenInterrupt(int(vector, 16), int(pointer, 16), int(first, 16), bytes.fromhex(pushed))
