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
# What a port says, kept in memory if it is 42, with where the function is to return to: four processors, one program.
POWERPC = """
1000: 3D 20 00 00  ; lis r9,0
1004: 61 29 90 00  ; ori r9,r9,0x9000
1008: 88 69 00 00  ; lbz r3,0(r9)
100C: 48 00 00 09  ; bl 0x1014
1010: 48 00 00 00  ; b 0x1010
1014: 2C 03 00 2A  ; cmpwi r3,42
1018: 40 82 00 14  ; bne 0x102c
101C: 3D 00 00 02  ; lis r8,2
1020: 98 68 00 00  ; stb r3,0(r8)
1024: 7C 08 02 A6  ; mflr r0
1028: 90 08 00 04  ; stw r0,4(r8)
102C: 4E 80 00 20  ; blr
"""
ARM = """
1000: 4F F4 10 41  ; mov.w r1,#0x9000
1004: 08 78        ; ldrb r0,[r1]
1006: 00 F0 01 F8  ; bl 0x100c
100A: FE E7        ; b 0x100a
100C: 2A 28        ; cmp r0,#42
100E: 04 D1        ; bne 0x101a
1010: 4F F4 00 32  ; mov.w r2,#0x20000
1014: 10 70        ; strb r0,[r2]
1016: C2 F8 04 E0  ; str.w lr,[r2,#4]
101A: 70 47        ; bx lr
"""
X86_64 = """
1000: B9 00 90 00 00  ; mov $0x9000,%ecx
1005: 0F B6 39        ; movzbl (%rcx),%edi
1008: E8 02 00 00 00  ; call 0x100f
100D: EB FE           ; jmp 0x100d
100F: 83 FF 2A        ; cmp $42,%edi
1012: 75 08           ; jne 0x101c
1014: B9 00 00 02 00  ; mov $0x20000,%ecx
1019: 40 88 39        ; mov %dil,(%rcx)
101C: C3              ; ret
"""
AVR = """
0000: CF EF        ; ldi r28,0xff
0002: D8 E0        ; ldi r29,0x08
0004: DE BF        ; out 0x3e,r29
0006: CD BF        ; out 0x3d,r28
0008: 86 B3        ; in r24,0x16
000A: 01 D0        ; rcall 0x0e
000C: FF CF        ; rjmp 0x0c
000E: 8A 32        ; cpi r24,42
0010: 51 F4        ; brne 0x26
0012: FF 91        ; pop r31
0014: EF 91        ; pop r30
0016: EF 93        ; push r30
0018: FF 93        ; push r31
001A: 80 93 00 02  ; sts 0x0200,r24
001E: E0 93 02 02  ; sts 0x0202,r30
0022: F0 93 03 02  ; sts 0x0203,r31
0026: 08 95        ; ret
"""
# Loops three times, and looks whether two interrupts came; their handlers keep what they find.
INTERRUPTED_8051 = """
0000: 80 0E     ; SJMP 0010
0003: 05 30     ; INC 30h
0005: 85 90 31  ; MOV 31h,P1
0008: 32        ; RETI
0010: 75 81 40  ; MOV SP,#40h
0013: 79 03     ; MOV R1,#3
0015: E5 90     ; MOV A,P1
0017: B5 31 04  ; CJNE A,31h,001E
001A: 75 32 07  ; MOV 32h,#7
001D: 00        ; NOP
001E: D9 F5     ; DJNZ R1,0015
0020: 80 FE     ; SJMP 0020
"""
INTERRUPTED_AVR = """
0000: 01 C0       ; rjmp .+2
0002: 11 C0       ; rjmp .+34
0004: CF EF       ; ldi r28,0xFF
0006: D8 E0       ; ldi r29,0x08
0008: DE BF       ; out 0x3e,r29
000A: CD BF       ; out 0x3d,r28
000C: 78 94       ; sei
000E: 23 E0       ; ldi r18,0x03
0010: 86 B3       ; in r24,0x16
0012: 90 91 00 02 ; lds r25,0x0200
0016: 92 30       ; cpi r25,0x02
0018: 19 F0       ; breq .+6
001A: 2A 95       ; dec r18
001C: C9 F7       ; brne .-14
001E: FF CF       ; rjmp .-2
0020: 80 93 01 02 ; sts 0x0201,r24
0024: FF CF       ; rjmp .-2
0026: 8F 93       ; push r24
0028: 8F B7       ; in r24,0x3f
002A: 8F 93       ; push r24
002C: 80 91 00 02 ; lds r24,0x0200
0030: 83 95       ; inc r24
0032: 80 93 00 02 ; sts 0x0200,r24
0036: 8F 91       ; pop r24
0038: 8F BF       ; out 0x3f,r24
003A: 8F 91       ; pop r24
003C: 18 95       ; reti
"""
INTERRUPTED_MSP430 = """
C000: 31 40 00 0A ; mov #2560,r1
C004: 3A 40 03 00 ; mov #3,r10
C008: 5C 42 20 00 ; mov.b &32,r12
C00C: A2 93 00 02 ; cmp #2,&512
C010: 03 24       ; jeq $+8
C012: 1A 83       ; dec r10
C014: F9 23       ; jne $-12
C016: FF 3F       ; jmp $+0
C018: C2 4C 02 02 ; mov.b r12,&514
C01C: 00 3C       ; jmp $+2
C01E: FF 3F       ; jmp $+0
C020: 0C 12       ; push r12
C022: 82 42 04 02 ; mov r2,&516
C026: 1C 42 00 02 ; mov &512,r12
C02A: 1C 53       ; inc r12
C02C: 82 4C 00 02 ; mov r12,&512
C030: 3C 41       ; pop r12
C032: 00 13       ; reti
FFFE: 00 C0       ; where a reset begins
"""
UCSIM = needs("s51", packages="sdcc-ucsim")
MSPDEBUG = needs("mspdebug", packages="mspdebug")
QEMU = needs("gdb-multiarch", "qemu-ppc", "qemu-arm", "qemu-x86_64", packages="gdb-multiarch qemu-user")
SIMAVR = pytest.mark.skipif(
    not Path("/usr/include/simavr/sim_avr.h").exists(), reason="needs apt-get install gcc libsimavr-dev libelf-dev"
)
AT_1000 = ("--entry", "0x1000", "--port", "0x9000", "--ram", "0x20000:8")
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
        pytest.param(POWERPC, "ppc", AT_1000, marks=QEMU, id="ppc"),
        pytest.param(ARM, "arm", AT_1000, marks=QEMU, id="arm"),
        pytest.param(X86_64, "x86-64", AT_1000, marks=QEMU, id="x86-64"),
        pytest.param(AVR, "avr", ("--port", "0x36"), marks=SIMAVR, id="avr"),
        pytest.param(MSP430, "msp430", ("--port", "0x20", "--port", "0x28"), marks=MSPDEBUG, id="msp430"),
    ],
)
def test_simulators_end_with_the_same_memory(tmp_path: Path, text: str, cpu: str, words: tuple[str, ...]) -> None:
    folder = exported(tmp_path, text, cpu, *words)
    cases = len(list(folder.glob("cases/*")))
    done = checked(folder)
    assert (done.returncode, done.stdout) == (0, f"{cases} of {cases} tests end as they did, with the same memory\n")


@pytest.mark.parametrize(
    ("text", "cpu", "words", "counted"),
    [
        pytest.param(INTERRUPTED_8051, "8051", ("sfr:0x90", "0x3"), "iram 0x30 0x0", marks=UCSIM),
        pytest.param(INTERRUPTED_8051, "8051", ("sfr:0x90", "0x3@0x17"), "iram 0x30 0x0", marks=UCSIM),
        pytest.param(INTERRUPTED_AVR, "avr", ("0x36", "0x2"), "data 0x200 0x0", marks=SIMAVR),
        pytest.param(INTERRUPTED_MSP430, "msp430", ("0x20", "0xc020"), "memory 0x200 0x0", marks=MSPDEBUG),
    ],
)
def test_interrupts_come_where_they_came(
    tmp_path: Path, text: str, cpu: str, words: tuple[str, str], counted: str
) -> None:
    folder = exported(tmp_path, text, cpu, "--port", words[0], "--interrupt", words[1])
    expected = [path.read_text() for path in folder.glob("cases/*/expected")]
    assert any(counted in each for each in expected)
    done = checked(folder)
    assert (done.returncode, done.stdout) == (
        0,
        f"{len(expected)} of {len(expected)} tests end as they did, with the same memory\n",
    )


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
    other = write_raw(tmp_path, "30FE")
    explored(tmp_path / "z80", other, "--cpu", "z80:LE:16:default", "--base", "0", "--iterations", "2")
    capsys.readouterr()
    for name, said in (("plain", "is no campaign of an executable"), ("z80", "not of Zilog Z80")):
        assert guarded(run, ["export", str(tmp_path / name), "--format", "simulator"]) == 2
        assert said in capsys.readouterr().err
