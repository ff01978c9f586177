"""ELF files: the only module that touches pyelftools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from untaken.errors import UsageError
from untaken.executables.image_files.image import LARGEST, ExecutableImage, Segment, Symbol
from untaken.executables.machine_code.sleigh import MISSING

PROCESSORS = {"EM_PPC": "ppc", "EM_AVR": "avr", "EM_MSP430": "msp430", "EM_ARM": "arm", "EM_X86_64": "x86-64"}
NUMBERS = {165: "8051", 83: "avr", 105: "msp430"}  # where pyelftools has no name
# Relocations that put the address of a function into a slot, by processor, and where such functions are said to be.
SLOTS = {"x86-64": (6, 7)}
FIRST_IMPORT, IMPORT_STEP = 0xFFFFFFFE0000, 16
DATA = {"avr": (0x800000, "data")}  # addresses from here on are of another memory


def read_elf(path: Path, content: bytes) -> ExecutableImage:
    """Segments, symbols, entry and processor of an executable."""
    elf, failure = _library()
    try:
        return _read(path, elf(BytesIO(content)))
    except (failure, UnicodeDecodeError, ValueError, OverflowError, MemoryError, AttributeError, TypeError) as error:
        raise UsageError(f"{path} is no whole ELF file: {error or 'it is cut off'}") from None


def _library() -> tuple[Any, Any]:
    try:
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile
    except ImportError:
        raise UsageError(MISSING) from None
    return ELFFile, ELFError


def _read(path: Path, file: Any) -> ExecutableImage:
    machine = file.header["e_machine"]
    processor = PROCESSORS.get(machine) or NUMBERS.get(machine if isinstance(machine, int) else -1)
    if file.header["e_type"] == "ET_REL":
        raise UsageError(f"{path} is an object file: link it first")
    segments = tuple(_segments(path, file, processor))
    if not segments:
        raise UsageError(f"{path} has no segment that is loaded: link it first")
    symbols = tuple(_symbols(file, processor))
    slots = dict(_slots(file, processor))
    imports = {FIRST_IMPORT + IMPORT_STEP * number: name for number, name in enumerate(sorted(set(slots.values())))}
    segments = _filled(segments, slots, {name: address for address, name in imports.items()})
    entry = file.header["e_entry"]
    ends = [segment.end for segment in segments if segment.writable]
    end = max(ends, default=None)
    return ExecutableImage(path, segments, symbols, entry, processor or str(machine), end, _device(file), imports)


def _slots(file: Any, processor: str | None) -> Iterator[tuple[int, str]]:
    """Where addresses of functions of shared libraries are put when the program is started, and their names."""
    wanted = SLOTS.get(processor or "", ())
    for section in file.iter_sections() if wanted else ():
        if section.header["sh_type"] != "SHT_RELA":
            continue
        symbols = file.get_section(section.header["sh_link"])
        for each in section.iter_relocations():
            if each["r_info_type"] in wanted:
                symbol = symbols.get_symbol(each["r_info_sym"])
                if symbol["st_shndx"] == "SHN_UNDEF" and re.fullmatch(r"\w+", symbol.name):
                    yield each["r_offset"], symbol.name


def _filled(segments: tuple[Segment, ...], slots: dict[int, str], places: dict[str, int]) -> tuple[Segment, ...]:
    """With the made-up addresses in their slots."""
    found = []
    for segment in segments:
        data = bytearray(segment.data)
        for slot, name in slots.items():
            if segment.address <= slot and slot + 8 <= segment.end:
                start = slot - segment.address
                data[start : start + 8] = places[name].to_bytes(8, "little")
        found.append(replace(segment, data=bytes(data)) if slots else segment)
    return tuple(found)


def _device(file: Any) -> str | None:
    """What avr-gcc was told with -mmcu: the last string of a note."""
    note = file.get_section_by_name(".note.gnu.avr.deviceinfo")
    names = [] if note is None else [each for each in note.data().split(b"\0") if each]
    name = names[-1].decode("ascii", "replace") if names else ""
    return name if re.fullmatch(r"at\w{2,30}", name) else None


def _segments(path: Path, file: Any, processor: str | None) -> Iterator[Segment]:
    for segment in file.iter_segments():
        header = segment.header
        if header["p_type"] != "PT_LOAD" or not header["p_memsz"]:
            continue
        if header["p_memsz"] > LARGEST:
            raise UsageError(f"{path} has a segment of {header['p_memsz']:,} bytes, which is more than can be lifted")
        data = segment.data()
        if len(data) < header["p_filesz"]:
            raise UsageError(f"{path} is cut off: a segment of {header['p_filesz']} bytes has only {len(data)} of them")
        flags = header["p_flags"]
        whole = data + bytes(header["p_memsz"] - len(data))
        address, memory = _place(header["p_vaddr"], processor)
        yield Segment(address, whole, bool(flags & 2), bool(flags & 1), memory)
        if header["p_paddr"] != header["p_vaddr"] and data:  # what the program itself copies to where it is used
            yield Segment(header["p_paddr"], data, executable=False)


def _place(address: int, processor: str | None) -> tuple[int, str]:
    first, memory = DATA.get(processor or "", (None, ""))
    return (address - first, memory) if first is not None and address >= first else (address, "")


def _symbols(file: Any, processor: str | None) -> Iterator[Symbol]:
    table = file.get_section_by_name(".symtab") or file.get_section_by_name(".dynsym")
    for symbol in table.iter_symbols() if table is not None else ():
        kind = symbol["st_info"]["type"]
        if symbol.name and kind in ("STT_FUNC", "STT_OBJECT", "STT_NOTYPE") and symbol["st_shndx"] != "SHN_UNDEF":
            address, memory = _place(symbol["st_value"], processor)
            is_number = symbol["st_shndx"] == "SHN_ABS"
            yield Symbol(symbol.name, address, symbol["st_size"], kind == "STT_FUNC", memory, is_number)
