"""How a lifted program begins, and the C that starts it, finds functions by their address and delivers interrupts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from untaken.errors import UsageError
from untaken.executables.c_text.c_types import literal, room
from untaken.executables.c_text.memories import Port
from untaken.executables.c_text.statements import Hardware
from untaken.executables.c_text.support import MOST_INTERRUPTS, Beginning, MemoryInput, Stack
from untaken.executables.image_files.image import ExecutableImage
from untaken.executables.machine_code.operations import REGISTER, Varnode
from untaken.executables.option_reader import DEFAULT_STACK, Reader
from untaken.executables.options import ImageOptions
from untaken.executables.processors.description import Processor

if TYPE_CHECKING:
    from untaken.executables.c_text.functions import LiftedFunctionWriter
    from untaken.executables.machine_code.control_flow import MachineProgram

STACK_PLACES = (0x7F000000, 0x6F000000, 0x5F000000, 0x3F000000)
ABOVE_STACK = 64  # bytes between the first frame and the end of the stack
THREAD_MEMORY = 0x1000  # bytes, around what the pointer to it says
TYPED = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}


@dataclass(frozen=True, slots=True)
class Start:
    """All that is known of a program before its code is looked at."""

    beginning: Beginning
    entries: tuple[int, ...]
    exits: frozenset[int]
    ports: tuple[Port, ...]
    stack: Stack | None
    input_at: int | None
    vectors: tuple[int, ...]
    interrupt_points: frozenset[int] | None


@dataclass(frozen=True, slots=True)
class MainText:
    """What comes before the functions, and what comes behind them."""

    before: str
    included: str


def start_of(
    reader: Reader, image: ExecutableImage, processor: Processor, names: Mapping[str, Varnode], options: ImageOptions
) -> Start:
    """From the command line and the image."""
    entry, is_function = _entry(reader, image, processor, options)
    vectors, points = _interrupts(reader, processor, options)
    registers, pushed = _state(image, processor, names, is_function, options.stack)
    words = (*processor.reset_memory.items(), *pushed)
    input_at = None if options.input_at is None else reader.code_address(options.input_at, "--input-at")
    inputs = tuple(map(reader.input, options.inputs))
    ports = tuple(map(reader.port, options.ports))
    _check_apart(options, [*(port.place for port in ports), *(given.place for given in inputs)])
    beginning = Beginning(
        entry,
        tuple(registers.items()),
        words,
        inputs,
        input_at is None,
        stop_address(processor),
    )
    return Start(
        beginning,
        (entry, *vectors),
        frozenset(reader.code_address(text, "--exit") for text in options.exits),
        ports,
        _stack(image, processor, names) if options.stack is None else None,
        input_at,
        vectors,
        points,
    )


def _check_apart(options: ImageOptions, places: list[Varnode]) -> None:
    """No byte is an input twice."""
    texts = [*(f"--port {text}" for text in options.ports), *(f"--input {text}" for text in options.inputs)]
    for number, place in enumerate(places):
        for other in range(number):
            if place.overlaps(places[other]):
                raise UsageError(f"{texts[number]} overlaps {texts[other]}: name each byte once")


def stop_address(processor: Processor) -> int:
    """A return address that no code has: whoever returns there has ended the program."""
    pushed = {2: 0xFFFF, 4: 0xFFFFFFF0, 8: 0xFFFFFFFFFFF0}[processor.return_bytes] & ~(processor.code_alignment - 1)
    return pushed * processor.code_unit


def _entry(reader: Reader, image: ExecutableImage, processor: Processor, options: ImageOptions) -> tuple[int, bool]:
    """The address, and whether it is a function that is called."""
    named = options.function or options.entry
    if named is not None:
        return reader.code_address(named, "the function" if options.function else "--entry"), True
    if image.entry is not None:
        return (image.entry & ~1 if processor.thumb else image.entry), False
    if processor.reset_vector is not None:
        vector = image.bytes_at(processor.reset_vector, processor.address_bytes)
        order = "big" if processor.big_endian else "little"
        if len(vector) == processor.address_bytes:
            address = int.from_bytes(vector, "big" if order == "big" else "little")
            return (address & ~1 if processor.thumb else address), False
    return 0, False


def stack_base(image: ExecutableImage, processor: Processor) -> int:
    """The lowest address of a stack of its own, where nothing else is."""
    for place in STACK_PLACES:
        if all(
            each.end <= place - DEFAULT_STACK or each.address >= place + 2 * DEFAULT_STACK for each in image.segments
        ):
            return place
    raise UsageError(f"{image.path} leaves no room for a stack")


def thread_memory(image: ExecutableImage, processor: Processor) -> int:
    """The first address of what belongs to a thread, above the stack."""
    return stack_base(image, processor) + DEFAULT_STACK + DEFAULT_STACK // 2


def _state(
    image: ExecutableImage, processor: Processor, names: Mapping[str, Varnode], is_function: bool, stack: int | None
) -> tuple[dict[Varnode, int], tuple[tuple[Varnode, int], ...]]:
    """Registers and memory as the first instruction finds them."""
    registers = {names[name]: value for name, value in processor.reset.items()}
    pointer, memory = names[processor.stack_pointer], processor.data_memory
    if processor.thread_pointer:
        registers[names[processor.thread_pointer]] = thread_memory(image, processor) + THREAD_MEMORY // 2
    if stack is not None and not 0 <= stack < 1 << 8 * pointer.size:
        raise UsageError(f"--stack {stack:#x}: {processor.stack_pointer} cannot hold this address")
    top = _first_stack(image, processor, is_function) if stack is None else stack
    if top is not None:
        registers[pointer] = top
    stop = stop_address(processor)
    if processor.calling.link is not None:
        registers[names[processor.calling.link]] = stop
        return registers, ()
    if not is_function:
        return registers, ()
    size, value = processor.return_bytes, stop // processor.code_unit
    if processor.stack_grows_up:
        place = registers[pointer] + 1
        registers[pointer] += size
        value = int.from_bytes(value.to_bytes(size, "big"), "little")
    else:
        registers[pointer] -= size
        place = registers[pointer] + processor.pushed_at
        if processor.pushed_upper_first:
            value = int.from_bytes(value.to_bytes(size, "big"), "little")
    return registers, ((Varnode(memory.space, place, size), value),)


def _first_stack(image: ExecutableImage, processor: Processor, is_function: bool) -> int | None:
    """Where the stack begins; None: as after a reset."""
    if processor.data_memory.size is None:
        return stack_base(image, processor) + DEFAULT_STACK - ABOVE_STACK
    known = next((image.names[name].address for name in processor.stack_symbols if name in image.names), None)
    if not is_function:
        return None
    if known is not None:
        return known - 1 if processor.stack_grows_up else known
    return processor.usual_stack


def _stack(image: ExecutableImage, processor: Processor, names: Mapping[str, Varnode]) -> Stack | None:
    register = names[processor.stack_pointer]
    if processor.data_memory.size is None:
        return Stack(register, stack_base(image, processor), False)
    if processor.stack_grows_up:
        return Stack(register, processor.reset[processor.stack_pointer], True)
    return None if image.end_of_data is None else Stack(register, image.end_of_data, False)


def _interrupts(
    reader: Reader, processor: Processor, options: ImageOptions
) -> tuple[tuple[int, ...], frozenset[int] | None]:
    """Vectors, and the points where they may come: VECTOR@ADDRESS, or wherever a loop begins again."""
    if options.interrupts and processor.interrupts is None:
        raise UsageError(f"--interrupt is not known for {processor.title}: give the handler as --entry")
    vectors, points = [], set()
    everywhere = False
    for text in options.interrupts:
        vector, at, point = text.partition("@")
        vectors.append(reader.code_address(vector, "--interrupt"))
        if at:
            points.add(reader.code_address(point, "--interrupt"))
        else:
            everywhere = True
    return tuple(vectors), None if everywhere else frozenset(points)


# ---- C


def text_of_main(
    start: Start,
    around: Hardware,
    program: MachineProgram,
    writer: LiftedFunctionWriter,
    imports: Mapping[int, str],
) -> MainText:
    """The C of `main`: it starts the program and finds functions by their address."""
    names = {entry: writer.name_of(entry) for entry in program.functions}
    prototypes = [f"static function {name};" for name in names.values()]
    before = [
        "/* ---- functions */",
        "",
        *prototypes,
        "",
        *_finding(start, program, writer, names, imports),
        "",
        *_inputs(start, around),
        "",
        *_stack_check(start, around),
        *_interrupt_text(start, around, names),
        *writer.text.tables,
        "",
        *_main(start, around),
    ]
    return MainText("\n".join(before) + "\n", "")


def _finding(
    start: Start,
    program: MachineProgram,
    writer: LiftedFunctionWriter,
    names: Mapping[int, str],
    imports: Mapping[int, str],
) -> Iterator[str]:
    yield "HELPER function *untaken_function_at(address pc, address from, int kind) {"
    yield "    switch (pc) {"
    yield f"    case {start.beginning.stop:#x}: untaken_finish();"
    for function in program.functions.values():
        for place in [function.entry, *writer.places_in(function)]:
            yield f"    case {place:#x}: return {names[function.entry]};"
    for address, name in sorted(imports.items()):
        yield f'    case {address:#x}: untaken_not_followed(from, "it calls {name}, of a shared library");'
    for target in sorted(program.learnt.targets & program.invalid):
        yield f"    case {target:#x}: untaken_invalid(pc, from);"
    yield "    default: untaken_unknown(pc, from, kind);"
    yield "    }"
    yield "}"
    yield "#define jump_at(pc, from) untaken_function_at(pc, from, 1)(pc)"
    yield "#define call_at(pc, from) untaken_function_at(pc, from, 2)(pc)"
    yield ""
    yield "/* A return to where no call came from goes on there, with all calls of C forgotten: the machine's own stack"
    yield " * is in its memory. */"
    yield "static jmp_buf untaken_top;"
    yield "static address untaken_next, untaken_from;"
    yield "static char *untaken_deepest;"
    yield "_Noreturn HELPER void untaken_leave(address pc, address from) {"
    yield "    untaken_next = pc;"
    yield "    untaken_from = from;"
    yield "    longjmp(untaken_top, 1);"
    yield "}"
    yield "INLINE void returned(address pc, address expected, address from) {"
    yield "    if (pc != expected)"
    yield "        untaken_leave(pc, from);"
    yield "}"
    yield "INLINE void not_too_deep(address pc) {"
    yield "    if ((char *)__builtin_frame_address(0) < untaken_deepest)"
    yield "        untaken_leave(pc, pc);"
    yield "}"
    yield "HELPER void untaken_run(address entry) {"
    yield "    untaken_next = entry;"
    yield "    setjmp(untaken_top);"
    yield "    for (;;)"
    yield "        untaken_next = untaken_function_at(untaken_next, untaken_from, 0)(untaken_next);"
    yield "}"


def _inputs(start: Start, around: Hardware) -> Iterator[str]:
    yield "HELPER void untaken_inputs(void) {"
    for number, each in enumerate(start.beginning.inputs):
        yield f"    {_input(number, each, around)}"
    yield "}"
    yield "INLINE void inputs_once(void) {"
    yield "    static int done;"
    yield "    if (!done++)"
    yield "        untaken_inputs();"
    yield "}"


def _input(number: int, given: MemoryInput, around: Hardware) -> str:
    place, name = given.place, given.name
    if place.space == REGISTER:
        typed = TYPED[place.size]
        value = around.registers.write(place, "(u64)value" if place.size == 8 else "value")
        kind = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long"}[place.size]
        told = f"TELL_INPUT({number}, &value, sizeof value);"
        return f'{{ {kind} value; untaken_input_{typed}(&value, "{name}"); {told} {value} }}'
    pointer = around.memories.pointer(place)
    if pointer is None:
        raise UsageError(f"--input: no memory of {place.size} bytes is known at {place.offset:#x}; see --ram")
    told = f"TELL_INPUT({number}, {pointer}, {place.size});"
    return f'untaken_input({pointer}, {place.size}, "{name}"); {told}'


def _stack_check(start: Start, around: Hardware) -> Iterator[str]:
    """At the beginning of functions; the first ones after a reset may find the pointer as the reset left it."""
    yield "INLINE void stack(address pc) {"
    yield "    (void)pc;"
    if start.stack is not None and around.registers.holds(start.stack.register):
        register = around.registers.read(start.stack.register)
        unset = literal(around.processor.reset.get(around.processor.stack_pointer, 0), start.stack.register.size)
        yield f"    if ({register} < {literal(start.stack.limit, start.stack.register.size)} && {register} != {unset})"
        yield f'        untaken_wrong("stack overrun: the stack pointer is 0x%llx at 0x%llx", {register}, pc);'
    yield "}"
    yield ""


def _interrupt_text(start: Start, around: Hardware, names: Mapping[int, str]) -> Iterator[str]:
    """Whether an interrupt comes is an input; none comes within another."""
    if not start.vectors:
        return
    yield "INLINE void interrupts(address pc) {"
    yield "    static unsigned busy, count;"
    yield "    _Bool now;"
    yield "    TELL_ARRIVED(pc);"
    for vector in start.vectors:
        if vector not in names:
            raise UsageError(f"--interrupt {vector:#x}: there is no instruction at this address")
        yield f"    if (!busy && count < {MOST_INTERRUPTS}) {{"
        yield "        BEFORE_READ(pc);"
        yield f'        untaken_input_bool(&now, "interrupt {vector:#x}");'
        yield "        if (now) {"
        yield "            count++;"
        yield "            busy = 1;"
        yield from (f"            {text}" for text in _pushes(around))
        yield f"            {_told_interrupt(vector, around)}"
        yield f"            returned({names[vector]}({vector:#x}), pc, {vector:#x});"
        yield "            busy = 0;"
        yield "            TELL_ARRIVED(pc);"
        yield "        }"
        yield "    }"
    yield "}"
    yield ""


def _pushes(around: Hardware) -> Iterator[str]:
    """What the processor pushes by itself."""
    processor = around.processor
    assert processor.interrupts is not None
    memory = processor.data_memory
    pointer = processor.stack_pointer
    for pushed in processor.interrupts.pushes:
        if processor.stack_grows_up:
            for shift in range(0, 8 * processor.return_bytes, 8):
                yield f"{pointer} = (u8)({pointer} + 1); {memory.name}[{pointer}] = (u8)(pc >> {shift});"
        else:
            value = f"pc / {processor.code_unit}" if pushed == "pc" else pushed
            size, at = processor.return_bytes, processor.pushed_at
            shown = f"turned16((u16)({value}))" if processor.pushed_upper_first else f"(u16)({value})"
            yield f"{pointer} -= {size}; put{8 * room(size)}({memory.name} + (u16)({pointer} + {at}), {shown});"
    yield from processor.interrupts.entered


def _told_interrupt(vector: int, around: Hardware) -> str:
    """Where it goes, the stack pointer, and what was pushed, for those who bring it about elsewhere."""
    processor = around.processor
    assert processor.interrupts is not None
    pointer, memory = processor.stack_pointer, processor.data_memory
    size = processor.return_bytes * len(processor.interrupts.pushes)
    first = f"{pointer} - {size - 1}" if processor.stack_grows_up else f"{pointer} + {processor.pushed_at}"
    wide = "u8" if processor.stack_grows_up else "u16"
    return f"TELL_INTERRUPT({vector:#x}, {pointer}, ({wide})({first}), {memory.name}, {size});"


def _main(start: Start, around: Hardware) -> Iterator[str]:
    beginning = start.beginning
    yield "int main(void) {"
    yield "    untaken_deepest = (char *)__builtin_frame_address(0) - (4 << 20);"
    for place, value in beginning.registers:
        if around.registers.holds(place):
            yield f"    {around.registers.write(place, literal(value, place.size))}"
    for place, value in beginning.words:
        pointer = around.memories.pointer(place)
        yield f"    put{8 * room(place.size)}({pointer}, {literal(value, place.size)});"
    if beginning.at_once:
        yield "    untaken_inputs();"
    yield f"    untaken_run({beginning.entry:#x});"
    yield "}"
