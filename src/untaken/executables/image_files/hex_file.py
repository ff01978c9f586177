"""Intel HEX files, and the lists of symbols that linkers write beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from untaken.errors import UsageError
from untaken.executables.image_files.image import ExecutableImage, Segment, Symbol

DATA, END, SEGMENT, START_SEGMENT, LINEAR, START_LINEAR = range(6)
RECORD = 16  # bytes in a line that is written
_NM_LINE = re.compile(r"^([0-9A-Fa-f]{4,16}) ([A-Za-z]) ([\w.$]+)$")
# sdcc's map has a list for each area: "CSEG   00000062   00000077 =   119. bytes (REL,CON,CODE)", and then
# "C:   000000A6  _main         module"; other areas have other letters or none.
_AREA_LINE = re.compile(r"^(\w+|\.  \.ABS\.)\s+[0-9A-F]{8}\s+[0-9A-F]{8} =.*\(([A-Z,]+)\)")
_MAP_LINE = re.compile(r"^(?:[A-Z]:| {2})\s+([0-9A-F]{8})  ([\w.$]+)(?:\s|$)")
_EXTERNAL = dict.fromkeys(("XSEG", "XABS", "PSEG", "XISEG"), "xram")
_AREAS = {"RSEG": "sfr", ".  .ABS.": "sfr", "BSEG": "bit", **_EXTERNAL}


def looks_like_hex(content: bytes) -> bool:
    return re.match(rb"\s*:[0-9A-Fa-f]{10}", content) is not None


def read_hex(path: Path, content: bytes, base: int | None) -> ExecutableImage:
    """With the symbols of a .map beside it, if there is one; `base` is added to all addresses."""
    memory: dict[int, int] = {}
    offset, entry, ended = base or 0, None, False
    for number, line in enumerate(content.decode("ascii", errors="replace").split(), 1):
        kind, address, data = _record(path, number, line)
        if kind == DATA:
            memory.update((offset + address + place, byte) for place, byte in enumerate(data))
        elif kind == END:
            ended = True
            break
        elif kind in (SEGMENT, LINEAR):
            offset = (base or 0) + (int.from_bytes(data, "big") << (4 if kind == SEGMENT else 16))
        elif kind == START_LINEAR:
            entry = int.from_bytes(data, "big")
    if not ended:
        raise UsageError(f"{path} is cut off: its last record is missing")
    if not memory:
        raise UsageError(f"{path} holds no bytes")
    return ExecutableImage(path, tuple(stretches(memory)), tuple(symbols_beside(path)), entry)


def _record(path: Path, number: int, line: str) -> tuple[int, int, bytes]:
    """Kind, address and data of a line, whose checksum is right."""
    if not re.fullmatch(r":[0-9A-Fa-f]{2,}", line):
        raise UsageError(f"{path}:{number} is no record of Intel HEX: {line[:40]!r}")
    announced = int(line[1:3], 16)
    if len(line) != 2 * announced + 11:
        raise UsageError(f"{path}:{number} is cut off: the record announces {announced} bytes and has others")
    record = bytes.fromhex(line[1:])
    if sum(record) & 0xFF:
        raise UsageError(f"{path}:{number} has a wrong checksum: the file is damaged")
    return record[3], int.from_bytes(record[1:3], "big"), record[4:-1]


def stretches(memory: dict[int, int]) -> Iterator[Segment]:
    """Bytes by their addresses as segments without gaps."""
    addresses = sorted(memory)
    start = addresses[0]
    for here, following in zip(addresses, [*addresses[1:], None], strict=True):
        if following != here + 1:
            yield Segment(start, bytes(memory[address] for address in range(start, here + 1)))
            start = following or 0


def hex_text(image: ExecutableImage) -> str:
    """The code of an image as Intel HEX, for other tools."""
    lines: list[str] = []
    upper = 0
    for segment in image.segments:
        for start in range(0, len(segment.data) if not segment.memory else 0, RECORD):
            address = segment.address + start
            if address >> 16 != upper:
                upper = address >> 16
                lines.append(_line(LINEAR, 0, upper.to_bytes(2, "big")))
            lines.append(_line(DATA, address & 0xFFFF, segment.data[start : start + RECORD]))
    return "\n".join([*lines, _line(END, 0, b""), ""])


def _line(kind: int, address: int, data: bytes) -> str:
    record = bytes((len(data), address >> 8, address & 0xFF, kind)) + data
    return f":{record.hex().upper()}{-sum(record) & 0xFF:02X}"


def symbols_beside(path: Path) -> Iterator[Symbol]:
    """Of the list that a linker wrote under the same name."""
    for suffix in (".map", ".sym", ".nm"):
        beside = path.with_suffix(suffix)
        if beside.is_file():
            yield from read_symbols(beside)
            return


def read_symbols(path: Path) -> Iterator[Symbol]:
    """From sdcc's map, or what nm prints."""
    area, is_code = "", True
    for line in path.read_text(errors="replace").splitlines():
        if (match := _AREA_LINE.match(line)) is not None:
            is_code = "CODE" in match[2].split(",")
            area = "" if is_code else _AREAS.get(match[1], "iram")
        elif (match := _MAP_LINE.match(line)) is not None and not match[2].startswith(("l_", "s_", ".__.")):
            yield Symbol(match[2], int(match[1], 16), 0, is_code, area)
        elif (match := _NM_LINE.match(line)) is not None:
            yield Symbol(match[3], int(match[1], 16), 0, match[2] in "Tt")
