"""Leaves out what nobody reads: most flags are computed by each instruction and asked for by few.

Registers that no instruction of the whole program reads, or only after it has written them itself, are never live;
within a function, what is overwritten before it is read is not. Calls and returns may read everything, and so may
handlers, where an interrupt may come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from untaken.executables.machine_code.control_flow import MachineFunction, MachineProgram, successors
from untaken.executables.machine_code.operations import (
    EFFECTS,
    JUMPS,
    REGISTER,
    UNIQUE,
    MachineInstruction,
    Operation,
    Varnode,
)

LEAVING = JUMPS - {"BRANCH", "CBRANCH"}


class Registers:
    """Bytes of registers as bits of whole numbers."""

    def __init__(self) -> None:
        self._bits: dict[int, int] = {}

    def mask(self, place: Varnode) -> int:
        mask = 0
        for offset in range(place.offset, place.offset + place.size):
            mask |= 1 << self._bits.setdefault(offset, len(self._bits))
        return mask


class Liveness:
    """What is live behind each instruction of one program; `kept` are registers that are read from outside.

    `interrupted` says before which instructions an interrupt may come.
    """

    def __init__(
        self,
        program: MachineProgram,
        kept: Iterable[Varnode],
        interrupted: Callable[[int], bool] = lambda address: False,
    ) -> None:
        self._program = program
        self._interrupted = interrupted
        self._registers = Registers()
        self._entries: dict[int, int] = {}
        self._everything = 0
        for place in kept:
            self._everything |= self._registers.mask(place)
        for instruction in program.instructions.values():
            self._everything |= self._through(instruction, 0, at_leaving=0)

    def without_dead(self, function: MachineFunction) -> dict[int, MachineInstruction]:
        """The instructions of a function, each with what it does that matters."""
        instructions = self._program.instructions
        before: dict[int, int] = dict.fromkeys(function.addresses, 0)
        behind: dict[int, int] = {}
        predecessors = self._predecessors(function)
        work = list(function.addresses)
        waiting = set(work)
        while work:
            address = work.pop()
            waiting.discard(address)
            instruction = instructions[address]
            behind[address] = self._behind(instruction, before)
            live = self._through(instruction, behind[address])
            if self._interrupted(address):
                live |= self._everything
            if live != before[address]:
                before[address] = live
                for each in predecessors.get(address, ()):
                    if each not in waiting:
                        waiting.add(each)
                        work.append(each)
        return {address: self._pruned(instructions[address], behind[address]) for address in function.addresses}

    def live_at_entry(self, function: MachineFunction) -> int:
        """Registers that may be read before they are written, here or in what is called."""
        if function.entry in self._entries:
            return self._entries[function.entry]
        self._entries[function.entry] = 0  # as long as it is not known: recursion adds nothing
        own = {address: self._program.instructions[address] for address in function.addresses}
        before = dict.fromkeys(own, 0)
        changed = True
        while changed:
            changed = False
            for address in reversed(function.addresses):
                live = self._read_from(own[address], before)
                changed |= live != before[address]
                before[address] = live
        self._entries[function.entry] = before[function.entry]
        return before[function.entry]

    def _read_from(self, instruction: MachineInstruction, before: dict[int, int]) -> int:
        live = called = 0
        for following in successors(self._program, instruction):
            live |= before.get(following, self._at_function(following))
        for callee in instruction.calls:
            called |= self._at_function(callee)
        return self._through(instruction, live, at_leaving=called)

    def _at_function(self, entry: int) -> int:
        function = self._program.functions.get(entry)
        return 0 if function is None else self.live_at_entry(function)

    def read_part(self, live: int, register: Varnode, big_endian: bool) -> Varnode | None:
        """The register, or its lower part if only that is read; None if nothing of it is."""
        for size in (1, 2, 4, 8):
            offset = register.offset + register.size - size if big_endian else register.offset
            part = Varnode(register.space, offset, size)
            if size <= register.size and live & self._registers.mask(register) & ~self._registers.mask(part) == 0:
                return part if live & self._registers.mask(part) else None
        return register

    def _predecessors(self, function: MachineFunction) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for address in function.addresses:
            for following in successors(self._program, self._program.instructions[address]):
                found.setdefault(following, []).append(address)
        return found

    def _behind(self, instruction: MachineInstruction, before: dict[int, int]) -> int:
        live = 0
        for following in successors(self._program, instruction):
            live |= before.get(following, self._everything)
        return live

    def _through(self, instruction: MachineInstruction, live: int, at_leaving: int | None = None) -> int:
        """What is live before an instruction; nothing is overwritten for sure where it jumps within itself."""
        jumps_within = any(op.inside for op in instruction.operations)
        behind = live
        for op in reversed(instruction.operations):
            live |= behind if op.code == "CBRANCH" else 0
            live = self._step(op, live, jumps_within, self._everything if at_leaving is None else at_leaving)
        return live

    def _step(self, op: Operation, live: int, jumps_within: bool, at_leaving: int) -> int:
        if op.code in LEAVING or op.code == "CALLOTHER":
            live |= at_leaving
        if op.output is not None and op.output.space == REGISTER and not jumps_within:
            live &= ~self._registers.mask(op.output)
        for place in op.inputs:
            if place.space == REGISTER:
                live |= self._registers.mask(place)
        return live

    def _pruned(self, instruction: MachineInstruction, live: int) -> MachineInstruction:
        if any(op.inside for op in instruction.operations[:-1]):
            return instruction
        kept: list[Operation] = []
        wanted: list[Varnode] = []  # temporaries that are read further on
        behind = live
        for op in reversed(instruction.operations):
            live |= behind if op.code == "CBRANCH" else 0
            if not self._matters(op, live, wanted):
                continue
            live = self._step(op, live, False, self._everything)
            kept.append(op)
            wanted += [place for place in op.inputs if place.space == UNIQUE]
        return replace(instruction, operations=tuple(reversed(kept)))

    def _matters(self, op: Operation, live: int, wanted: list[Varnode]) -> bool:
        if op.output is None or op.code in EFFECTS:
            return True
        if op.output.space == UNIQUE:
            return any(op.output.overlaps(place) for place in wanted)
        return op.output.space != REGISTER or bool(live & self._registers.mask(op.output))
