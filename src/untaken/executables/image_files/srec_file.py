"""Motorola S-records: lines of a kind, a count, an address, bytes and a checksum."""

from __future__ import annotations

import re
from pathlib import Path

from untaken.errors import UsageError
from untaken.executables.image_files.hex_file import stretches, symbols_beside
from untaken.executables.image_files.image import ExecutableImage

ADDRESS_BYTES = {"1": 2, "2": 3, "3": 4, "7": 4, "8": 3, "9": 2}
DATA, ENDS = "123", "789"
_RECORD = re.compile(r"S([0-9])([0-9A-Fa-f]{2})((?:[0-9A-Fa-f]{2})+)")


def looks_like_srec(content: bytes) -> bool:
    return re.match(rb"\s*S[0-9][0-9A-Fa-f]{8}", content) is not None


def read_srec(path: Path, content: bytes, base: int | None) -> ExecutableImage:
    """With the symbols of a .map beside it, if there is one; `base` is added to all addresses."""
    memory: dict[int, int] = {}
    entry, ended = None, False
    for number, line in enumerate(content.decode("ascii", errors="replace").split(), 1):
        kind, body = _record(path, number, line)
        size = ADDRESS_BYTES.get(kind, 0)
        address = int.from_bytes(body[:size], "big") + (base or 0)
        if kind in DATA:
            memory.update((address + place, byte) for place, byte in enumerate(body[size:]))
        elif kind in ENDS:
            entry, ended = address if any(body[:size]) else None, True
            break
    if not ended:
        raise UsageError(f"{path} is cut off: its last record is missing")
    if not memory:
        raise UsageError(f"{path} holds no bytes")
    return ExecutableImage(path, tuple(stretches(memory)), tuple(symbols_beside(path)), entry)


def _record(path: Path, number: int, line: str) -> tuple[str, bytes]:
    """Kind of a line, and its address with its data; its count and checksum are right."""
    match = _RECORD.fullmatch(line)
    if match is None:
        raise UsageError(f"{path}:{number} is no S-record: {line[:40]!r}")
    count, body = int(match[2], 16), bytes.fromhex(match[3])
    if len(body) != count or count <= ADDRESS_BYTES.get(match[1], 0):
        raise UsageError(f"{path}:{number} is cut off: the record announces {count} bytes and has {len(body)}")
    if (count + sum(body)) & 0xFF != 0xFF:
        raise UsageError(f"{path}:{number} has a wrong checksum: the file is damaged")
    return match[1], body[:-1]
