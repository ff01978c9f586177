"""One machine instruction as C statements.

Temporaries of p-code that are read once are put where they are read, if nothing in between changes what they are made
of; the others become C variables. So `ADD A,R7` is mostly one assignment.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from untaken.executables.c_text.c_types import bare, literal, room, unsigned
from untaken.executables.c_text.expressions import NotSupported, expression
from untaken.executables.c_text.memories import Memories, Port, accessor
from untaken.executables.c_text.registers import RegisterFile
from untaken.executables.machine_code.operations import (
    CONST,
    REGISTER,
    UNIQUE,
    MachineInstruction,
    Operation,
    Varnode,
    signed,
)
from untaken.executables.processors.description import Processor


@dataclass(frozen=True, slots=True)
class Inlined:
    """A C expression, and what it was made of: registers and known places, or memory at large."""

    text: str
    reads: tuple[Varnode, ...] = ()
    reads_memory: bool = False


@dataclass(slots=True)
class Hardware:
    """What instructions of a program have in common."""

    processor: Processor
    registers: RegisterFile
    memories: Memories
    code: list[range] = field(default_factory=list)  # stretches of instructions that could be written to

    def can_be_written(self, place: Varnode) -> bool:
        """Whether a write to a known address needs no check: there is memory for it, and no instruction."""
        memory = self.processor.memory(place.space)
        region = None if memory is None else self.memories.region_at(memory, place.offset, place.size)
        if memory is None or region is None or not region.writable:
            return False
        end = place.offset + place.size
        return not memory.is_code or not any(each.start < end and place.offset < each.stop for each in self.code)


@dataclass(slots=True)
class InstructionText:
    """The statements of one instruction; the last of its operations, if it jumps, is left to the caller."""

    statements: list[str] = field(default_factory=list)
    jump: Operation | None = None
    target: str = ""  # of a computed jump
    condition: str = ""
    unsupported: str = ""


class InstructionTranslator:
    """Translates one machine instruction into C statements."""

    def __init__(self, surroundings: Hardware, instruction: MachineInstruction) -> None:
        self._around = surroundings
        self._instruction = instruction
        self._jumps_inside = any(op.inside for op in instruction.operations)
        reads = (each for op in instruction.operations for each in op.inputs)
        self._temporaries_read = [each for each in reads if each.space == UNIQUE]
        self._values: dict[Varnode, Inlined] = {}
        self._lines = InstructionText()
        self._declared: list[str] = []
        self._names: dict[Varnode, str] = {}
        self._port_values: dict[Varnode, str] = {}
        self._written: set[Varnode] = set()  # what is read of a port then is no input

    def run(self) -> InstructionText:
        operations = self._instruction.operations
        landings = self._landings()
        for number, op in enumerate(operations):
            if number in landings:
                self._lines.statements.append(f"{self.inner_label(number)}:;")
            try:
                self._operation(number, op, last=number == len(operations) - 1)
            except NotSupported as problem:
                self._lines.unsupported = str(problem)
                return self._lines
        if len(operations) in landings:
            self._lines.statements.append(f"{self.inner_label(len(operations))}:;")
        self._lines.statements[:0] = self._declared
        return self._lines

    def inner_label(self, number: int) -> str:
        return f"I_{self._instruction.address:x}_{number}"

    def _landings(self) -> set[int]:
        operations = enumerate(self._instruction.operations)
        return {number + signed(op.inputs[0]) for number, op in operations if op.inside}

    # ---- one operation

    def _operation(self, number: int, op: Operation, last: bool) -> None:
        if op.inside:
            self._jump_inside(number, op)
        elif op.code in ("CBRANCH", "BRANCH", "CALL", "CALLIND", "BRANCHIND", "RETURN"):
            self._leave(op, last)
        elif op.code == "STORE":
            self._store(op)
        elif op.code == "CALLOTHER":
            self._other(op)
        else:
            self._assign(op)

    def _jump_inside(self, number: int, op: Operation) -> None:
        label = self.inner_label(number + signed(op.inputs[0]))
        condition = f"if ({bare(self._read(op.inputs[1]).text)}) " if op.code == "CBRANCH" else ""
        self._lines.statements.append(f"{condition}goto {label};")

    def _leave(self, op: Operation, last: bool) -> None:
        """Jumps at the end are the caller's matter; those before it are conditional, and known."""
        named = op.inputs[1:] if op.code in ("BRANCH", "CBRANCH", "CALL") else op.inputs
        values = [self._read(place) for place in named]
        if not last:
            if op.code not in ("CBRANCH", "BRANCH"):
                raise NotSupported(f"{op.code} in the middle of an instruction")
            condition = f"if ({bare(values[0].text)}) " if values else ""
            self._lines.statements.append(f"{condition}JUMP({op.inputs[0].offset:#x})")
            return
        self._lines.jump = op
        if op.code == "CBRANCH":
            self._lines.condition = bare(values[0].text)
        elif values:
            self._lines.target = bare(values[0].text)

    def _store(self, op: Operation) -> None:
        address, value = self._read(op.inputs[0]), self._read(op.inputs[1])
        memory = self._around.processor.memory(op.space)
        if memory is None:
            raise NotSupported(f"a write to {op.space}")
        self._before_write(None)
        size = op.inputs[1].size
        known = self._known(op, size)
        if known is not None and self._around.can_be_written(known):
            pointer = self._around.memories.pointer(known)
            self._lines.statements.append(f"put{8 * room(size)}({pointer}, {bare(value.text)});")
            return
        place = f"{self._instruction.address:#x}"
        self._lines.statements.append(
            f"{accessor(memory, size, store=True)}({bare(address.text)}, {bare(value.text)}, {place});"
        )

    def _known(self, op: Operation, size: int) -> Varnode | None:
        address = op.inputs[0]
        return Varnode(op.space, address.offset, size) if address.space == CONST else None

    def _other(self, op: Operation) -> None:
        if op.name not in self._around.processor.without_effect:
            raise NotSupported(op.name)
        if op.output is not None:
            self._write(op.output, Inlined(literal(0, op.output.size)))

    def _assign(self, op: Operation) -> None:
        assert op.output is not None
        if op.code == "LOAD":
            value = self._loaded(op)
        elif op.code == "PORT":
            value = self._read(op.inputs[0], is_port=True)
        else:
            read = [self._read(place) for place in op.inputs]
            text = expression(op, [value.text for value in read], self._instruction.address)
            reads = tuple(place for value in read for place in value.reads)
            value = Inlined(text, reads, any(each.reads_memory for each in read))
        self._write(op.output, value)

    def _loaded(self, op: Operation) -> Inlined:
        assert op.output is not None
        memory, size = self._around.processor.memory(op.space), op.output.size
        if memory is None:
            raise NotSupported(f"a read of {op.space}")
        known = self._known(op, size)
        if known is not None:
            return self._read(known, is_port=True)
        address = self._read(op.inputs[0])
        text = f"{accessor(memory, size, store=False)}({bare(address.text)}, {self._instruction.address:#x})"
        return Inlined(text, address.reads, reads_memory=True)

    # ---- reading and writing places

    def _read(self, place: Varnode, is_port: bool = False) -> Inlined:
        if place.is_constant:
            return Inlined(literal(place.offset, place.size))
        if place.space == UNIQUE:
            return self._temporary(place)
        if place.space == REGISTER:
            return Inlined(self._around.registers.read(place), (place,))
        return self._memory_place(place, is_port)

    def _memory_place(self, place: Varnode, is_port: bool) -> Inlined:
        memories, memory = self._around.memories, self._around.processor.memory(place.space)
        if memory is None:
            raise NotSupported(f"a read of {place.space}")
        port = memories.port_at(place)
        if port is not None and place not in self._written and (is_port or not self._around.processor.has_latches):
            return self._port(place, port)
        direct = memories.direct(place)
        if direct is not None:
            return Inlined(direct, (place,), reads_memory=True)
        pointer = memories.pointer(place)
        if pointer is not None:
            return Inlined(f"get{8 * room(place.size)}({pointer})", (place,), reads_memory=True)
        address = literal(place.offset, self._around.processor.address_bytes)
        text = f"{accessor(memory, place.size, store=False)}({address}, {self._instruction.address:#x})"
        return Inlined(text, (place,), reads_memory=True)

    def _port(self, place: Varnode, port: Port) -> Inlined:
        """A new input; an instruction that needs it twice has read it once."""
        name = self._port_values.get(place)
        if name is None:
            name = self._fresh(place.size)
            where = f"{place.offset:#x}, {self._instruction.address:#x}"
            self._emit(place.size, name, f'port{8 * room(place.size)}("{port.name}", {where})')
            if not self._jumps_inside:
                self._port_values[place] = name
        return Inlined(name)

    def _temporary(self, place: Varnode) -> Inlined:
        if place in self._values:
            # What is read once is written once, too: it may be a read of memory.
            return self._values.pop(place) if self._is_read_once(place) else self._values[place]
        if place in self._names:
            return Inlined(self._names[place])
        return Inlined(self._part_of_temporary(place))

    def _part_of_temporary(self, place: Varnode) -> str:
        """A part of one, or several in one: temporaries overlap here and there."""
        named = {whole: Inlined(name) for whole, name in self._names.items()}
        for whole, value in (self._values | named).items():
            if whole.space != UNIQUE:
                continue
            if whole.offset <= place.offset and place.offset + place.size <= whole.offset + whole.size:
                first = place.offset - whole.offset
                if self._around.processor.big_endian:
                    first = whole.size - first - place.size
                part = Operation("SUBPIECE", place, (whole, Varnode(CONST, first, 4)))
                return expression(part, [value.text, ""], self._instruction.address)
        raise NotSupported("a temporary that overlaps others")

    def _write(self, place: Varnode, value: Inlined) -> None:
        if place.space == UNIQUE:
            self._keep(place, value)
            return
        self._before_write(place)
        text = bare(value.text)
        if place.space == REGISTER:
            self._lines.statements.append(self._around.registers.write(place, text))
            return
        self._write_memory(place, text)

    def _write_memory(self, place: Varnode, text: str) -> None:
        memory = self._around.processor.memory(place.space)
        if memory is None:
            raise NotSupported(f"a write to {place.space}")
        self._written.add(place)
        direct, pointer = self._around.memories.direct(place), self._around.memories.pointer(place)
        if not self._around.can_be_written(place):
            address = literal(place.offset, self._around.processor.address_bytes)
            name = accessor(memory, place.size, store=True)
            self._lines.statements.append(f"{name}({address}, {text}, {self._instruction.address:#x});")
        elif direct is not None:
            self._lines.statements.append(f"{direct} = {text};")
        else:
            self._lines.statements.append(f"put{8 * room(place.size)}({pointer}, {text});")

    def _keep(self, place: Varnode, value: Inlined) -> None:
        """For later: as it is if it is read once, else in a variable."""
        for other in [each for each in self._values if each.overlaps(place)]:
            del self._values[other]
        if self._jumps_inside:
            self._assign_shared(place, value)
        elif self._is_read_once(place):
            self._values[place] = value
        elif not self._uses(place):  # a division, which may go wrong, or a read of a port
            self._lines.statements.append(f"(void){value.text};")
        else:
            name = self._fresh(place.size)
            self._emit(place.size, name, bare(value.text))
            self._values[place] = Inlined(name)

    def _assign_shared(self, place: Varnode, value: Inlined) -> None:
        """Where an instruction jumps within itself, a temporary is one variable all the way."""
        if place not in self._names:
            self._names[place] = f"t{len(self._names)}"
            self._declared.append(f"{unsigned(place.size)} {self._names[place]} = 0;")
        self._lines.statements.append(f"{self._names[place]} = {bare(value.text)};")

    def _is_read_once(self, place: Varnode) -> bool:
        return self._uses(place) == [place]

    def _uses(self, place: Varnode) -> list[Varnode]:
        return [each for each in self._temporaries_read if each.overlaps(place)]

    def _before_write(self, place: Varnode | None) -> None:
        """What waits to be read, and was made of what changes now, is put into a variable; None: any memory."""
        for waiting, value in list(self._values.items()):
            memory_changes = place is None or place.space != REGISTER
            if (value.reads_memory and memory_changes) or (
                place is not None and any(each.overlaps(place) for each in value.reads)
            ):
                name = self._fresh(waiting.size)
                self._emit(waiting.size, name, bare(value.text))
                self._values[waiting] = Inlined(name)

    def _fresh(self, size: int) -> str:
        self._names[Varnode("name", len(self._names), size)] = ""
        return f"t{len(self._names)}"

    def _emit(self, size: int, name: str, text: str) -> None:
        self._lines.statements.append(f"{unsigned(size)} {name} = {text};")
