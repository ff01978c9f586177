"""The opcodes of the 8051: which of them does what."""

from __future__ import annotations

from collections.abc import Callable

from untaken.executables.machine_code.operations import Operation, Varnode, constant
from untaken.executables.processors.i8051_semantics import (
    BANK_BITS,
    CODE,
    CY,
    DPH,
    DPL,
    PSW_ADDRESS,
    XRAM,
    A,
    Semantics,
    one,
)

Meaning = Callable[[Semantics], None]


def _arithmetic(code: str) -> Meaning:
    """A = A op operand."""
    return lambda do: do.put(A, do.make(code, A, do.operand()))


def _direct(code: str) -> tuple[Meaning, Meaning]:
    """direct = direct op A, and op a constant."""

    def with_a(do: Semantics) -> None:
        do.put_direct(do.code[1], do.make(code, do.get_direct(do.code[1], latch=True), A))

    def with_constant(do: Semantics) -> None:
        do.put_direct(do.code[1], do.make(code, do.get_direct(do.code[1], latch=True), one(do.code[2])))

    return with_a, with_constant


def _count(code: str) -> Meaning:
    return lambda do: do.put_operand(do.make(code, do.changed_operand(), one(1)))


def _carry(code: str, negated: bool) -> Meaning:
    """C = C op bit."""

    def meaning(do: Semantics) -> None:
        bit = do.get_bit(do.code[1])
        do.put(CY, do.make(code, CY, do.make("BOOL_NEGATE", bit) if negated else bit))

    return meaning


def _jump_on(value: Callable[[Semantics], Varnode], wanted: int) -> Meaning:
    def meaning(do: Semantics) -> None:
        do.jump_if(do.make("INT_NOTEQUAL" if wanted else "INT_EQUAL", value(do), one(0)), do.relative())

    return meaning


def _jump_and_clear(do: Semantics) -> None:
    """JBC: a temporary keeps what the bit was."""
    bit = do.make("COPY", do.get_bit(do.code[1], latch=True))
    do.put_bit(do.code[1], one(0))
    do.jump_if(bit, do.relative())


def _exchange(do: Semantics) -> None:
    old = do.make("COPY", do.changed_operand())
    do.put_operand(A)
    do.put(A, old)


def _exchange_digits(do: Semantics) -> None:
    number = do.code[0] & 1
    address = do.get_register(number)
    old = do.load("iram", address)
    kept, low = do.make("INT_AND", old, one(0xF0)), do.make("INT_AND", A, one(0xF))
    do.store("iram", address, do.make("INT_OR", kept, low))
    do.put(A, do.make("INT_OR", do.make("INT_AND", A, one(0xF0)), do.make("INT_AND", old, one(0xF))))


def _count_down(do: Semantics) -> None:
    """DJNZ; its operand is as that of INC."""
    value = do.make("COPY", do.make("INT_SUB", do.changed_operand(), one(1)))
    do.put_operand(value)
    do.jump_if(do.make("INT_NOTEQUAL", value, one(0)), do.relative())


def _compare(do: Semantics) -> None:
    digit = do.code[0] & 0xF
    left = A if digit in (4, 5) else do.operand()
    right = do.get_direct(do.code[1]) if digit == 5 else one(do.code[1])
    do.compare(left, right)


def _set_bit(value: int | None) -> Meaning:
    """SETB, CLR, and CPL for None."""

    def meaning(do: Semantics) -> None:
        new = do.make("BOOL_NEGATE", do.get_bit(do.code[1], latch=True)) if value is None else one(value)
        do.put_bit(do.code[1], new)

    return meaning


def _through_carry(left: bool) -> Meaning:
    def meaning(do: Semantics) -> None:
        out = do.make("COPY", do.top_bit() if left else do.bottom_bit())
        do.rotate(left, CY)
        do.put(CY, out)

    return meaning


def _swap(do: Semantics) -> None:
    high, low = do.make("INT_LEFT", A, one(4)), do.make("INT_RIGHT", A, one(4))
    do.put(A, do.make("INT_OR", high, low))


def _increase_pointer(do: Semantics) -> None:
    new = do.make("INT_ADD", do.pointer(), constant(1, 2), size=2)
    do.put(DPL, do.make("SUBPIECE", new, constant(0, 4)))
    do.put(DPH, do.make("SUBPIECE", new, constant(1, 4)))


def _set_pointer(do: Semantics) -> None:
    do.put(DPH, one(do.code[1]))
    do.put(DPL, one(do.code[2]))


def _code_byte(base: Callable[[Semantics], Varnode]) -> Meaning:
    def meaning(do: Semantics) -> None:
        address = do.make("INT_ADD", base(do), do.make("INT_ZEXT", A, size=2), size=2)
        do.put(A, do.load(CODE, address))

    return meaning


def _jump_computed(do: Semantics) -> None:
    target = do.make("INT_ADD", do.pointer(), do.make("INT_ZEXT", A, size=2), size=2)
    do.operations.append(Operation("BRANCHIND", None, (target,)))


def _short_address(do: Semantics) -> int:
    return do.next & 0xF800 | (do.code[0] >> 5) << 8 | do.code[1]


def _long_address(do: Semantics) -> int:
    return do.code[1] << 8 | do.code[2]


def _move_direct(do: Semantics) -> None:
    """MOV direct,direct has its source first."""
    do.put_direct(do.code[2], do.get_direct(do.code[1]))


def _to_direct(do: Semantics) -> None:
    do.put_direct(do.code[1], do.operand())


def _from_direct(do: Semantics) -> None:
    do.put_operand(do.get_direct(do.code[1]))


def _single() -> dict[int, Meaning]:
    orl, anl, xrl = _direct("INT_OR"), _direct("INT_AND"), _direct("INT_XOR")
    return {
        0x00: lambda do: None,
        0x02: lambda do: do.jump(_long_address(do)),
        0x12: lambda do: do.call(_long_address(do)),
        0x03: lambda do: do.rotate(False, do.bottom_bit()),
        0x13: _through_carry(left=False),
        0x23: lambda do: do.rotate(True, do.top_bit()),
        0x33: _through_carry(left=True),
        0x10: _jump_and_clear,
        0x20: _jump_on(lambda do: do.get_bit(do.code[1]), 1),
        0x30: _jump_on(lambda do: do.get_bit(do.code[1]), 0),
        0x40: _jump_on(lambda do: CY, 1),
        0x50: _jump_on(lambda do: CY, 0),
        0x60: _jump_on(lambda do: A, 0),
        0x70: _jump_on(lambda do: A, 1),
        0x80: lambda do: do.jump(do.relative()),
        0x90: _set_pointer,
        0x72: _carry("BOOL_OR", negated=False),
        0xA0: _carry("BOOL_OR", negated=True),
        0x82: _carry("BOOL_AND", negated=False),
        0xB0: _carry("BOOL_AND", negated=True),
        0xC0: lambda do: do.push(do.get_direct(do.code[1])),
        0xD0: lambda do: do.put_direct(do.code[1], do.pop()),
        0xE0: lambda do: do.put(A, do.load(XRAM, do.pointer())),
        0xF0: lambda do: do.store(XRAM, do.pointer(), A),
        0x22: lambda do: do.give_back(),
        0x32: lambda do: do.give_back(),
        0x42: orl[0],
        0x43: orl[1],
        0x52: anl[0],
        0x53: anl[1],
        0x62: xrl[0],
        0x63: xrl[1],
        0x92: lambda do: do.put_bit(do.code[1], CY),
        0xA2: lambda do: do.put(CY, do.get_bit(do.code[1])),
        0xB2: _set_bit(None),
        0xC2: _set_bit(0),
        0xD2: _set_bit(1),
        0xB3: lambda do: do.put(CY, do.make("BOOL_NEGATE", CY)),
        0xC3: lambda do: do.put(CY, one(0)),
        0xD3: lambda do: do.put(CY, one(1)),
        0x73: _jump_computed,
        0x83: _code_byte(lambda do: constant(do.next, 2)),
        0x93: _code_byte(lambda do: do.pointer()),
        0xA3: _increase_pointer,
        0x84: lambda do: do.divide(),
        0xA4: lambda do: do.multiply(),
        0x85: _move_direct,
        0xC4: _swap,
        0xD4: lambda do: do.adjust(),
        0xD5: _count_down,
        0xE4: lambda do: do.put(A, one(0)),
        0xF4: lambda do: do.put(A, do.make("INT_NEGATE", A)),
    }


# By the upper digit of the opcode; the lower one, from 4 on, says what the operand is.
_ROWS: dict[int, Meaning] = {
    0x0: _count("INT_ADD"),
    0x1: _count("INT_SUB"),
    0x2: lambda do: do.add(do.operand(), None),
    0x3: lambda do: do.add(do.operand(), CY),
    0x4: _arithmetic("INT_OR"),
    0x5: _arithmetic("INT_AND"),
    0x6: _arithmetic("INT_XOR"),
    0x7: lambda do: do.put_operand(one(do.code[-1])),
    0x8: _to_direct,
    0x9: lambda do: do.subtract(do.operand()),
    0xA: _from_direct,
    0xB: _compare,
    0xC: _exchange,
    0xD: _count_down,
    0xE: lambda do: do.put(A, do.operand()),
    0xF: lambda do: do.put_operand(A),
}
_EXTERNAL: dict[int, Meaning] = {
    0xE: lambda do: do.put(A, do.load(XRAM, do.paged())),
    0xF: lambda do: do.store(XRAM, do.paged(), A),
}
_SINGLE = _single()


def meaning_of(opcode: int) -> Meaning | None:
    """None: there is no such instruction."""
    high, low = opcode >> 4, opcode & 0xF
    if opcode in _SINGLE:
        return _SINGLE[opcode]
    if low == 1:
        call, jump = (lambda do: do.call(_short_address(do))), (lambda do: do.jump(_short_address(do)))
        return call if high & 1 else jump
    if low in (2, 3):
        return _EXTERNAL.get(high)
    if high == 0xD and low in (6, 7):
        return _exchange_digits
    return None if opcode == 0xA5 else _ROWS[high]


def may_choose_bank(code: bytes) -> bool:
    """Whether the instruction may write the two bits of PSW that choose a bank of registers, other than 0."""
    opcode = code[0]
    if opcode in (0xD2, 0xB2, 0x92):
        return code[1] in (PSW_ADDRESS + 3, PSW_ADDRESS + 4)
    if opcode in (0x75, 0x43, 0x63):
        return code[1] == PSW_ADDRESS and bool(code[2] & BANK_BITS)
    if opcode == 0x85:
        return code[2] == PSW_ADDRESS
    to_direct = opcode in (0x42, 0x62, 0xC5, 0xD0, 0xD5, 0xF5, 0x05, 0x15) or 0x86 <= opcode <= 0x8F
    return to_direct and code[1] == PSW_ADDRESS
