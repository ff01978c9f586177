"""`untaken run` on images: inputs, ports, exits, computed jumps, and what is found wrong with addresses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.executables.images import (
    RECURSION,
    TABLE,
    VALVE,
    VALVE_HEX,
    addresses,
    assembled,
    explored,
    intel_hex,
    listing,
    what_was_found,
    write_hex,
    write_raw,
)
from untaken.cli.main import run


def test_each_read_of_a_port_is_a_new_input(tmp_path: Path) -> None:
    image = write_hex(tmp_path, VALVE)
    summary = explored(tmp_path / "out", image, "--cpu", "8051", "--port", "sfr:0x90", "--iterations", "100", code=0)
    assert (summary["branches_covered"], summary["branches_total"]) == (4, 4)


def test_a_file_of_a_linker_is_the_same_image(tmp_path: Path) -> None:
    image = tmp_path / "valve.hex"
    image.write_text(VALVE_HEX)
    summary = explored(tmp_path / "out", image, "--cpu", "8051", "--port", "sfr:0x90", "--iterations", "100", code=0)
    assert (summary["branches_covered"], summary["branches_total"]) == (4, 4)


def test_memory_that_is_no_input_is_zero(tmp_path: Path) -> None:
    image = write_hex(tmp_path, VALVE)
    summary = explored(tmp_path / "out", image, "--cpu", "8051", "--iterations", "100", code=0)
    assert summary["branches_covered"] == 1


def test_targets_of_computed_jumps_are_learnt(tmp_path: Path) -> None:
    image, out = write_hex(tmp_path, TABLE), tmp_path / "out"
    summary = explored(out, image, "--cpu", "8051", "--input", "iram:0x30:2", "--iterations", "1000", code=1)
    assert what_was_found(summary) == {"division by zero at 0x1f"}
    assert (summary["branches_covered"], summary["branches_total"]) == (6, 6)
    assert sorted(addresses(listing(out))) == sorted(a for a in assembled(TABLE) if is_start(a))
    assert json.loads((out / "lifted" / "learnt.json").read_text())["jumps"] == {"12": [0x0D, 0x0F, 0x11]}


def is_start(address: int) -> bool:
    """Whether a line of TABLE begins here."""
    return any(line.startswith(f"{address:04X}:") for line in TABLE.splitlines())


def test_what_was_learnt_is_kept_for_the_next_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image, out = write_hex(tmp_path, TABLE), tmp_path / "out"
    words = [str(image), "--cpu", "8051", "--input", "iram:0x30:2", "--out", str(out)]
    run(["run", *words, "--iterations", "400", "--quiet"])
    tests = len(list((out / "tests").glob("*.bin")))
    capsys.readouterr()
    assert run(["run", *words, "--iterations", "20"]) == 1
    assert "computed jumps were met" not in capsys.readouterr().out
    assert len(list((out / "tests").glob("*.bin"))) >= tests


def test_targets_that_were_lifted_are_no_findings_any_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor is the user told that the program has changed: that it was lifted further is the same."""
    out = tmp_path / "out"
    words = [str(write_hex(tmp_path, TABLE.replace("84        ; DIV AB", "A4        ; MUL AB"))), "--cpu", "8051"]
    assert run(["run", *words, "--input", "iram:0x30:2", "--out", str(out), "--iterations", "400"]) == 0
    told = capsys.readouterr()
    assert "lifted, and the search goes on" in told.out + told.err
    assert "has changed since" not in told.out + told.err
    assert list((out / "crashes").iterdir()) == []
    assert run(["replay", str(out)]) == 0


@pytest.mark.parametrize("entry", ["", "S107001200000000E6\n"])
def test_s_records_are_read(tmp_path: Path, entry: str) -> None:
    """VALVE's bytes; a record of other addresses changes nothing."""
    image = tmp_path / "image.s19"
    image.write_text(f"S1130000E590B42A06E5906002800280FE75300116\nS105001080FE6C\n{entry}S9030000FC\n")
    summary = explored(tmp_path / "out", image, "--cpu", "8051", "--port", "sfr:0x90", "--iterations", "100", code=0)
    assert (summary["branches_covered"], summary["branches_total"]) == (4, 4)


def test_a_loop_that_only_waits_ends_a_run(tmp_path: Path) -> None:
    """WFI and a jump back to it: firmware for ARM ends like that."""
    image = write_raw(tmp_path, "30bf\nfde7")
    words = (image, "--cpu", "arm", "--base", "0x1000", "--limit", "1000", "--iterations", "3")
    assert what_was_found(explored(tmp_path / "out", *words, code=0)) == set()


def test_a_loop_that_does_something_goes_on(tmp_path: Path) -> None:
    image = write_raw(tmp_path, "0130\n30bf\nfce7")  # adds r0,#1; wfi; b
    words = (image, "--cpu", "arm", "--base", "0x1000", "--limit", "1000", "--iterations", "3")
    assert len(what_was_found(explored(tmp_path / "out", *words, code=1))) == 1


def test_an_image_without_input_is_told_what_could_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["run", str(write_hex(tmp_path, VALVE)), "--cpu", "8051", "--iterations", "5", "--out", str(tmp_path / "out")])
    printed = " ".join(capsys.readouterr().out.split())
    assert "nothing to explore. Declare what it reads with --port ADDRESS or --input ADDRESS:SIZE; if" in printed


def test_a_run_ends_at_an_exit(tmp_path: Path) -> None:
    image = write_hex(tmp_path, VALVE)
    words = (image, "--cpu", "8051", "--port", "sfr:0x90", "--exit", "0x5", "--iterations", "100")
    assert explored(tmp_path / "out", *words, code=0)["branches_covered"] == 2


def test_an_instruction_that_is_none_is_found(tmp_path: Path) -> None:
    text = VALVE.replace("000D: 75 30 01", "000D: A5 30 01")
    words = (write_hex(tmp_path, text), "--cpu", "8051", "--port", "sfr:0x90", "--iterations", "100")
    assert what_was_found(explored(tmp_path / "out", *words, code=1)) == {"no instruction at 0xd, where 0x9 leads"}


def test_an_overrun_of_the_stack_is_found(tmp_path: Path) -> None:
    words = (write_hex(tmp_path, RECURSION), "--cpu", "8051", "--port", "sfr:0x90", "--inputs", "200")
    found = what_was_found(explored(tmp_path / "out", *words, "--iterations", "300", "--strategy", "dfs", code=1))
    assert any(text.startswith("stack overrun: the stack pointer is 0x") for text in found)


def test_a_limit_of_instructions_is_a_finding(tmp_path: Path) -> None:
    text = "0000: 05 30 ; INC 30h\n0002: 80 FC ; SJMP 0000"
    words = (write_hex(tmp_path, text), "--cpu", "8051", "--limit", "1000", "--iterations", "5")
    (found,) = what_was_found(explored(tmp_path / "out", *words, code=1))
    assert found == "1000 instructions without an end or an input, the last at 0x0"


# PowerPC, from address 1000h on; r3 comes from memory at 2000h.
READ = """
3C60 0000  ; lis r3,0
6063 2000  ; ori r3,r3,2000h
8063 0000  ; lwz r3,0(r3)
2C03 0000  ; cmpwi r3,0
4182 0008  ; beq +8
8083 0000  ; lwz r4,0(r3)
4800 0000  ; b .
"""


def test_reads_outside_of_memory_are_found(tmp_path: Path) -> None:
    image = write_raw(tmp_path, READ)
    words = (image, "--cpu", "ppc", "--base", "0x1000", "--ram", "0x2000:0x100", "--input", "0x2000:4")
    found = what_was_found(explored(tmp_path / "out", *words, "--iterations", "50", code=1))
    assert any(text.startswith("read outside known memory at 0x") and text.endswith(" by 0x1014") for text in found)


def test_memory_that_is_smaller_than_an_access_takes_none(tmp_path: Path) -> None:
    """Linkers leave two bytes of variables here and there: a write of four bytes elsewhere is not one of them."""
    image = write_raw(tmp_path, "9421 fff0\n8061 0000\n4e80 0020")  # stwu r1,-16(r1); lwz r3,0(r1); blr
    words = (image, "--cpu", "ppc", "--base", "0x1000", "--entry", "0x1000", "--ram", "0x2000:2", "--iterations", "2")
    assert what_was_found(explored(tmp_path / "out", *words, code=0)) == set()


def test_a_program_that_writes_to_its_code_is_told(tmp_path: Path) -> None:
    image = write_raw(tmp_path, READ.replace("8083 0000", "9083 0000"))  # stw r4,0(r3)
    words = (image, "--cpu", "ppc", "--base", "0x1000", "--ram", "0x2000:0x100", "--input", "0x2000:4")
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "first").write_bytes(bytes.fromhex("00001010"))
    found = what_was_found(explored(tmp_path / "out", *words, "--iterations", "50", "--seeds", str(seeds), code=1))
    assert "write to code at 0x1010 by 0x1014: what was lifted does not change" in found


@pytest.mark.parametrize(
    ("cpu", "code", "said"),
    [
        ("msp430", "b240434306000343fe3f", "write to code at 0x6 by 0x0"),  # mov #0x4343,&6
        ("x86-64", "c704250800000090909090909090ebfe", "write to code at 0x8 by 0x0"),  # movl $0x90909090,8
        ("ppc", "3c6000003863000a90630000600000004bfffffc", "write to code at 0xa by 0x8"),  # stw r3,10: the next one
        ("arm", "04200080c046fee7", "write to code at 0x4 by 0x2"),  # strh r0,[r0]
        ("avr", "e0e0f0e0e89500c0", "the instruction at 0x4 is not followed (store_program_mem)"),  # spm
        ("8051", "020006000000a5", "no instruction at 0x6, where 0x0 leads"),  # ljmp to data, as are all that follow
        ("avr", "00c0ffffffff", "no instruction at 0x2, where 0x0 leads"),
        ("msp430", "30401000000000000000000000000000000000", "no instruction at 0x10, where 0x0 leads"),
        ("arm", "00e0c046ffffffffffffffff", "no instruction at 0x4, where 0x0 leads"),
        ("x86-64", "eb0006060606", "no instruction at 0x2, where 0x0 leads"),
    ],
)
def test_code_that_changes_itself_or_runs_into_data(tmp_path: Path, cpu: str, code: str, said: str) -> None:
    image = tmp_path / "image.bin"
    image.write_bytes(bytes.fromhex(code))
    words = (image, "--cpu", cpu, "--base", "0", "--entry", "0", "--iterations", "2")
    found = what_was_found(explored(tmp_path / "out", *words, code=1))
    assert len(found) == 1 and next(iter(found)).startswith(said)


def test_what_the_compiler_adds_need_not_be_covered(tmp_path: Path) -> None:
    """Its start-up code clears memory that this program has none of."""
    text = """
    0000: 02 00 10  ; LJMP 0010
    0010: E5 30     ; MOV A,30h
    0012: 60 02     ; JZ 0016
    0014: 80 00     ; SJMP 0016
    0016: 02 00 20  ; LJMP 0020
    0020: E5 90     ; MOV A,P1
    0022: 70 02     ; JNZ 0026
    0024: 80 FE     ; SJMP 0024
    0026: 80 FE     ; SJMP 0026
    """
    image = write_hex(tmp_path, "\n".join(line.strip() for line in text.strip().splitlines()))
    (tmp_path / "image.map").write_text(
        "CSEG   00000000    00000030 =   48. bytes (REL,CON,CODE)\n"
        "C:   00000010  __mcs51_genXINIT                   crtxinit\n"
        "C:   00000020  _main                              image\n"
    )
    summary = explored(tmp_path / "out", image, "--cpu", "8051", "--port", "sfr:0x90", "--iterations", "50", code=0)
    assert (summary["branches_covered"], summary["branches_total"]) == (3, 4)
    assert (summary["goal_covered"], summary["goal_total"]) == (2, 2)


def test_interrupts_are_decided_by_the_input(tmp_path: Path) -> None:
    text = """
    0000: 80 0E     ; SJMP 0010
    0003: 75 30 01  ; MOV 30h,#1
    0006: 32        ; RETI
    0010: E5 30     ; MOV A,30h
    0012: 70 04     ; JNZ 0018
    0014: D9 FA     ; DJNZ R1,0010
    0016: 80 FE     ; SJMP 0016
    0018: 80 FE     ; SJMP 0018
    """
    image = write_hex(tmp_path, "\n".join(line.strip() for line in text.strip().splitlines()))
    words = (image, "--cpu", "8051", "--iterations", "30")
    assert explored(tmp_path / "quiet", *words)["branches_covered"] == 3
    assert explored(tmp_path / "out", *words, "--interrupt", "0x3@0x10")["branches_covered"] == 4


def test_a_campaign_of_an_image_is_replayed_and_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    explored(out, write_hex(tmp_path, VALVE), "--cpu", "8051", "--port", "sfr:0x90:1:sensor", "--iterations", "100")
    assert run(["replay", str(out)]) == 0
    assert run(["replay", str(out), "--instrumented"]) == 0
    assert run(["export", str(out), "--format", "files"]) == 0
    described = json.loads((out / "tests" / "000001.json").read_text())
    assert described["fields"][0]["name"] == "sensor"


def test_a_string_instruction_that_begins_again_is_no_end(tmp_path: Path) -> None:
    text = """
    b9 03 00 00 00  ; mov ecx,3
    31 c0           ; xor eax,eax
    bf 00 20 00 00  ; mov edi,0x2000
    ff c0           ; inc eax
    f3 48 ab        ; rep stosq
    48 83 3c 25 10 20 00 00 01  ; cmp qword [0x2010],1
    75 01           ; jne 0x101d
    90              ; nop
    eb fe           ; jmp itself
    """
    image = write_raw(tmp_path, text)
    words = (image, "--cpu", "x86-64", "--base", "0x1000", "--ram", "0x2000:0x100", "--iterations", "5")
    summary = explored(tmp_path / "out", *words, code=0)
    lines = listing(tmp_path / "out").splitlines()
    assert sum("untaken_finish" in line for line in lines) == 1
    assert summary["branches_covered"] == 3  # three stores, then none is left; what is compared is 1


def test_same_seed_same_tests(tmp_path: Path) -> None:
    image = write_hex(tmp_path, TABLE)
    contents = []
    for name in ("a", "b"):
        explored(tmp_path / name, image, "--cpu", "8051", "--input", "iram:0x30:2", "--iterations", "300")
        contents.append([path.read_bytes() for path in sorted((tmp_path / name / "tests").glob("*.bin"))])
    assert contents[0] == contents[1]


def test_records_may_come_in_any_order(tmp_path: Path) -> None:
    lines = intel_hex(assembled(VALVE)).splitlines()
    image = tmp_path / "image.hex"
    image.write_text("\n".join([*reversed(lines[:-1]), lines[-1], ""]))
    words = (image, "--cpu", "8051", "--port", "sfr:0x90", "--iterations", "100")
    assert explored(tmp_path / "out", *words)["branches_covered"] == 4
