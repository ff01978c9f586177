"""Tests of tags: numbers in shadow memory that say whether a line of the program's memory may hold labels.

The program's own code looks at whole lines, which is cheap. Where a line has labels, cold code looks again, at the
words that are touched: of a struct some fields are symbolic, and most accesses are to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

WIDEST_EXACT = 8  # bytes of an access that stays in its line if it is aligned
_WORD_SHIFT = 2  # four bytes share a bit of the tag
_WORDS_OF_LINE = 16


@dataclass(frozen=True, slots=True)
class Tag:
    """The tag of the line at an address, both as names of the program's code."""

    name: str  # an i16
    address: str  # an i64
    size: int  # bytes of the line that are touched from the address on; 0 if it is not known which


def exact_test(tags: Iterable[Tag], indicators: Iterable[str], fresh: Callable[[], str]) -> tuple[list[str], str]:
    """Code that tells whether there is work to do, and the name of its answer, an i1."""
    lines: list[str] = []

    def compute(text: str) -> str:
        name = fresh()
        lines.append(f"  {name} = {text}")
        return name

    found_in: dict[int, str] = {}  # by the mask that is to be put on it
    for tag in tags:
        bits, mask = tag.name, -1
        if tag.size:
            word = compute(f"lshr i64 {tag.address}, {_WORD_SHIFT}")
            narrow = compute(f"trunc i64 {word} to i16")
            first = compute(f"and i16 {narrow}, {_WORDS_OF_LINE - 1}")
            bits, mask = compute(f"lshr i16 {bits}, {first}"), (1 << -(-tag.size >> _WORD_SHIFT)) - 1
        found_in[mask] = compute(f"or i16 {found_in[mask]}, {bits}") if mask in found_in else bits
    reasons = list(indicators)
    for mask, bits in found_in.items():
        masked = compute(f"and i16 {bits}, {mask}")
        reasons.append(compute(f"zext i16 {masked} to i32"))
    found = reasons[0]
    for reason in reasons[1:]:
        found = compute(f"or i32 {found}, {reason}")
    return lines, compute(f"icmp ne i32 {found}, 0")
