"""An ELF file of our own: memory as a program finds it, for tools that load nothing else."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

PAGE = 0x1000
MACHINES = {"ppc": 20, "arm": 40, "x86-64": 62}
ALL_RIGHTS = 7
ARM_FLAGS = 0x05000200  # the present way of calling


@dataclass(frozen=True, slots=True)
class Contents:
    """What is loaded for a processor: bytes at addresses, and where it begins."""

    processor: str
    big_endian: bool
    address_bytes: int
    entry: int
    parts: tuple[tuple[int, bytes], ...]


def elf_file(contents: Contents) -> bytes:
    """All parts can be read, written and executed: what the program may do was checked when it was explored."""
    pages = whole_pages(contents.parts)
    wide, order = contents.address_bytes == 8, ">" if contents.big_endian else "<"
    head_size, entry_size = (64, 56) if wide else (52, 32)
    kind = bytes([0x7F, *b"ELF", 2 if wide else 1, 2 if contents.big_endian else 1, 1]) + bytes(9)
    number = MACHINES[contents.processor]
    flags = ARM_FLAGS if contents.processor == "arm" else 0
    head = kind + struct.pack(
        order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"),
        *(2, number, 1, contents.entry, head_size, 0, flags, head_size, entry_size, len(pages), 0, 0, 0),
    )
    offset = PAGE * -(-(head_size + entry_size * len(pages)) // PAGE)
    data = bytearray()
    for address, content in pages:
        kept = content.rstrip(b"\0")
        sizes = (len(kept), len(content))
        place = (offset + len(data), address, address)
        words = (1, ALL_RIGHTS, *place, *sizes, PAGE) if wide else (1, *place, *sizes, ALL_RIGHTS, PAGE)
        head += struct.pack(order + ("IIQQQQQQ" if wide else "IIIIIIII"), *words)
        data += kept.ljust(PAGE * -(-len(kept) // PAGE), b"\0")
    return head.ljust(offset, b"\0") + bytes(data)


def whole_pages(parts: Iterable[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """The same as stretches of pages, those that touch in one."""
    found: list[tuple[int, bytearray]] = []
    for address, content in sorted(parts):
        first, end = address & -PAGE, -(-(address + len(content)) // PAGE) * PAGE
        if not found or first > found[-1][0] + len(found[-1][1]):
            found.append((first, bytearray()))
        start, data = found[-1]
        data.extend(bytes(max(0, end - start - len(data))))
        data[address - start : address - start + len(content)] = content
    return [(start, bytes(data)) for start, data in found]
