"""The memories of a program as C arrays, and how addresses that are known beforehand are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from untaken.executables.c_text.c_types import room
from untaken.executables.image_files.image import ExecutableImage
from untaken.executables.machine_code.operations import Varnode
from untaken.executables.processors.description import Memory, Processor

PADDING = 16  # a number at the very end of a memory may reach past it


@dataclass(slots=True)
class MemoryRegion:
    """A stretch of a memory with its first contents."""

    memory: Memory
    address: int
    data: bytearray
    writable: bool
    name: str = ""

    @property
    def end(self) -> int:
        return self.address + len(self.data)

    def holds(self, address: int, size: int) -> bool:
        return self.address <= address and address + size <= self.end


@dataclass(frozen=True, slots=True)
class Port:
    """Addresses of which each read is a new input."""

    memory: Memory
    address: int
    size: int
    name: str

    @property
    def place(self) -> Varnode:
        return Varnode(self.memory.space, self.address, self.size)


class Memories:
    """All regions of all memories."""

    def __init__(
        self, processor: Processor, image: ExecutableImage, extra: Iterable[MemoryRegion], ports: tuple[Port, ...]
    ) -> None:
        self._processor = processor
        self.ports = ports
        self.regions: list[MemoryRegion] = []
        for memory in processor.memories:
            loaded = [segment for segment in image.segments if self._memory_of(segment.memory) is memory]
            pieces = [MemoryRegion(memory, each.address, bytearray(each.data), each.writable) for each in loaded]
            pieces += [region for region in extra if region.memory is memory]
            self.regions += [_whole(memory, pieces)] if memory.size is not None else list(_joined(pieces))
        for region in self.regions:
            single = region.memory.size is not None
            region.name = region.memory.name if single else f"{region.memory.name}_{region.address:x}"

    def _memory_of(self, name: str) -> Memory:
        """By the name that image files use; empty is the memory of code."""
        if not name:
            return self._processor.code_memory
        return next(memory for memory in self._processor.memories if memory.name == name)

    def of(self, memory: Memory) -> list[MemoryRegion]:
        """Those that are written to come first: they are asked about most."""
        return sorted((each for each in self.regions if each.memory is memory), key=lambda each: not each.writable)

    def region_at(self, memory: Memory, address: int, size: int = 1) -> MemoryRegion | None:
        return next((each for each in self.regions if each.memory is memory and each.holds(address, size)), None)

    def code_region(self, address: int) -> MemoryRegion | None:
        return self.region_at(self._processor.code_memory, address)

    def port_at(self, place: Varnode) -> Port | None:
        memory = self._processor.memory(place.space)
        for port in self.ports:
            if port.memory is memory and port.address <= place.offset < port.address + port.size:
                return port
        return None

    def pointer(self, place: Varnode) -> str | None:
        """Where a known address lies in C; None if nothing is there."""
        memory = self._processor.memory(place.space)
        region = None if memory is None else self.region_at(memory, place.offset, place.size)
        return None if region is None else f"{region.name} + {place.offset - region.address:#x}"

    def direct(self, place: Varnode) -> str | None:
        """A known address as something that can be read and assigned to: single bytes only."""
        memory = self._processor.memory(place.space)
        region = None if memory is None else self.region_at(memory, place.offset, place.size)
        if region is None or place.size != 1:
            return None
        named = self._processor.names.get(place)
        return named or f"{region.name}[{place.offset - region.address:#x}]"


def _whole(memory: Memory, pieces: list[MemoryRegion]) -> MemoryRegion:
    """A memory of known size: all of it is there."""
    assert memory.size is not None
    data = bytearray(memory.size)
    for piece in pieces:
        start = piece.address - memory.first
        if 0 <= start < memory.size:
            kept = piece.data[: memory.size - start]
            data[start : start + len(kept)] = kept
    return MemoryRegion(memory, memory.first, data, writable=not memory.read_only)


def _joined(pieces: list[MemoryRegion]) -> Iterator[MemoryRegion]:
    """Regions that touch or overlap, as one; what is written to and what is not stay apart where they can."""
    current: MemoryRegion | None = None
    for piece in sorted(pieces, key=lambda each: (each.address, each.end)):
        if current is not None and piece.address < current.end:
            start = piece.address - current.address
            current.data[start : start + len(piece.data)] = piece.data
            current.writable |= piece.writable
            continue
        if current is not None:
            yield current
        current = MemoryRegion(piece.memory, piece.address, bytearray(piece.data), piece.writable)
    if current is not None:
        yield current


def accessor(memory: Memory, size: int, store: bool) -> str:
    """The name of the C function that reads or writes at an address that only a run knows."""
    return f"{'store' if store else 'load'}{8 * room(size)}_{memory.name}"
