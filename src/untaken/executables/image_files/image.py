"""An image: the bytes of a program at their addresses, and what its file says about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from untaken.errors import UsageError

LARGEST = 64 << 20  # bytes of a file, or of a part of memory


@dataclass(frozen=True, slots=True)
class Segment:
    """Bytes at an address. `memory` is the name of an address space, empty for the one of code."""

    address: int
    data: bytes
    writable: bool = False
    executable: bool = True
    memory: str = ""

    @property
    def end(self) -> int:
        return self.address + len(self.data)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name for an address; `memory` as in a segment."""

    name: str
    address: int
    size: int = 0
    is_function: bool = False
    memory: str = ""
    is_number: bool = False  # a value that the linker was given, and no place

    @property
    def can_name_code(self) -> bool:
        """Marks of the assembler ($t, $d) and numbers name nothing."""
        return not self.memory and not self.is_number and not self.name.startswith("$")


@dataclass(frozen=True, slots=True)
class ExecutableImage:
    """A program as it lies in memory."""

    path: Path
    segments: tuple[Segment, ...]
    symbols: tuple[Symbol, ...] = ()
    entry: int | None = None
    processor: str | None = None  # what the file says of it
    end_of_data: int | None = None  # the first address behind all variables, if the file tells
    device: str | None = None  # which one of its processor's it is for, as compilers write it down
    imports: dict[int, str] = field(
        default_factory=dict
    )  # functions of shared libraries, by addresses made up for them
    names: dict[str, Symbol] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for symbol in self.symbols:
            self.names.setdefault(symbol.name, symbol)
            self.names.setdefault(symbol.name.removeprefix("_"), symbol)  # sdcc's compiler has one before each name

    def bytes_at(self, address: int, count: int) -> bytes:
        """Of code; shorter where a segment ends, empty where nothing executable is."""
        for segment in self.segments:
            if not segment.memory and segment.executable and segment.address <= address < segment.end:
                start = address - segment.address
                return segment.data[start : start + count]
        return b""


def load(path: Path, base: int | None) -> ExecutableImage:
    """An image of any kind: ELF, Intel HEX and S-records are known by how they begin, all else needs an address."""
    from untaken.executables.image_files.elf import read_elf
    from untaken.executables.image_files.hex_file import looks_like_hex, read_hex
    from untaken.executables.image_files.srec_file import looks_like_srec, read_srec

    if path.stat().st_size > LARGEST:
        raise UsageError(f"{path} has {path.stat().st_size:,} bytes, which is more than can be lifted")
    content = path.read_bytes()
    if not content:
        raise UsageError(f"{path} is empty")
    if content.startswith(b"\x7fELF"):
        if base is not None:
            raise UsageError("--base is for raw images: an ELF file says itself where it lies")
        return read_elf(path, content)
    if looks_like_hex(content):
        return read_hex(path, content, base)
    if looks_like_srec(content):
        return read_srec(path, content, base)
    if base is None:
        raise UsageError(
            f"{path} is neither ELF nor Intel HEX nor S-records: say with --base at which address its first byte lies"
        )
    return ExecutableImage(path, (Segment(base, content, writable=True),), entry=base)
