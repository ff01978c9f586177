"""AVR and MSP430: ports at fixed addresses, skips, far flash, stacks that a reset leaves at zero."""

from __future__ import annotations

from pathlib import Path

from tests.executables.images import assembled, explored, listing, what_was_found, write_hex

# Two ports; the second must have bit 3 set and be what the table in flash says.
AVR = """
0000: 99 B3  ; in r25,0x19
0002: 9A 32  ; cpi r25,42
0004: 49 F4  ; brne 0x18
0006: 83 B3  ; in r24,0x13
0008: 83 FF  ; sbrs r24,3
000A: 06 C0  ; rjmp 0x18
000C: EC E1  ; ldi r30,0x1c
000E: F0 E0  ; ldi r31,0
0010: 1B BE  ; out 0x3b,r1
0012: 27 91  ; elpm r18,Z+
0014: 28 17  ; cp r18,r24
0016: 09 F0  ; breq 0x1a
0018: FF CF  ; rjmp 0x18
001A: FF CF  ; rjmp 0x1a
001C: 5C 00  ; the table
"""
# A byte and a word, whose sum must be 1000; then a call, which needs the stack.
MSP430 = """
C000: 5C 42 20 00        ; mov.b &0x20,r12
C004: 7C 90 2A 00        ; cmp.b #42,r12
C008: 08 20              ; jne 0xc01a
C00A: 1D 42 40 01        ; mov &0x140,r13
C00E: 0D 5C              ; add r12,r13
C010: 3D 90 E8 03        ; cmp #1000,r13
C014: 02 20              ; jne 0xc01a
C016: B0 12 1C C0        ; call #0xc01c
C01A: FF 3F              ; jmp 0xc01a
C01C: B2 40 07 00 00 02  ; mov #7,&0x200
C022: 30 41              ; ret
FFFE: 00 C0              ; where a reset begins
"""


def test_ports_of_avr_are_inputs_and_skips_and_far_flash_are_followed(tmp_path: Path) -> None:
    words = (write_hex(tmp_path, AVR), "--cpu", "avr", "--port", "0x39", "--port", "0x33", "--iterations", "100")
    summary = explored(tmp_path / "out", *words, code=0)
    assert (summary["branches_covered"], summary["branches_total"]) == (6, 6)
    assert "elpm" in listing(tmp_path / "out")


def test_return_addresses_of_avr_lie_upper_byte_first(tmp_path: Path) -> None:
    """Above 64 KiB, too. The function looks where it is to return to, and only then does."""
    text = """
    0000: CF EF  ; ldi r28,0xff
    0002: D8 E0  ; ldi r29,0x08
    0004: DE BF  ; out 0x3e,r29
    0006: CD BF  ; out 0x3d,r28
    0008: 0C 94 00 80  ; jmp 0x10000
    10000: 01 D0  ; rcall 0x10004
    10002: FF CF  ; rjmp 0x10002
    10004: FF 91  ; pop r31
    10006: EF 91  ; pop r30
    10008: EF 93  ; push r30
    1000A: FF 93  ; push r31
    1000C: F0 38  ; cpi r31,0x80
    1000E: 11 F4  ; brne 0x10014
    10010: E1 30  ; cpi r30,0x01
    10012: 09 F0  ; breq 0x10016
    10014: 05 C0  ; rjmp 0x10020, where nothing is
    10016: 08 95  ; ret
    """
    assert findings_of_flash(tmp_path, text) == set()


def findings_of_flash(tmp_path: Path, text: str) -> set[str]:
    image = tmp_path / "image.bin"
    memory = assembled(text)
    image.write_bytes(bytes(memory.get(address, 0) for address in range(max(memory) + 1)))
    return what_was_found(explored(tmp_path / "out", image, "--cpu", "avr", "--base", "0", "--iterations", "3"))


def test_a_call_of_avr_that_only_makes_room_pushes_the_same_way_round(tmp_path: Path) -> None:
    """Compilers write `rcall .` for two bytes on the stack; what is in them may be read, or returned to."""
    text = """
    0000: CF EF  ; ldi r28,0xff
    0002: D8 E0  ; ldi r29,0x08
    0004: DE BF  ; out 0x3e,r29
    0006: CD BF  ; out 0x3d,r28
    0008: 0C 94 00 80  ; jmp 0x10000
    10000: 00 D0  ; rcall 0x10002
    10002: FF 91  ; pop r31
    10004: EF 91  ; pop r30
    10006: F0 38  ; cpi r31,0x80
    10008: 11 F4  ; brne 0x1000e
    1000A: E1 30  ; cpi r30,0x01
    1000C: 09 F0  ; breq 0x10010
    1000E: 05 C0  ; rjmp 0x1001a, where nothing is
    10010: FF CF  ; rjmp 0x10010
    """
    assert findings_of_flash(tmp_path, text) == set()


def test_the_half_carry_of_avr_counts_in_decimals(tmp_path: Path) -> None:
    """Two digits are added to 38h, and corrected where the lower one went over: only SREG's H tells."""
    text = """
    0000: 89 B3  ; in r24,0x19
    0002: 98 E3  ; ldi r25,0x38
    0004: 98 0F  ; add r25,r24
    0006: 0D F4  ; brhc 0x000a
    0008: 9A 5F  ; subi r25,0xfa
    000A: 97 35  ; cpi r25,0x57
    000C: 09 F0  ; breq 0x10
    000E: FF CF  ; rjmp 0x0e
    0010: 89 31  ; cpi r24,0x19
    0012: 09 F4  ; brne 0x16
    0014: FF CF  ; rjmp 0x14
    0016: FF CF  ; rjmp 0x16
    """
    words = (write_hex(tmp_path, text), "--cpu", "avr", "--port", "0x39", "--iterations", "100")
    summary = explored(tmp_path / "out", *words, code=0)
    assert (summary["branches_covered"], summary["branches_total"]) == (5, 6)  # 38 and 19 are 57, and nothing else is


def test_ports_of_msp430_are_inputs_and_calls_return(tmp_path: Path) -> None:
    words = (write_hex(tmp_path, MSP430), "--cpu", "msp430", "--port", "0x20", "--port", "0x140:2")
    summary = explored(tmp_path / "out", *words, "--iterations", "100", code=0)
    assert (summary["branches_covered"], summary["branches_total"]) == (4, 4)


def test_a_function_of_msp430_returns_to_the_end(tmp_path: Path) -> None:
    words = (write_hex(tmp_path, MSP430), "--cpu", "msp430", "--entry", "0xc01c", "--iterations", "5")
    assert explored(tmp_path / "out", *words, code=0)["iterations"] >= 1


def test_a_port_that_an_instruction_needs_twice_is_read_once(tmp_path: Path) -> None:
    text = "C000: E2 D3 20 00 ; bis.b #2,&0x20\nC004: FF 3F ; jmp 0xc004\nFFFE: 00 C0"
    words = (write_hex(tmp_path, text), "--cpu", "msp430", "--port", "0x20", "--iterations", "5")
    explored(tmp_path / "out", *words, code=0)
    (line,) = [line for line in listing(tmp_path / "out").splitlines() if "BIS" in line]
    assert line.count("port8") == 1
