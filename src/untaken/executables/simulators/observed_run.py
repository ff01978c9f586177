"""What a run of a lifted program was given, step by step, and what is in memory at its end: as it prints it itself."""

from __future__ import annotations

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


@dataclass(slots=True)
class Stop:
    """An instruction that gets something from outside: a simulator stops before it."""

    address: int
    reads: list[PortRead] = field(default_factory=list)


@dataclass(slots=True)
class SimulatedRun:
    """One run. `inputs` came before the stop of that number, by the number of the input."""

    stops: list[Stop] = field(default_factory=list)
    inputs: dict[int, bytes] = field(default_factory=dict)
    inputs_before: int = 0
    last_stop: int | None = None  # where the input ended; None: the program did
    memory: dict[str, dict[int, int]] = field(default_factory=dict)  # bytes that are not 0


def observed_run(printed: str) -> SimulatedRun:
    """Reads what the program printed."""
    run = SimulatedRun()
    for line in printed.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "read":
            _add_read(run, rest)
        elif kind == "passed":
            run.stops.append(Stop(int(rest, 16)))
        elif kind == "stop":
            run.last_stop = int(rest, 16)
        elif kind == "input":
            number, _, data = rest.partition(" ")
            run.inputs[int(number)] = bytes.fromhex(data)
            run.inputs_before = len(run.stops)
        elif kind == "memory":
            name, address, data = rest.split()
            found = run.memory.setdefault(name, {})
            found.update((int(address, 16) + place, byte) for place, byte in enumerate(bytes.fromhex(data)))
    return run


def _add_read(run: SimulatedRun, rest: str) -> None:
    """An instruction that reads two ports is one stop."""
    pc, address, size, value, name = rest.split(" ", 4)
    read = PortRead(name, int(address, 16), int(size), int(value, 16))
    last = run.stops[-1] if run.stops else None
    another = last is not None and last.address == int(pc, 16) and last.reads
    if last is not None and another and all(each.address != read.address for each in last.reads):
        last.reads.append(read)
    else:
        run.stops.append(Stop(int(pc, 16), [read]))
