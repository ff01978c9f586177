"""The AVR's half carry, which SLEIGH never sets: programs that count in decimals branch on it, and handlers save it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from untaken.executables.machine_code.operations import REGISTER, UNIQUE, Operation, Varnode, constant

CARRY = Varnode(REGISTER, 0x80, 1)
HALF_CARRY = Varnode(REGISTER, 0x85, 1)
NEGATION, ITS_BITS = 0x9401, 0xFE0F
_LEFT, _RIGHT, _BOTH, _ALL = (Varnode(UNIQUE, 0x20000 + 16 * number, 1) for number in range(4))


@dataclass(frozen=True, slots=True)
class _Kind:
    """An instruction that adds or subtracts."""

    subtracts: bool
    with_carry: bool


_PLUS, _PLUS_CARRY = _Kind(subtracts=False, with_carry=False), _Kind(subtracts=False, with_carry=True)
_MINUS, _MINUS_CARRY = _Kind(subtracts=True, with_carry=False), _Kind(subtracts=True, with_carry=True)
# By the six upper bits: add, adc (lsl and rol are these), sub, cp, sbc, cpc.
_OF_REGISTERS = {3: _PLUS, 7: _PLUS_CARRY, 6: _MINUS, 5: _MINUS, 2: _MINUS_CARRY, 1: _MINUS_CARRY}
_OF_CONSTANTS = {5: _MINUS, 3: _MINUS, 4: _MINUS_CARRY}  # by the four upper bits: subi, cpi, sbci


def half_carry(code: bytes) -> Iterator[Operation]:
    """What sets it in this instruction, from what the registers held before; nothing in most."""
    word = int.from_bytes(code[:2], "little")
    if (kind := _OF_REGISTERS.get(word >> 10)) is not None:
        right = (word & 0xF) | (word >> 5 & 0x10)
        yield from _of_nibbles(kind, _register(word >> 4 & 0x1F), _register(right))
    elif (kind := _OF_CONSTANTS.get(word >> 12)) is not None:
        value = (word & 0xF) | (word >> 4 & 0xF0)
        yield from _of_nibbles(kind, _register(16 + (word >> 4 & 0xF)), constant(value, 1))
    elif word & ITS_BITS == NEGATION:
        yield from _of_nibbles(_MINUS, constant(0, 1), _register(word >> 4 & 0x1F))


def _register(number: int) -> Varnode:
    return Varnode("mem", number, 1)


def _of_nibbles(kind: _Kind, left: Varnode, right: Varnode) -> Iterator[Operation]:
    yield Operation("INT_AND", _LEFT, (left, constant(0xF, 1)))
    yield Operation("INT_AND", _RIGHT, (right, constant(0xF, 1)))
    first, carried = (_RIGHT, _BOTH) if kind.subtracts else (_BOTH, _ALL)
    if not kind.subtracts:
        yield Operation("INT_ADD", _BOTH, (_LEFT, _RIGHT))
    if kind.with_carry:
        yield Operation("INT_ADD", carried, (first, CARRY))
    last = carried if kind.with_carry else first
    yield Operation("INT_LESS", HALF_CARRY, (_LEFT, last) if kind.subtracts else (constant(0xF, 1), last))
