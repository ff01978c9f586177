"""`untaken lift`: C that a person can read and any compiler takes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.executables.images import RECURSION, TABLE, addresses, assembled, write_hex
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
