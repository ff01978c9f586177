"""Which instructions an image has, and which of them make up a function: found from the entries, along jumps and calls.

What calls lead to is a function, and so is what several functions jump into. Targets that only a run can tell, those of
jump tables and returns to unusual places, are `learnt`: they are given from outside, and more of them come with time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from untaken.executables.machine_code.operations import MachineInstruction

MOST_INSTRUCTIONS = 200_000
LONGEST_IDLE_LOOP = 16  # bytes


@dataclass(slots=True)
class MachineFunction:
    """Instructions in the order of their addresses, from `entry` on first."""

    entry: int
    addresses: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Learnt:
    """What runs have told: where a computed jump at an address led to, and other places that were entered."""

    jumps: Mapping[int, frozenset[int]] = field(default_factory=dict)
    calls: frozenset[int] = frozenset()
    places: frozenset[int] = frozenset()  # that returns led to, without a call before them

    def with_target(self, way: str, source: int, target: int) -> Learnt:
        """One more; `way` is "jump", "call" or "return"."""
        if way == "jump":
            known = self.jumps.get(source, frozenset())
            return replace(self, jumps={**self.jumps, source: known | {target}})
        if way == "call":
            return replace(self, calls=self.calls | {target})
        return replace(self, places=self.places | {target})

    @property
    def targets(self) -> set[int]:
        return set().union(self.calls, self.places, *self.jumps.values())


@dataclass(slots=True)
class MachineProgram:
    """All instructions and functions that were found in an image."""

    entries: tuple[int, ...]
    instructions: dict[int, MachineInstruction]
    invalid: set[int]  # addresses that are reached, and hold no instruction
    functions: dict[int, MachineFunction]
    learnt: Learnt
    is_cut_off: bool  # there may be more instructions than these
    owners: dict[int, int] = field(default_factory=dict)  # the entry of the function that an instruction belongs to

    def owner(self, address: int) -> MachineFunction | None:
        entry = self.owners.get(address)
        return None if entry is None else self.functions[entry]


def recover(
    fetch: Callable[[int], MachineInstruction | None],
    entries: Iterable[int],
    learnt: Learnt,
    named: Collection[int] = (),
    bounds: Collection[int] = (),
) -> MachineProgram:
    """Follows all code from the entries and from what is learnt; `named` are functions, even if jumps call them.

    `bounds` begin functions even if code runs into them: a call before them may never return.
    """
    begun = tuple(dict.fromkeys(entries))
    instructions: dict[int, MachineInstruction] = {}
    invalid: set[int] = set()
    called = dict.fromkeys((*begun, *sorted(learnt.calls)))
    work = [*sorted(learnt.targets, reverse=True), *reversed(begun)]
    while work and len(instructions) < MOST_INSTRUCTIONS:
        _follow_line(fetch, work, instructions, invalid, called)
    targets = (target for each in instructions.values() for target in each.targets)
    called.update(dict.fromkeys(target for target in targets if target in named))
    behind = (each.next for each in instructions.values() if each.falls_through)
    called.update(dict.fromkeys(address for address in behind if address in bounds))
    program = MachineProgram(begun, instructions, invalid, {}, learnt, len(instructions) >= MOST_INSTRUCTIONS)
    _divide(program, called)
    return program


def _follow_line(
    fetch: Callable[[int], MachineInstruction | None],
    work: list[int],
    instructions: dict[int, MachineInstruction],
    invalid: set[int],
    called: dict[int, None],
) -> None:
    """From one address on, as long as instructions follow each other: decoders of some processors rely on that."""
    address = work.pop()
    while address not in instructions and address not in invalid and len(instructions) < MOST_INSTRUCTIONS:
        found = fetch(address)
        if found is None:
            invalid.add(address)
            return
        instructions[address] = found
        work.extend(found.targets)
        work.extend(found.calls)
        called.update(dict.fromkeys(found.calls))
        if not found.falls_through:
            return
        address = found.next


def successors(program: MachineProgram, instruction: MachineInstruction) -> list[int]:
    """Within the function: jumps, what is learnt of computed ones, and what follows."""
    found = [*instruction.targets, *sorted(program.learnt.jumps.get(instruction.address, ()))]
    return [*found, instruction.next] if instruction.falls_through else found


def idle_loops(program: MachineProgram) -> set[int]:
    """Where loops begin in which nothing happens but waiting: a run that comes there has ended."""
    found = set()
    for address, instruction in program.instructions.items():
        *_, last = instruction.operations or (None,)
        if last is not None and last.code == "BRANCH" and not last.inside:
            target = last.inputs[0].offset
            if 0 <= address - target <= LONGEST_IDLE_LOOP and _is_idle(program, target, instruction):
                found.add(target)
    return found


def _is_idle(program: MachineProgram, first: int, last: MachineInstruction) -> bool:
    address = first
    while address < last.address:
        instruction = program.instructions.get(address)
        if instruction is None or not all(op.is_idle for op in instruction.operations):
            return False
        address = instruction.next
    return address == last.address and all(op.is_idle for op in last.operations[:-1])


def _divide(program: MachineProgram, called: dict[int, None]) -> None:
    """Gives each instruction to one function; what two of them reach becomes a function of its own."""
    entries = [address for address in called if address in program.instructions]
    owners: dict[int, int] = {}
    while True:
        owners, shared = _owners(program, entries)
        if not shared:
            break
        entries += shared
    places = [address for address in sorted(program.learnt.places) if address not in owners]
    while places:  # what nothing leads to but a run
        entries.append(places[0])
        owners, shared = _owners(program, entries)
        entries += shared
        if not shared:
            places = [address for address in places if address not in owners]
    program.owners = _owners(program, entries)[0]
    for entry in sorted(set(entries)):
        program.functions[entry] = MachineFunction(entry)
    for address in sorted(program.owners):
        program.functions[program.owners[address]].addresses.append(address)


def _owners(program: MachineProgram, entries: list[int]) -> tuple[dict[int, int], list[int]]:
    """The function of each instruction, and the first instructions that two functions have in common."""
    starts = set(entries)
    owners: dict[int, int] = {}
    shared: dict[int, None] = {}
    for entry in sorted(starts):
        work = [entry]
        while work:
            address = work.pop()
            if address not in program.instructions or (address in starts and address != entry):
                continue
            owner = owners.setdefault(address, entry)
            if owner != entry:
                shared[address] = None
                continue
            work += [each for each in successors(program, program.instructions[address]) if owners.get(each) != entry]
    return owners, list(shared)
