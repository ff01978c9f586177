"""Constants of LLVM's text as bits: what the steps of a group are given in their place."""

from __future__ import annotations

import struct

from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Float, Integer, label_width

_LONG_DOUBLE = "0xK"


def constant_bits(value: Value) -> int | None:
    """A constant's bits, zero-extended; None if it is known only to the linker."""
    words = {"true": 1, "false": 0, "undef": 0, "poison": 0, "zeroinitializer": 0, "null": 0}
    if value.text in words:
        return words[value.text]
    if isinstance(value.type, Float):
        return float_bits(value)
    digits = value.text.removeprefix("-")
    if digits.isdigit() and isinstance(value.type, Integer):
        return int(value.text) & ((1 << value.type.width) - 1)
    return None


def float_bits(value: Value) -> int | None:
    """The bits of a constant; LLVM writes floats and doubles as doubles, and long doubles as their bits."""
    width = label_width(value.type)
    try:
        if value.text.startswith(_LONG_DOUBLE):
            return int(value.text.removeprefix(_LONG_DOUBLE), 16)
        hexadecimal = value.text.startswith("0x")
        number = int(value.text, 16) if hexadecimal else int.from_bytes(struct.pack("<d", float(value.text)), "little")
        if width != 32:
            return number if width else None
        exact: float = struct.unpack("<d", number.to_bytes(8, "little"))[0]
        return int.from_bytes(struct.pack("<f", exact), "little") if exact == exact else None
    except ValueError:
        return None
