"""`untaken lift`: C that a person can read and any compiler takes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.executables.images import (
    RECURSION,
    TABLE,
    VALVE,
    addresses,
    assembled,
    explored,
    what_was_found,
    write_hex,
    write_raw,
)
from untaken.build.toolchain.compilers import environment, front_end
from untaken.cli.main import run

INCLUDE = Path(__file__).parents[2] / "src" / "untaken" / "runtime" / "include"


def lifted(tmp_path: Path, text: str, *words: str) -> str:
    image = write_hex(tmp_path, text)
    assert run(["lift", str(image), "--cpu", "8051", "--out", str(tmp_path), *words]) == 0
    return (tmp_path / "image.hex.c").read_text()


def test_one_line_an_instruction_with_its_disassembly(tmp_path: Path) -> None:
    text = lifted(tmp_path, RECURSION)
    assert len(addresses(text)) == len(set(addresses(text))) == 5
    assert "/* 0005  JNB " in text


def test_what_is_called_is_a_function(tmp_path: Path) -> None:
    text = lifted(tmp_path, RECURSION)
    assert "static address fn_0000(" in text
    assert "static address fn_0005(" in text
    assert "fn_0005(0x5)" in text


def test_flags_that_nobody_reads_are_left_out(tmp_path: Path) -> None:
    text = lifted(tmp_path, TABLE)
    (line,) = [line for line in text.splitlines() if "/* 0007  ADD" in line]
    assert "AC" not in line and "OV" not in line


# F0 is a bit of PSW that no instruction sets by itself; the parity is that of A, whatever is written there.
STATUS = """
0000: E5 90     ; MOV A,P1
0002: 25 E0     ; ADD A,ACC
0004: D2 D5     ; SETB F0
0006: C2 D0     ; CLR P
0008: 30 D0 05  ; JNB P,0010
000B: 30 D5 02  ; JNB F0,0010
000E: 80 FE     ; SJMP 000E
0010: 80 FE     ; SJMP 0010
"""


def test_a_bit_of_the_status_needs_none_of_the_others(tmp_path: Path) -> None:
    lines = lifted(tmp_path, STATUS, "--port", "sfr:0x90").splitlines()
    (added,) = [line for line in lines if "/* 0002  ADD" in line]
    assert all(flag not in added for flag in ("CY", "AC", "OV"))
    (parity,) = [line for line in lines if "/* 0006  CLR" in line]
    assert parity.split("/*")[0].strip() == ";"
    summary = explored(tmp_path / "out", tmp_path / "image.hex", "--cpu", "8051", "--port", "sfr:0x90", code=0)
    assert (summary["branches_covered"], summary["branches_total"]) == (3, 4)  # F0 is always set


@pytest.mark.parametrize("text", [RECURSION, TABLE])
def test_compilers_have_nothing_to_say(tmp_path: Path, text: str) -> None:
    lifted(tmp_path, text, "--port", "sfr:0x90", "--input", "iram:0x30:2")
    words = [*front_end().command, "-Wall", "-Wextra", "-Werror", "-c", "-I", str(INCLUDE), "image.hex.c", "-o", "o"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env={**environment()})
    assert (done.returncode, done.stderr) == (0, "")


def test_code_that_nothing_leads_to_is_not_lifted(tmp_path: Path) -> None:
    found = addresses(lifted(tmp_path, TABLE))
    assert 0x0C in found
    assert 0x16 not in found and 0x16 in assembled(TABLE)


def test_all_processors_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lift", "--list-cpus"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("8051", "avr", "msp430", "ppc", "arm", "x86-64", "z80:LE:16:default"))


def test_an_instruction_that_damages_the_decoder_is_never_shown_to_it(tmp_path: Path) -> None:
    image = write_raw(tmp_path, "6000 0000 ; nop\n1100 0000 ; vaddubm v8,v0,v0\n4800 0000 ; b .")
    summary = explored(tmp_path / "out", image, "--cpu", "ppc", "--base", "0", "--iterations", "2")
    assert what_was_found(summary) == {"the instruction at 0x4 is not followed (vaddubm)"}


def test_registers_in_the_list_of_a_linker_are_no_functions(tmp_path: Path) -> None:
    """sdcc's map has them in an area of its own, at addresses that code has, too."""
    (tmp_path / "image.map").write_text(
        "HOME     00000000    00000006 =   6. bytes (REL,CON,CODE)\n"
        "C:   00000000  _main                              image\n"
        ".  .ABS.    00000000    00000000 =   0. bytes (ABS,CON)\n"
        "     0000000B  _P1                                image\n"
    )
    text = lifted(tmp_path, VALVE)
    assert "fn_main(" in text and "fn_P1" not in text


def test_marks_of_the_assembler_hide_no_names(tmp_path: Path) -> None:
    """ARM's $t says that Thumb code begins, where a function begins as well."""
    (tmp_path / "image.map").write_text("00000000 t $t\n00000000 t first\n")
    assert "fn_first(" in lifted(tmp_path, VALVE)
