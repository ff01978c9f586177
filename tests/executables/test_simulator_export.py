"""Tests of images as commands for simulators: these are not ours, and must end with the same memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.executables.images import VALVE, explored, needs, write_hex, write_raw
from untaken.cli.main import guarded, run

# Adds up what a port says, in external memory, without an end; inputs come behind the start-up code.
LOOP = """
0000: 75 81 2F  ; MOV SP,#2Fh
0003: 90 00 10  ; MOV DPTR,#0010
0006: E5 90     ; MOV A,P1
0008: 25 30     ; ADD A,30h
000A: F5 30     ; MOV 30h,A
000C: B4 2A 04  ; CJNE A,#42,0013
000F: 90 80 00  ; MOV DPTR,#8000
0012: E0        ; MOVX A,@DPTR
0013: F0        ; MOVX @DPTR,A
0014: A3        ; INC DPTR
0015: 80 EF     ; SJMP 0006
"""
# Two ports, whose sum must be 100; then a call, which needs the stack.
MSP430 = """
C000: 5C 42 20 00        ; mov.b &0x20,r12
C004: 7C 90 2A 00        ; cmp.b #42,r12
C008: 08 20              ; jne 0xc01a
C00A: 5D 42 28 00        ; mov.b &0x28,r13
C00E: 0D 5C              ; add r12,r13
C010: 3D 90 64 00        ; cmp #100,r13
C014: 02 20              ; jne 0xc01a
C016: B0 12 1C C0        ; call #0xc01c
C01A: FF 3F              ; jmp 0xc01a
C01C: B2 40 07 00 00 02  ; mov #7,&0x200
C022: 30 41              ; ret
FFFE: 00 C0              ; where a reset begins
"""
UCSIM = needs("s51", packages="sdcc-ucsim")
MSPDEBUG = needs("mspdebug", packages="mspdebug")
PORTS_OF_LOOP = ("--port", "sfr:0x90:1:P1", "--port", "xram:0x8000:1:adc", "--inputs", "6")


def exported(tmp_path: Path, text: str, cpu: str, *words: str) -> Path:
    out = tmp_path / "out"
    explored(out, write_hex(tmp_path, text), "--cpu", cpu, *words, "--iterations", "100", code=0)
    assert run(["export", str(out), "--format", "simulator"]) == 0
    return out / "export-simulator"


def checked(folder: Path, *cases: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, folder / "run.py", *cases], capture_output=True, text=True, timeout=120)


def test_commands_say_what_ports_say_at_each_read(tmp_path: Path) -> None:
    folder = exported(tmp_path, VALVE, "8051", "--port", "sfr:0x90")
    told = [path.read_text() for path in sorted(folder.glob("cases/*/commands"))]
    assert len(told) == 3
    assert sum("set hardware port[1] 0x2a\nrun\nset hardware port[1]" in text for text in told) == 2


@pytest.mark.parametrize(
    ("text", "cpu", "words"),
    [
        pytest.param(VALVE, "8051", ("--port", "sfr:0x90"), marks=UCSIM, id="ports"),
        pytest.param(LOOP, "8051", PORTS_OF_LOOP, marks=UCSIM, id="no end, and memory that is a port"),
        pytest.param(VALVE, "8051", ("--entry", "0x5", "--port", "sfr:0x90"), marks=UCSIM, id="an entry"),
        pytest.param(
            LOOP, "8051", (*PORTS_OF_LOOP, "--input", "iram:0x30:1", "--input-at", "0x3"), marks=UCSIM, id="an input"
        ),
        pytest.param(MSP430, "msp430", ("--port", "0x20", "--port", "0x28"), marks=MSPDEBUG, id="msp430"),
    ],
)
def test_simulators_end_with_the_same_memory(tmp_path: Path, text: str, cpu: str, words: tuple[str, ...]) -> None:
    folder = exported(tmp_path, text, cpu, *words)
    cases = len(list(folder.glob("cases/*")))
    done = checked(folder)
    assert (done.returncode, done.stdout) == (0, f"{cases} of {cases} tests end as they did, with the same memory\n")


@UCSIM
def test_other_memory_is_told(tmp_path: Path) -> None:
    folder = exported(tmp_path, VALVE, "8051", "--port", "sfr:0x90")
    case = next(path for path in sorted(folder.glob("cases/*")) if "iram 0x30" in (path / "expected").read_text())
    changed = (case / "expected").read_text().replace("iram 0x30 0x01", "iram 0x30 0x02")
    (case / "expected").write_text(changed)
    done = checked(folder)
    assert done.returncode == 1
    assert f"{case.name}: iram:0x30 is 0x01" in done.stdout


@UCSIM
def test_a_case_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    done = checked(exported(tmp_path, VALVE, "8051", "--port", "sfr:0x90"), "other")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("there is no such case; there are: 0000")


def test_what_cannot_be_exported_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "plain.c"
    source.write_text("int main(void) { return 0; }")
    explored(tmp_path / "plain", source, "--iterations", "2")
    explored(tmp_path / "ppc", write_raw(tmp_path, "4800 0000"), "--cpu", "ppc", "--base", "0", "--iterations", "2")
    capsys.readouterr()
    for name, said in (("plain", "is no campaign of an executable"), ("ppc", "not of PowerPC, 32 bits")):
        assert guarded(run, ["export", str(tmp_path / name), "--format", "simulator"]) == 2
        assert said in capsys.readouterr().err
