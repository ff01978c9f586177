"""The AVR's products of fractions (FMUL, FMULS, FMULSU), which SLEIGH only names: twice the product."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from untaken.executables.machine_code.operations import (
    REGISTER,
    UNIQUE,
    MachineInstruction,
    Operation,
    Varnode,
    constant,
)

CARRY, ZERO = Varnode(REGISTER, 0x80, 1), Varnode(REGISTER, 0x81, 1)
RESULT = Varnode("mem", 0, 2)
KINDS, ITS_BITS = {0x0308: ("fmul", "uu"), 0x0380: ("fmuls", "ss"), 0x0388: ("fmulsu", "su")}, 0xFF88  # and signs
_WIDEN = {"u": "INT_ZEXT", "s": "INT_SEXT"}


def with_fractions(known: MachineInstruction, code: bytes) -> MachineInstruction:
    """Such an instruction with what it does; others as they are."""
    word = int.from_bytes(code[:2], "little")
    if word & ITS_BITS not in KINDS:
        return known
    name, signs = KINDS[word & ITS_BITS]
    left, right = 16 + (word >> 4 & 7), 16 + (word & 7)
    skipped = tuple(op for op in known.operations[:1] if op.code == "CBRANCH")
    operations = (*skipped, *_product(signs, Varnode("mem", left, 1), Varnode("mem", right, 1)))
    return replace(known, text=f"{name} R{left},R{right}", operations=operations)


def _product(signs: str, left: Varnode, right: Varnode) -> Iterator[Operation]:
    wide, other, product, top = (Varnode(UNIQUE, 16 * number, 2) for number in range(4))
    yield Operation(_WIDEN[signs[0]], wide, (left,))
    yield Operation(_WIDEN[signs[1]], other, (right,))
    yield Operation("INT_MULT", product, (wide, other))
    yield Operation("INT_RIGHT", top, (product, constant(15, 2)))
    yield Operation("SUBPIECE", CARRY, (top, constant(0, 4)))
    yield Operation("INT_LEFT", RESULT, (product, constant(1, 2)))
    yield Operation("INT_EQUAL", ZERO, (RESULT, constant(0, 2)))
