"""The part of a lifted program that is the same for all, and what depends on its memories and inputs.

It is a file of its own, which the program includes: decisions in it count as no branches, as those of drivers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from untaken.executables.c_text.c_types import literal, room
from untaken.executables.c_text.memories import PADDING, accessor
from untaken.executables.c_text.statements import Hardware
from untaken.executables.machine_code.operations import Varnode
from untaken.executables.processors.description import Memory

TEMPLATE = Path(__file__).with_name("support.c.txt")
SIZES = (1, 2, 4, 8, 16)
BYTES_A_LINE = 64
MOST_INTERRUPTS = 4
BELOW_STACK = 1 << 16  # accesses so far below a stack are those of an overrun


@dataclass(frozen=True, slots=True)
class MemoryInput:
    """Memory, or a register, that is an input when a run begins."""

    name: str
    place: Varnode


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a run begins: registers, memory and inputs before the first instruction."""

    entry: int
    registers: tuple[tuple[Varnode, int], ...]
    words: tuple[tuple[Varnode, int], ...]  # what is put into memory, such as a return address
    inputs: tuple[MemoryInput, ...]
    at_once: bool  # false: inputs come when an address is reached
    stop: int  # the return address that ends a run


@dataclass(frozen=True, slots=True)
class Stack:
    """Where it must not get to."""

    register: Varnode
    limit: int
    grows_up: bool


class Support:
    """Writes the C file that lifted programs include."""

    def __init__(self, surroundings: Hardware, limit: int, stack: int | None) -> None:
        """`stack` is where memory for it begins."""
        self._processor = surroundings.processor
        self._memories = surroundings.memories
        self._registers = surroundings.registers
        self._limit = limit
        self._code = surroundings.code
        self._stack = stack

    def text(self, used: set[tuple[str, int, bool]]) -> str:
        """All but functions that find places; `used` says which accesses there are: space, size, whether a write."""
        template = TEMPLATE.read_text()
        kinds = {2: "u16", 4: "u32", 8: "u64"}
        values = {
            "ADDRESS": kinds[room(self._processor.address_bytes)],
            "LIMIT": str(self._limit),
            "ORDER": "turned" if self._processor.big_endian else "as_is",
            "DUMP": "\n".join([*self._arrays(), *self._dump()]),
        }
        for name, value in values.items():
            template = template.replace(f"@{name}@", value)
        parts = [template, "/* ---- registers */", ""]
        parts += [variable.declaration for variable in self._registers.variables]
        parts += ["", "/* ---- memory */", "", *self._code_map()]
        for memory in self._processor.memories:
            accesses = {(size, store) for space, size, store in used if space == memory.space}
            parts += self._accessors(memory, accesses)
        return "\n".join(parts) + "\n"

    # ---- memories

    def _arrays(self) -> Iterator[str]:
        yield "/* ---- memories, and what they hold at first */"
        for region in self._memories.regions:
            filled = bytes(region.data).rstrip(b"\0")
            size = len(region.data) + PADDING
            if filled:
                yield f"static u8 {region.name}[{size:#x}] ="
                yield from _string_lines(filled)
            else:
                yield f"static u8 {region.name}[{size:#x}];"
        for place, name in self._processor.names.items():
            if (pointer := self._memories.pointer(place)) is not None:
                array, _, offset = pointer.partition(" + ")
                yield f"#define {name} {array}[{offset}]"
        yield ""

    def _dump(self) -> Iterator[str]:
        """For those who compile it by hand and want to see the memory at the end."""
        yield "/* With -DUNTAKEN_DUMP memory is printed at the end, bytes that are not 0: memory NAME ADDRESS BYTES. */"
        yield "HELPER void untaken_dump_region(const char *name, u64 first, const u8 *bytes, size_t size) {"
        yield "    for (size_t i = 0; i < size; i++) {"
        yield "        if (!bytes[i])"
        yield "            continue;"
        yield '        printf("memory %s %llx ", name, (unsigned long long)(first + i));'
        yield "        for (; i < size && bytes[i]; i++)"
        yield '            printf("%02x", bytes[i]);'
        yield '        printf("\\n");'
        yield "    }"
        yield "}"
        yield "HELPER void untaken_dump(void) {"
        yield "#ifdef UNTAKEN_DUMP"
        for region in self._memories.regions:
            if region.writable:
                name, size = region.memory.name, len(region.data)
                yield f'    untaken_dump_region("{name}", {region.address:#x}, {region.name}, {size:#x});'
        yield "#endif"
        yield "}"
        yield ""

    def _accessors(self, memory: Memory, used: set[tuple[int, bool]]) -> Iterator[str]:
        if not used:
            return
        if memory.size is None:
            yield from self._finder(memory, write=False)
            yield from self._finder(memory, write=True)
        for size, store in sorted(used):
            yield from self._store(memory, size) if store else self._load(memory, size)
        yield ""

    def _finder(self, memory: Memory, write: bool) -> Iterator[str]:
        """Which region an address is in. Reads may go to all of them, writes to some."""
        what = "write" if write else "read"
        yield f"INLINE u8 *place_of_{what}_{memory.name}(address a, unsigned size, address pc) {{"
        yield "    address offset;"
        regions = self._memories.of(memory)
        for region in regions:
            if region.writable or not write:
                yield f"    offset = (address)(a - {literal(region.address, 8)});"
                fits = f"size <= {len(region.data)} && " if len(region.data) < max(SIZES) else ""
                yield f"    if ({fits}offset <= {len(region.data):#x} - size) return {region.name} + offset;"
        for region in regions:
            if write and not region.writable:
                yield f"    if ((address)(a - {literal(region.address, 8)}) < {len(region.data):#x})"
                yield '        untaken_wrong("write to read-only memory at 0x%llx by 0x%llx", a, pc);'
        if self._stack is not None:
            yield f"    if ((address)({literal(self._stack, 8)} - a) <= {BELOW_STACK:#x})"
            yield f'        untaken_wrong("stack overrun: {what} at 0x%llx by 0x%llx", a, pc);'
        yield f'    untaken_wrong("{what} outside known memory at 0x%llx by 0x%llx", a, pc);'
        yield "}"

    def _pointer(self, memory: Memory, store: bool) -> str:
        if memory.size is None:
            return f"place_of_{'write' if store else 'read'}_{memory.name}(a, SIZE, pc)"
        offset = f"(a - {memory.first:#x})" if memory.first else "a"
        return f"{memory.name} + ({offset} & {memory.size - 1:#x})"

    def _load(self, memory: Memory, size: int) -> Iterator[str]:
        width = 8 * room(size)
        yield f"INLINE u{width} {accessor(memory, size, store=False)}(address a, address pc) {{"
        yield "    (void)pc;"
        has_ports = False
        for port in self._memories.ports:
            if port.memory is memory and size <= 8:
                within = f"(address)(a - {port.address:#x}) < {port.size}"
                yield f'    if ({within}) return port{width}("{port.name}", a, pc);'
                has_ports = True
        if has_ports:
            yield "    TELL_PASSED(pc);"
        yield f"    return get{width}({self._pointer(memory, store=False).replace('SIZE', str(size))});"
        yield "}"

    def _store(self, memory: Memory, size: int) -> Iterator[str]:
        width = 8 * room(size)
        yield f"INLINE void {accessor(memory, size, store=True)}(address a, u{width} value, address pc) {{"
        yield "    (void)pc;"
        if self._code and memory.is_code:
            yield from self._code_check("a")
            if size > 1:
                yield from self._code_check(f"(address)(a + {size - 1})")
        yield f"    put{width}({self._pointer(memory, store=True).replace('SIZE', str(size))}, value);"
        yield "}"

    def _code_check(self, place: str) -> Iterator[str]:
        """A write that begins or ends in an instruction is told."""
        first, end = self._code[0].start, self._code[-1].stop
        offset = f"(address)({place} - {literal(first, 8)})"
        yield f"    if ({offset} < {end - first:#x} && untaken_code[{offset}])"
        yield '        untaken_wrong("write to code at 0x%llx by 0x%llx: what was lifted does not change", a, pc);'

    def _code_map(self) -> Iterator[str]:
        """Which bytes are instructions: a program that changes them is not what was lifted."""
        if not self._code:
            return
        first = self._code[0].start
        marks = bytearray(self._code[-1].stop - first)
        for stretch in self._code:
            marks[stretch.start - first : stretch.stop - first] = b"\1" * len(stretch)
        yield f"static const u8 untaken_code[{len(marks) + 1:#x}] ="
        yield from _string_lines(bytes(marks))
        yield ""


def _string_lines(data: bytes) -> Iterator[str]:
    """As a string of C, which compiles many times as fast as a list of numbers."""
    lines = [data[start : start + BYTES_A_LINE] for start in range(0, len(data), BYTES_A_LINE)]
    for number, line in enumerate(lines):
        text = "".join(f"\\{byte:03o}" for byte in line)
        yield f'    "{text}"' + (";" if number == len(lines) - 1 else "")
