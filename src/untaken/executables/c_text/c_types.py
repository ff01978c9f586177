"""C text for numbers of some bytes: types, constants, casts."""

from __future__ import annotations

_TYPES = {1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "u128"}


def room(size: int) -> int:
    """The bytes of the smallest type that holds so many."""
    return next(each for each in _TYPES if each >= size)


def unsigned(size: int) -> str:
    return _TYPES[room(size)]


def signed_type(size: int) -> str:
    return "i" + _TYPES[room(size)][1:]


def literal(value: int, size: int) -> str:
    """A constant; small ones as people write them."""
    if size > 8:
        return (
            f"((u128){value >> 64:#x}ull << 64 | {value & (1 << 64) - 1:#x}ull)"
            if value >> 64
            else f"(u128){value:#x}ull"
        )
    text = str(value) if value < 10 else f"{value:#x}"
    return text + {4: "u", 8: "ull"}.get(room(size), "")


def mask(size: int) -> str:
    return literal((1 << 8 * size) - 1, size)


def bare(text: str) -> str:
    """Without parentheses around the whole of it."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and place < len(text) - 1:
            return text
    return text[1:-1]
