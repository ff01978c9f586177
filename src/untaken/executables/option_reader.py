"""Reads what is said of an image on the command line: addresses, by number or by name, and what goes with them."""

from __future__ import annotations

import re

from untaken.errors import UsageError
from untaken.executables.c_text.memories import Port
from untaken.executables.c_text.support import MemoryInput
from untaken.executables.image_files.image import LARGEST, ExecutableImage, Symbol
from untaken.executables.machine_code.operations import Varnode
from untaken.executables.processors.description import Memory, Processor

LARGEST_INPUT = 1 << 16
DEFAULT_STACK = 1 << 16


class Reader:
    """Reads addresses and what goes with them, for one image."""

    def __init__(self, image: ExecutableImage, processor: Processor) -> None:
        self._image = image
        self._processor = processor

    def code_address(self, text: str, option: str) -> int:
        """A number, or a symbol of code."""
        symbol = self._image.names.get(text)
        known = symbol is not None and not symbol.memory
        address = symbol.address if symbol is not None and known else self._number(text, option)
        return address & ~1 if self._processor.thumb else address

    def input(self, text: str) -> MemoryInput:
        """Reads --input: ADDRESS:SIZE[:NAME], or the name of a register."""
        memory, address, size, name = self._place(text, "--input", needs_size=True)
        if not 1 <= size <= LARGEST_INPUT:
            raise UsageError(f"--input {text}: a size from 1 to {LARGEST_INPUT} is wanted")
        return MemoryInput(name, Varnode(memory.space, address, size))

    def port(self, text: str) -> Port:
        """Reads --port: ADDRESS[:SIZE[:NAME]], a place that has a new value at each read."""
        memory, address, size, name = self._place(text, "--port", needs_size=False)
        if size not in (1, 2, 4, 8):
            raise UsageError(f"--port {text}: a size of 1, 2, 4 or 8 is wanted")
        return Port(memory, address, size, name)

    def region(self, text: str) -> tuple[Memory, int, int]:
        """ADDRESS:SIZE of memory that the image does not mention."""
        memory, address, size, _ = self._place(text, "--ram", needs_size=True)
        if not 1 <= size <= LARGEST:
            raise UsageError(f"--ram {text}: a size from 1 to {LARGEST:,} is wanted")
        return memory, address, size

    def _place(self, text: str, option: str, needs_size: bool) -> tuple[Memory, int, int, str]:
        words = text.split(":")
        memory = self._memory(words[0])
        if memory is not None:
            words = words[1:]
        if not words or not words[0]:
            raise UsageError(f"{option} {text}: an address is missing")
        symbol = self._image.names.get(words[0])
        address = symbol.address if symbol is not None else self._number(words[0], option)
        size = self._size(words, symbol, option, text, needs_size)
        name = words[2] if len(words) > 2 and words[2] else (words[0] if symbol is not None else f"at {address:#x}")
        if not re.fullmatch(r"[\w .$\[\]-]+", name):
            raise UsageError(f"{option} {text}: {name!r} is no name: letters, digits and _ are wanted")
        chosen = memory or self._memory_of(symbol, address)
        first, end = chosen.first, 1 << 8 * self._processor.address_bytes
        if chosen.size is not None:
            end = first + chosen.size
        if not (first <= address and address + size <= end):
            raise UsageError(f"{option} {text}: no memory of {size} bytes is known at {address:#x} in {chosen.name}")
        return chosen, address, size, name

    def _size(self, words: list[str], symbol: Symbol | None, option: str, text: str, needed: bool) -> int:
        if len(words) > 1 and words[1]:
            return self._number(words[1], option)
        if symbol is not None and symbol.size:
            return symbol.size
        if needed:
            raise UsageError(f"{option} {text}: how many bytes? As in {option} {words[0]}:4")
        return 1

    def _memory(self, name: str) -> Memory | None:
        return next((memory for memory in self._processor.memories if memory.name == name), None)

    def _memory_of(self, symbol: Symbol | None, address: int) -> Memory:
        """A plain address means data; where special function registers are, it means those."""
        if symbol is not None and symbol.memory:
            found = self._memory(symbol.memory)
            if found is None:
                raise UsageError(f"{symbol.name} is a single bit: name the byte that it is in")
            return found
        if symbol is not None and self._processor.data_memory.size is not None and len(self._processor.memories) > 1:
            return self._processor.code_memory
        return self._processor.data_memory

    def _number(self, text: str, option: str) -> int:
        try:
            return int(text, 0)
        except ValueError:
            raise UsageError(self._no_such(text, option)) from None

    def _no_such(self, text: str, option: str) -> str:
        if self._image.names:
            return f"{option}: {self._image.path.name} has no symbol {text}, and it is no number either"
        return (
            f"{option}: {self._image.path.name} comes without symbols, so {text} is not known: "
            "give a number, or a list of symbols with --symbols"
        )
