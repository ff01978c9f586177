"""From an image to C: the whole way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from untaken.executables.c_text.functions import Ends, LiftedFunctionWriter
from untaken.executables.c_text.memories import Memories, MemoryRegion
from untaken.executables.c_text.registers import RegisterFile
from untaken.executables.c_text.starting import (
    THREAD_MEMORY,
    Start,
    stack_base,
    start_of,
    text_of_main,
    thread_memory,
)
from untaken.executables.c_text.statements import Hardware
from untaken.executables.c_text.support import MemoryInput, Support
from untaken.executables.image_checks import check_image, check_program, unmet_places
from untaken.executables.image_files.hex_file import read_symbols
from untaken.executables.image_files.image import ExecutableImage, load
from untaken.executables.machine_code.control_flow import Learnt, MachineProgram
from untaken.executables.machine_code.folding import folded
from untaken.executables.machine_code.guarded import recover_guarded
from untaken.executables.machine_code.liveness import Liveness
from untaken.executables.machine_code.operations import REGISTER, MachineInstruction, Operation, Varnode
from untaken.executables.machine_code.sleigh import LONGEST, Decoder
from untaken.executables.option_reader import DEFAULT_STACK, Reader
from untaken.executables.options import ImageOptions
from untaken.executables.processors.description import Decode, Processor
from untaken.executables.processors.registry import find_processor, refined

_LINE = re.compile(r"(.*) /\* ([0-9a-f]+)  .*\*/$")  # an instruction, with its address and disassembly behind it


@dataclass(frozen=True, slots=True)
class LiftSetting:
    """What an image is lifted with."""

    options: ImageOptions
    image: ExecutableImage
    processor: Processor
    names: dict[str, Varnode]  # registers
    reader: Reader


@dataclass(frozen=True, slots=True)
class Lifted:
    """The C of an image: the program, and the file that it includes."""

    program_text: str
    support_text: str
    notes: tuple[str, ...]
    program: MachineProgram
    functions: dict[int, str]  # names in C, by their entries
    start: Start
    setting: LiftSetting

    @property
    def lines(self) -> dict[int, str]:
        """The C of each instruction, by its address."""
        found = (_LINE.match(line) for line in self.program_text.splitlines())
        return {int(match[2], 16): match[1] for match in found if match is not None}

    @property
    def entry_name(self) -> str:
        return self.functions[self.start.beginning.entry]


def lift(options: ImageOptions, learnt: Learnt, support_name: str) -> Lifted:
    """All of it. `support_name` is what the included file will be called."""
    setting = read(options)
    start = start_of(setting.reader, setting.image, setting.processor, setting.names, options)
    decoder = Decoder(setting.processor.language, setting.processor.context)
    program = follow(setting, start, decoder, setting.processor, learnt)
    better = refined(setting.processor, [_code(setting.image, each) for each in program.instructions.values()])
    if better is not setting.processor:
        setting = replace(setting, processor=better)
        program = follow(setting, start, decoder, better, learnt)
    check_program(setting.image, setting.processor, program, start.beginning.entry)
    if options.function is not None:
        start = with_arguments(setting, program, start)
    return _written(setting, program, start, support_name)


def with_arguments(setting: LiftSetting, program: MachineProgram, start: Start) -> Start:
    """The registers that a function reads before it writes them, and that calls pass arguments in, are inputs."""
    processor = setting.processor
    liveness = Liveness(program, ())
    live = liveness.live_at_entry(program.functions[start.beginning.entry])
    given = []
    for name in processor.calling.arguments:
        part = liveness.read_part(live, setting.names[name], processor.big_endian)
        if part is not None:
            given.append(MemoryInput(name, part))
    return replace(start, beginning=replace(start.beginning, inputs=(*given, *start.beginning.inputs)))


def read(options: ImageOptions) -> LiftSetting:
    """The image, its processor and its registers."""
    image = load(options.path, options.base)
    if options.symbols is not None:
        image = replace(image, symbols=(*image.symbols, *read_symbols(options.symbols)), names={})
    processor = find_processor(options.cpu, image)
    check_image(image, processor)
    names = dict(processor.registers or Decoder(processor.language, processor.context).registers())
    names |= processor.more_registers
    return LiftSetting(options, image, processor, names, Reader(image, processor))


def follow(
    setting: LiftSetting, start: Start, decoder: Decoder, processor: Processor, learnt: Learnt
) -> MachineProgram:
    decode: Decode = decoder.decode if processor.decode is None else processor.decode(decoder.decode)
    functions = [each for each in setting.image.symbols if each.is_function and not each.memory]
    named = {each.address & ~1 if processor.thumb else each.address for each in functions}
    bounds = {each.address & ~1 if processor.thumb else each.address for each in functions if each.size}
    return recover_guarded(_fetch(setting.image, decode, processor), start.entries, learnt, named, bounds)


def _code(image: ExecutableImage, instruction: MachineInstruction) -> bytes:
    return image.bytes_at(instruction.address, instruction.length)


def _fetch(image: ExecutableImage, decode: Decode, processor: Processor) -> Callable[[int], MachineInstruction | None]:
    def fetch(address: int) -> MachineInstruction | None:
        code = image.bytes_at(address, LONGEST)
        found = decode(code, address) if code else None
        return None if found is None else folded(_without_idle(_without_calls_of_the_next(found), processor))

    return fetch


def _without_idle(instruction: MachineInstruction, processor: Processor) -> MachineInstruction:
    """Barriers and the like do nothing here, so a loop of them only waits."""
    if any(op.inside for op in instruction.operations):
        return instruction
    kept = (op for op in instruction.operations if op.output is not None or op.name not in processor.without_effect)
    return replace(instruction, operations=tuple(kept))


def _without_calls_of_the_next(instruction: MachineInstruction) -> MachineInstruction:
    """A call of what follows only asks where it is: position-independent code does so."""
    last = instruction.operations[-1] if instruction.operations else None
    if last is None or last.code != "CALL" or last.inputs[0].offset != instruction.next:
        return instruction
    return replace(instruction, operations=instruction.operations[:-1])


def _notes(setting: LiftSetting, program: MachineProgram, unsupported: dict[int, str]) -> Iterator[str]:
    if not setting.processor.tested:
        yield f"{setting.processor.language} was never checked against a simulator here: results may be wrong"
    if program.invalid:
        some = ", ".join(f"{address:#x}" for address in sorted(program.invalid)[:3])
        yield f"code leads to {len(program.invalid)} addresses without an instruction, such as {some}: findings if met"
    if unsupported:
        some = ", ".join(f"{address:#x} ({name})" for address, name in sorted(unsupported.items())[:3])
        yield f"{len(unsupported)} instructions are not followed, runs that meet them end: {some}"


def _written(setting: LiftSetting, program: MachineProgram, start: Start, support_name: str) -> Lifted:
    processor = setting.processor
    memories = memories_of(setting, start)
    used = {place for each in program.instructions.values() for op in each.operations for place in _places(op)}
    kept = [place for place, _ in start.beginning.registers] + [each.place for each in start.beginning.inputs]
    used |= {place for place in kept if place.space == REGISTER}
    used |= set(_kept(setting, start))
    registers = RegisterFile(used, setting.names, processor.big_endian)
    surroundings = Hardware(processor, registers, memories, _writable_code(program, memories))
    symbols = {each.address: each.name for each in reversed(setting.image.symbols) if each.can_name_code}
    liveness = _liveness(setting, program, start)
    named = _function_names(setting, program, symbols)
    writer = LiftedFunctionWriter(program, surroundings, liveness, named, start.stack is not None)
    ends = Ends(start.exits, start.input_at, start.interrupt_points)
    for function in program.functions.values():
        writer.write(function, ends)
    support = Support(surroundings, setting.options.limit, _lowest(start))
    head = support.text(_accesses(program, start))
    main = text_of_main(start, surroundings, program, writer, setting.image.imports)
    text = "\n".join([*_opening(setting, program, support_name, writer), *writer.text.lines, ""])
    notes = (*_notes(setting, program, writer.text.unsupported), *unmet_places(setting.image, program, start))
    names = {entry: writer.name_of(entry) for entry in program.functions}
    return Lifted(text + main.included, "\n".join([head, main.before]), notes, program, names, start, setting)


def _liveness(setting: LiftSetting, program: MachineProgram, start: Start) -> Liveness:
    """Without a list of them, interrupts may come in each loop, so anywhere as far as is known here."""
    points = start.interrupt_points
    anywhere = bool(start.vectors) and points is None
    return Liveness(program, _kept(setting, start), lambda address: anywhere or address in (points or ()))


def _kept(setting: LiftSetting, start: Start) -> list[Varnode]:
    """Registers that are read beside instructions: by checks of the stack, and when an interrupt comes."""
    kept = [] if start.stack is None else [start.stack.register]
    if start.vectors and setting.processor.interrupts is not None:
        read = (setting.processor.stack_pointer, *setting.processor.interrupts.reads)
        kept += [setting.names[name] for name in read]
    return kept


def memories_of(setting: LiftSetting, start: Start) -> Memories:
    """What the program finds when it begins: the image, a stack, and what the command line declares."""
    return Memories(setting.processor, setting.image, [*_stack(setting), *_declared(setting)], start.ports)


def _function_names(setting: LiftSetting, program: MachineProgram, symbols: dict[int, str]) -> dict[int, str]:
    thumb = setting.processor.thumb
    cleaned = {address & ~1 if thumb else address: name for address, name in symbols.items()}
    found = {}
    for entry in program.functions:
        name = cleaned.get(entry)
        if name is not None:
            found[entry] = name.removeprefix("_") if setting.processor.name == "8051" else name
    return found


def _opening(
    setting: LiftSetting, program: MachineProgram, support_name: str, writer: LiftedFunctionWriter
) -> Iterator[str]:
    yield f"/* {setting.image.path.name}, {setting.processor.title}: lifted by untaken, one line an instruction. */"
    yield f'#include "{support_name}"'
    yield ""


def _places(op: Operation) -> tuple[Varnode, ...]:
    return (*op.inputs, op.output) if op.output is not None else op.inputs


def _accesses(program: MachineProgram, start: Start) -> set[tuple[str, int, bool]]:
    """Which sizes are read and written in which space."""
    found: set[tuple[str, int, bool]] = set()
    for instruction in program.instructions.values():
        for op in instruction.operations:
            if op.code == "LOAD" and op.output is not None:
                found.add((op.space, op.output.size, False))
            elif op.code == "STORE":
                found.add((op.space, op.inputs[1].size, True))
            found |= {(place.space, place.size, False) for place in op.inputs}
            if op.output is not None:
                found.add((op.output.space, op.output.size, True))
    return found | {(place.space, place.size, True) for place, _ in start.beginning.words}


def _writable_code(program: MachineProgram, memories: Memories) -> list[range]:
    """Stretches of instructions in memory that may be written to."""
    found: list[range] = []
    for address in sorted(program.instructions):
        region = memories.code_region(address)
        if region is None or not region.writable:
            continue
        end = program.instructions[address].next
        if found and found[-1].stop >= address:
            found[-1] = range(found[-1].start, max(found[-1].stop, end))
        else:
            found.append(range(address, end))
    return found


def _lowest(start: Start) -> int | None:
    return None if start.stack is None or start.stack.grows_up else start.stack.limit


def _stack(setting: LiftSetting) -> Iterator[MemoryRegion]:
    """Memory for it where addresses have regions: far from all else, so that an overrun is seen."""
    memory = setting.processor.data_memory
    if memory.size is None and setting.options.stack is None:
        yield MemoryRegion(
            memory, stack_base(setting.image, setting.processor), bytearray(DEFAULT_STACK), writable=True
        )
    if setting.processor.thread_pointer:
        place = thread_memory(setting.image, setting.processor)
        yield MemoryRegion(memory, place, bytearray(THREAD_MEMORY), writable=True)


def _declared(setting: LiftSetting) -> Iterator[MemoryRegion]:
    for text in setting.options.memory:
        memory, address, size = setting.reader.region(text)
        yield MemoryRegion(memory, address, bytearray(size), writable=True)
