"""Functions of the lifted program as C: one line an instruction, with its address and disassembly as a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from untaken.executables.c_text.registers import identifier
from untaken.executables.c_text.statements import Hardware, InstructionText, InstructionTranslator
from untaken.executables.machine_code.control_flow import MachineFunction, MachineProgram, idle_loops, successors
from untaken.executables.machine_code.liveness import Liveness
from untaken.executables.machine_code.operations import MachineInstruction

CODE_WIDTH = 64
_JUMP = re.compile(r"JUMP\((0x[0-9a-f]+)\)")


@dataclass(frozen=True, slots=True)
class Ends:
    """Where runs end, and what may happen on the way."""

    exits: frozenset[int] = frozenset()
    input_at: int | None = None  # where the input is put into memory, if not at the beginning
    interrupt_at: frozenset[int] | None = frozenset()  # None: wherever a loop begins again


@dataclass(slots=True)
class ProgramText:
    """What the C file is made of, while it is written."""

    lines: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)  # functions for the header that find places
    unsupported: dict[int, str] = field(default_factory=dict)


class LiftedFunctionWriter:
    """Writes the functions of a program."""

    def __init__(
        self,
        program: MachineProgram,
        surroundings: Hardware,
        liveness: Liveness,
        names: dict[int, str],
        checks_stack: bool,
    ) -> None:
        self._program = program
        self._idle = idle_loops(program)
        self._checks_stack = checks_stack
        self._around = surroundings
        self._liveness = liveness
        self._symbols = names
        self._digits = 2 * surroundings.processor.address_bytes if surroundings.processor.address_bytes < 4 else 0
        self._names = self._unique_names()
        self.text = ProgramText()

    def _unique_names(self) -> dict[int, str]:
        """Two functions of one name, as static ones of two files may be, get their addresses."""
        found: dict[int, str] = {}
        taken: set[str] = set()
        for entry in self._program.functions:
            name = f"fn_{identifier(self._symbols[entry])}" if entry in self._symbols else f"fn_{self._hex(entry)}"
            found[entry] = f"{name}_{self._hex(entry)}" if name in taken else name
            taken.add(found[entry])
        return found

    def _hex(self, address: int) -> str:
        return f"{address:0{self._digits or 1}x}"

    def name_of(self, entry: int) -> str:
        return self._names[entry]

    def label(self, address: int) -> str:
        return f"L_{self._hex(address)}"

    @property
    def kind(self) -> str:
        return "address"

    # ---- a whole function

    def places_in(self, function: MachineFunction) -> list[int]:
        """Where it may be entered other than at its beginning: runs have shown it."""
        return [address for address in sorted(self._program.learnt.places) if address in set(function.addresses)]

    def write(self, function: MachineFunction, ends: Ends) -> None:
        """Writes the C of one function."""
        name = self._names[function.entry]
        instructions = self._liveness.without_dead(function)
        heads = self._loop_heads(function)
        labels = self._needed(function, instructions)
        add = self.text.lines.append
        add("")
        add(f"static {self.kind} {name}({self.kind} pc) {{")
        self._enter(function, name)
        ordered = [function.entry, *(each for each in function.addresses if each != function.entry)]
        costs = self._costs(ordered, heads)
        for number, address in enumerate(ordered):
            following = ordered[number + 1] if number + 1 < len(ordered) else None
            marks = self._marks(address, function, costs, ends)
            mark = f"{self.label(address)}: " if address in labels else ""
            for line in self._instruction(instructions[address], function, following, ends, marks):
                add(self._shown(mark, line))
                mark = ""
        add("}")

    def _shown(self, mark: str, line: tuple[str, str]) -> str:
        code, comment = line
        text = f"{mark:<8}{code}" if mark else f"        {code}"
        return f"{text:<{CODE_WIDTH}} /* {comment} */" if comment else text

    def _enter(self, function: MachineFunction, name: str) -> None:
        places = self.places_in(function)
        if not places:
            self.text.lines.append("        (void)pc;")
            return
        targets = [function.entry, *places]
        self._computed("pc", targets, f"at_{name}", "        ")

    def _computed(self, value: str, targets: list[int], finder: str, indent: str) -> None:
        """A jump to one of several places; the first one is taken if it is none of the others."""
        labels = ", ".join(f"&&{self.label(each)}" for each in targets)
        self.text.lines.append(f"{indent}static void *const to_{finder}[] = {{{labels}}};")
        self.text.lines.append(f"{indent}goto *to_{finder}[{finder}({value})];")
        self.text.tables.append(self._finder(finder, targets))

    def _finder(self, name: str, targets: list[int]) -> str:
        cases = "".join(f" case {target:#x}: return {number};" for number, target in enumerate(targets) if number)
        return f"INLINE unsigned {name}({self.kind} pc) {{ switch (pc) {{{cases} default: return 0; }} }}"

    def _needed(self, function: MachineFunction, instructions: dict[int, MachineInstruction]) -> set[int]:
        """Labels that something jumps to: what merely follows needs none."""
        jumped: set[int] = set(self.places_in(function)) or set()
        if jumped:
            jumped.add(function.entry)
        ordered = [function.entry, *(each for each in function.addresses if each != function.entry)]
        for number, address in enumerate(ordered):
            instruction = instructions[address]
            jumped.update(each for each in instruction.targets if each not in self._idle or each != address)
            jumped.update(self._program.learnt.jumps.get(address, ()))
            following = ordered[number + 1] if number + 1 < len(ordered) else None
            if instruction.falls_through and instruction.next != following:
                jumped.add(instruction.next)
        return jumped

    def _loop_heads(self, function: MachineFunction) -> set[int]:
        """Where jumps lead back to, and where a function begins."""
        heads = {function.entry}
        own = set(function.addresses)
        for address in function.addresses:
            for target in successors(self._program, self._program.instructions[address]):
                if target <= address and target in own:
                    heads.add(target)
        return heads

    def _costs(self, ordered: list[int], heads: set[int]) -> dict[int, int]:
        """How many instructions lie between one head and the next."""
        costs: dict[int, int] = {}
        head = ordered[0]
        for address in ordered:
            head = address if address in heads else head
            costs[head] = costs.get(head, 0) + 1
        return costs

    def _marks(self, address: int, function: MachineFunction, costs: dict[int, int], ends: Ends) -> str:
        """What is done before an instruction that is no part of the program."""
        marks = ""
        if address in ends.exits:
            marks += "untaken_finish(); "
        if address in costs:
            marks += f"tick({costs[address]}, {address:#x}); "
        if address == function.entry and self._checks_stack:
            marks += f"stack({address:#x}); "
        if address == ends.input_at:
            marks += "inputs_once(); "
        points = ends.interrupt_at
        if (points is None and address in costs and address != function.entry) or (points and address in points):
            marks += f"interrupts({address:#x}); "
        if address in self._idle and address not in self._program.instructions[address].targets:
            marks += "untaken_finish(); "
        return marks

    # ---- one instruction

    def _instruction(
        self, instruction: MachineInstruction, function: MachineFunction, following: int | None, ends: Ends, marks: str
    ) -> Iterator[tuple[str, str]]:
        lines = InstructionTranslator(self._around, instruction).run()
        comment = f"{self._hex(instruction.address)}  {instruction.text}"
        if lines.unsupported:
            self.text.unsupported[instruction.address] = lines.unsupported
            name = lines.unsupported.replace('"', "'")
            yield f'{marks}untaken_not_followed({instruction.address:#x}, "{name}");', comment
            return
        statements = [self._resolved(text, function, instruction) for text in lines.statements]
        statements += self._end(instruction, lines, function, following)
        text = " ".join(statements)
        if any(re.match(r"u\d+ ", statement) for statement in statements):
            text = f"{{ {text} }}"
        yield marks + (text or ";"), comment
        if lines.jump is not None and lines.jump.code == "BRANCHIND":
            yield from self._computed_end(instruction, function)

    def _resolved(self, text: str, function: MachineFunction, instruction: MachineInstruction) -> str:
        return _JUMP.sub(lambda match: self._go(int(match[1], 16), function, instruction), text)

    def _go(self, target: int, function: MachineFunction, instruction: MachineInstruction) -> str:
        """A jump to a known address: in this function, to another one, or to where no instruction is."""
        if target in self._idle and target == instruction.address:
            return "untaken_finish();"
        if self._program.owners.get(target) == function.entry:
            return f"goto {self.label(target)};"
        if target in self._program.functions:
            return f"{{ not_too_deep({target:#x}); return {self._names[target]}({target:#x}); }}"
        return f"untaken_invalid({target:#x}, {instruction.address:#x});"

    def _end(
        self, instruction: MachineInstruction, lines: InstructionText, function: MachineFunction, following: int | None
    ) -> Iterator[str]:
        jump = lines.jump
        if jump is not None and jump.code == "BRANCH":
            yield self._go(jump.inputs[0].offset, function, instruction)
        elif jump is not None and jump.code == "CBRANCH":
            yield f"if ({lines.condition}) {self._go(jump.inputs[0].offset, function, instruction)}"
        elif jump is not None and jump.code == "CALL":
            yield self._call(jump.inputs[0].offset, instruction)
        elif jump is not None and jump.code == "CALLIND":
            called = f"call_at({self._code_address(lines.target)}, {instruction.address:#x})"
            yield f"returned({called}, {instruction.next:#x}, {instruction.address:#x});"
        elif jump is not None and jump.code == "RETURN":
            yield f"return {self._code_address(lines.target)};"
        elif jump is not None and jump.code == "BRANCHIND":
            yield f"pc = {self._code_address(lines.target)};"
        if instruction.falls_through and instruction.next != following:
            yield self._go(instruction.next, function, instruction)

    def _call(self, target: int, instruction: MachineInstruction) -> str:
        if target not in self._program.functions:
            return f"untaken_invalid({target:#x}, {instruction.address:#x});"
        back = f"{instruction.next:#x}, {instruction.address:#x}"
        return f"returned({self._names[target]}({target:#x}), {back});"

    def _code_address(self, text: str) -> str:
        """As code is addressed here: in bytes, without Thumb's bit."""
        processor = self._around.processor
        if processor.code_unit > 1:
            return f"(address)({text}) * {processor.code_unit}"
        return f"({text}) & ~1u" if processor.thumb else text

    def _computed_end(self, instruction: MachineInstruction, function: MachineFunction) -> Iterator[tuple[str, str]]:
        """What a computed jump leads to, as far as it is known; all else is looked up."""
        own = set(function.addresses)
        known = [each for each in sorted(self._program.learnt.jumps.get(instruction.address, ())) if each in own]
        if known:
            finder = f"at_{self._hex(instruction.address)}"
            label = f"O_{self._hex(instruction.address)}"
            labels = ", ".join([f"&&{label}", *(f"&&{self.label(each)}" for each in known)])
            yield f"{{ static void *const to[] = {{{labels}}}; goto *to[{finder}(pc)]; }}", ""
            self.text.tables.append(self._finder(finder, [-1, *known]))
            yield f"{label}: return jump_at(pc, {instruction.address:#x});", ""
        else:
            yield f"return jump_at(pc, {instruction.address:#x});", ""
