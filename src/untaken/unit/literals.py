"""Numbers and strings as C writes them."""

from __future__ import annotations

import re

from untaken.unit.shape import Scalar

ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
SIGNS = {9: "\\t", 10: "\\n", 13: "\\r", 39: "\\'", 92: "\\\\"}  # as characters
MOST_POSITIVE = {4: (1 << 31) - 1, 8: (1 << 63) - 1}


def number(shape: Scalar, value: int) -> str:
    """By the name of the enumerator or macro, or as a character where there is one."""
    for name, known in (*shape.enumerators, *shape.named):
        if known == value:
            return name
    return character(value) if shape.draw == "char" else integer(value, shape.size)


def character(value: int) -> str:
    """As people write it; bytes that are no ASCII by their bits, which are the same where char has no sign. Small
    numbers are no characters, and -1 is a sign that there is none."""
    byte = value & 0xFF
    if byte in SIGNS:
        return f"'{SIGNS[byte]}'"
    if 32 <= byte < 127:
        return f"'{chr(byte)}'"
    return f"'\\x{byte:02x}'" if 128 <= byte < 255 else str(value)


def integer(value: int, size: int) -> str:
    """The smallest numbers cannot be written as such, the largest need a suffix."""
    for limit in MOST_POSITIVE.values():
        if value == -limit - 1:
            return f"(-{limit} - 1)"
    if value > MOST_POSITIVE[8]:
        return f"{value}u"
    return f"{value}u" if size == 4 and value > MOST_POSITIVE[4] else str(value)


def string(data: bytes) -> str:
    """A literal; after an escape with digits a literal is begun anew, or the next character would belong to it."""
    text = ""
    for index, byte in enumerate(data):
        following = data[index + 1 : index + 2]
        if byte == 0 and following.isdigit():
            text += "\\000"
        elif byte in ESCAPES:
            text += ESCAPES[byte]
        elif 32 <= byte < 127:
            text += "\\?" if byte == 63 and following == b"?" else chr(byte)
        else:
            text += f"\\{byte:03o}"
    return f'"{text}"'


def readable(data: bytes) -> str | None:
    """Bytes as a literal, if they are text that a person would write."""
    return string(data) if data and all(32 <= byte < 127 or byte in b"\t\n\r" for byte in data) else None


def identifier(text: str) -> str:
    """A name for the object at a place: p->next[2] as p_next_2."""
    return re.sub(r"\W+", "_", text.replace("*", "")).strip("_") or "object"
