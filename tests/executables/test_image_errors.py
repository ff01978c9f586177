"""What can be wrong with an image or what is said of it: one sentence each, and no traceback."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.executables.images import VALVE_HEX, write_raw
from untaken.cli.main import guarded, run
from untaken.executables.image_files.elf_writer import Contents, elf_file
from untaken.executables.machine_code import control_flow


def complaint(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """The one sentence."""
    capsys.readouterr()
    assert guarded(run, [str(word) for word in words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("untaken: ") and said.count("\n") == 1
    return said


def hex_file(folder: Path, text: str) -> Path:
    path = folder / "image.hex"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (VALVE_HEX.replace(":00000001FF\n", ""), "is cut off: its last record is missing"),
        (VALVE_HEX[:20], "is cut off"),
        (VALVE_HEX.replace("B42A", "B42B"), "has a wrong checksum"),
        (VALVE_HEX.replace(":02", "02", 1), "is no record of Intel HEX"),
        (":00000001FF\n", "holds no bytes"),
        ("", "is empty"),
    ],
)
def test_damaged_hex_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str) -> None:
    assert said in complaint(capsys, "run", hex_file(tmp_path, text), "--cpu", "8051")


SREC = "S1130000E590B42A06E5906002800280FE75300116\nS105001080FE6C\nS9030000FC\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SREC.replace("S9030000FC\n", ""), "is cut off: its last record is missing"),
        (SREC.replace("80FE6C", "80FE6D"), ":2 has a wrong checksum"),
        (SREC.replace("80FE6C", "80FE"), ":2 is cut off: the record announces 5 bytes and has 4"),
        (SREC.replace("S105", "T105"), ":2 is no S-record: 'T105001080FE6C'"),
        ("S0030000FC\nS9030000FC\n", "holds no bytes"),
    ],
)
def test_damaged_s_records(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str) -> None:
    image = tmp_path / "image.s19"
    image.write_text(text)
    assert said in complaint(capsys, "run", image, "--cpu", "8051")


def test_a_processor_must_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = hex_file(tmp_path, VALVE_HEX)
    assert "name the processor with --cpu" in complaint(capsys, "run", image)
    assert "no processor is called 8052" in complaint(capsys, "run", image, "--cpu", "8052")
    assert "SLEIGH has no language" in complaint(capsys, "lift", image, "--cpu", "no:such:thing")


def test_code_of_another_processor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = write_raw(tmp_path, "0000 0000")
    said = complaint(capsys, "run", image, "--cpu", "ppc", "--base", "0")
    assert "has no instruction of PowerPC, 32 bits at 0x0: is it code, and --cpu right?" in said


def test_raw_images_need_an_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = write_raw(tmp_path, "4800 0000")
    assert "say with --base" in complaint(capsys, "run", image, "--cpu", "ppc")
    assert "has no code at 0x10" in complaint(capsys, "run", image, "--cpu", "ppc", "--base", "0", "--entry", "0x10")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--entry", "main"), "comes without symbols, so main is not known"),
        (("--input", "0x30"), "how many bytes? As in --input 0x30:4"),
        (("--input", "0x30:0"), "a size from 1 to"),
        (("--input", "iram:"), "an address is missing"),
        (("--input", 'code:0x30:1:a"b'), "is no name"),
        (("--input", "0x90:300"), "no memory of 300 bytes is known at 0x90"),
        (("--port", "0x90:3"), "a size of 1, 2, 4 or 8 is wanted"),
        (("--port", "iram:0x100"), "no memory of 1 bytes is known at 0x100 in iram"),
        (("--port", "sfr:0x90", "--port", "sfr:0x8f:2"), "--port sfr:0x8f:2 overlaps --port sfr:0x90"),
        (("--port", "0x30", "--input", "0x30:2"), "--input 0x30:2 overlaps --port 0x30"),
        (("--ram", "xram:0:0"), "a size from 1 to"),
        (("--ram", "0:0xffffffffffff"), "no memory of 281474976710655 bytes is known at 0x0"),
        (("--stack", "0x100"), "--stack 0x100: SP cannot hold this address"),
        (("--exit", "nowhere"), "comes without symbols, so nowhere is not known"),
        (("--interrupt", "0x40"), "there is no instruction at this address"),
        (("--interrupt", "0x0@0x40"), "--interrupt 0x40: image.hex has no code at this address"),
        (("--exit", "0x40"), "--exit 0x40: image.hex has no code at this address"),
        (("--input-at", "0x40"), "--input-at 0x40: image.hex has no code at this address"),
    ],
)
def test_what_is_said_of_an_image(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, str], said: str
) -> None:
    assert said in complaint(capsys, "lift", hex_file(tmp_path, VALVE_HEX), "--cpu", "8051", *words)


def test_an_address_within_an_instruction_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = hex_file(tmp_path, VALVE_HEX)
    assert run(["lift", str(image), "--cpu", "8051", "--exit", "3", "--out", str(tmp_path / "lifted")]) == 0
    assert "--exit 0x3: no instruction that is known begins there" in capsys.readouterr().err


def test_images_that_are_too_large(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    image = write_raw(tmp_path, "0000")
    image.write_bytes(bytes(0x10001))
    said = complaint(capsys, "lift", image, "--cpu", "8051", "--base", "0")
    assert "has bytes at 0x10000, and code of Intel 8051 ends at 0xffff" in said
    assert "are --cpu and --base right?" in complaint(capsys, "lift", image, "--cpu", "ppc", "--base", "0xffffffff")
    image.write_bytes(bytes.fromhex("60000000") * 1_001)
    monkeypatch.setattr(control_flow, "MOST_INSTRUCTIONS", 1_000)
    assert "leads to 1,000 instructions and more, which is more than can be lifted: begin" in complaint(
        capsys, "lift", image, "--cpu", "ppc", "--base", "0"
    )
    with image.open("wb") as file:
        file.truncate(1 << 30)
    assert "has 1,073,741,824 bytes" in complaint(capsys, "lift", image, "--cpu", "ppc", "--base", "0")


def test_hex_files_cut_off_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = VALVE_HEX.rstrip()
    for size in range(1, len(whole)):
        complaint(capsys, "lift", hex_file(tmp_path, whole[:size]), "--cpu", "8051")


def test_elf_files_cut_off_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = bytes.fromhex("3860000148000000")
    whole = elf_file(Contents("ppc", True, 4, 0x1000, ((0x1000, code),)))
    image = tmp_path / "image.elf"
    image.write_bytes(whole)
    assert run(["lift", str(image), "--out", str(tmp_path / "lifted")]) == 0
    for size in (*range(1, 96), 0x1004):  # headers, and the segment
        image.write_bytes(whole[:size])
        complaint(capsys, "lift", image, "--cpu", "ppc")


@pytest.mark.parametrize("size", [4, 40, 100])
def test_elf_files_that_are_cut_off(tmp_path: Path, capsys: pytest.CaptureFixture[str], size: int) -> None:
    image = tmp_path / "image.elf"
    image.write_bytes(Path(sys.executable).resolve().read_bytes()[:size])
    complaint(capsys, "run", image, "--cpu", "x86-64")


def test_a_missing_library_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypcode", None)
    said = complaint(capsys, "run", hex_file(tmp_path, VALVE_HEX), "--cpu", "8051")
    assert "pip install 'untaken[executables]'" in said


def test_an_elf_file_whose_header_leads_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = tmp_path / "image.elf"
    content = bytearray(Path(sys.executable).resolve().read_bytes()[:4096])
    content[32:40] = b"\xff" * 8  # where its segments are said to be described
    image.write_bytes(content)
    assert "is no whole ELF file" in complaint(capsys, "lift", image)
