"""Tiny images, assembled by hand: each line has an address, bytes, and what they mean."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from untaken.cli.main import run

# A valve: opens when the pressure is 42, and the switch is on.
VALVE = """
0000: E5 90     ; MOV A,P1
0002: B4 2A 06  ; CJNE A,#42,000B
0005: E5 90     ; MOV A,P1
0007: 60 02     ; JZ 000B
0009: 80 02     ; SJMP 000D
000B: 80 FE     ; SJMP 000B
000D: 75 30 01  ; MOV 30h,#1
0010: 80 FE     ; SJMP 0010
"""
# The same, as a linker would write it.
VALVE_HEX = """\
:10000000E590B42A06E5906002800280FE7530011A
:0200100080FE70
:00000001FF
"""
# A jump table with three entries, and a division by what is in 31h.
TABLE = """
0000: E5 30     ; MOV A,30h
0002: B4 03 00  ; CJNE A,#3,0005
0005: 50 1A     ; JNC 0021
0007: 25 E0     ; ADD A,ACC
0009: 90 00 0D  ; MOV DPTR,#000D
000C: 73        ; JMP @A+DPTR
000D: 80 04     ; SJMP 0013
000F: 80 05     ; SJMP 0016
0011: 80 09     ; SJMP 001C
0013: 04        ; INC A
0014: 80 0B     ; SJMP 0021
0016: E5 31     ; MOV A,31h
0018: B4 07 06  ; CJNE A,#7,0021
001B: 04        ; INC A
001C: 85 31 F0  ; MOV B,31h
001F: 84        ; DIV AB
0020: 00        ; NOP
0021: 80 FE     ; SJMP 0021
"""
# Calls itself as long as bit 0 of P1 is set.
RECURSION = """
0000: 12 00 05  ; LCALL 0005
0003: 80 FE     ; SJMP 0003
0005: 30 90 03  ; JNB P1.0,000B
0008: 12 00 05  ; LCALL 0005
000B: 22        ; RET
"""


def assembled(text: str) -> dict[int, int]:
    """The bytes by their addresses."""
    memory: dict[int, int] = {}
    for line in text.strip().splitlines():
        address, _, rest = line.partition(":")
        for place, byte in enumerate(rest.partition(";")[0].split()):
            memory[int(address, 16) + place] = int(byte, 16)
    return memory


def intel_hex(memory: dict[int, int]) -> str:
    """One record a byte: any order of any addresses will do."""
    records = [bytes((1, address >> 8, address & 0xFF, 0, byte)) for address, byte in sorted(memory.items())]
    lines = [f":{(record + bytes((-sum(record) & 0xFF,))).hex().upper()}" for record in records]
    return "\n".join([*lines, ":00000001FF", ""])


def write_hex(folder: Path, text: str, name: str = "image.hex") -> Path:
    path = folder / name
    path.write_text(intel_hex(assembled(text)))
    return path


def write_raw(folder: Path, words: str, name: str = "image.bin") -> Path:
    """Big-endian words of four bytes; what is behind a semicolon is the disassembly."""
    path = folder / name
    path.write_bytes(b"".join(bytes.fromhex(line.partition(";")[0]) for line in words.strip().splitlines()))
    return path


def explored(out: Path, *words: str | Path, code: int | None = None) -> dict[str, Any]:
    """The summary of a campaign."""
    shutil.rmtree(out, ignore_errors=True)
    ended = run(["run", *map(str, words), "--out", str(out), "--quiet"])
    assert code is None or ended == code
    found: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return found


def what_was_found(summary: dict[str, Any]) -> set[str]:
    return {finding["what"] for finding in summary["crashes"]}


def needs(*programs: str, packages: str) -> pytest.MarkDecorator:
    missing = [program for program in programs if shutil.which(program) is None]
    return pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}: apt-get install {packages}")


def listing(out: Path) -> str:
    """The C that was lifted, without the part that it includes."""
    return next(path.read_text() for path in sorted((out / "lifted").glob("*.c")) if ".untaken." not in path.name)


def addresses(text: str) -> list[int]:
    """Of the instructions in a listing, in its order."""
    return [int(match[1], 16) for match in re.finditer(r"/\* ([0-9a-f]+)  ", text)]
