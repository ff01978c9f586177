"""The lines that stand for one instruction on a large integer: operations on words, with what is constant left out."""

from __future__ import annotations

from collections.abc import Callable

from untaken.build.ir.types import WORD_BITS

_WORD_MASK = (1 << WORD_BITS) - 1
_NEUTRAL = {"add": 0, "sub": 0, "or": 0, "xor": 0, "shl": 0, "lshr": 0, "ashr": 0}
_ORDERED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ult": lambda a, b: a < b,
    "slt": lambda a, b: a < b,
}


class WordLines:
    """Gathers lines. WordTexts are texts: names of values, or decimal constants; `fresh` makes new names."""

    def __init__(self, fresh: Callable[[], str], debug: str) -> None:
        self.lines: list[str] = []
        self._fresh = fresh
        self._debug = f", !dbg {debug}" if debug else ""

    def put(self, text: str) -> None:
        """A line without a result."""
        self.lines.append(f"  {text}{self._debug}")

    def name(self, name: str, text: str) -> str:
        """A line whose result has this name."""
        self.put(f"{name} = {text}")
        return name

    def define(self, text: str) -> str:
        """A line whose result has a new name."""
        return self.name(self._fresh(), text)

    def binary(self, op: str, a: str, b: str, width: int = WORD_BITS) -> str:
        """Arithmetic or a bit operation on words, or on single bits."""
        if b == "0" and op in _NEUTRAL:
            return a
        if a == "0" and op in ("add", "or", "xor"):
            return b
        if "0" in (a, b) and op in ("and", "mul"):
            return "0"
        if op == "and" and b == str((1 << width) - 1):
            return a
        return self.define(f"{op} i{width} {a}, {b}")

    def compare(self, op: str, a: str, b: str) -> str:
        """A comparison of two words, `eq`, `ult` or `slt`: a bit."""
        if is_constant(a) and is_constant(b):
            one, other = (signed(int(a)), signed(int(b))) if op == "slt" else (int(a), int(b))
            return str(int(_ORDERED[op](one, other)))
        if op == "ult" and b == "0":
            return "0"
        return self.define(f"icmp {op} i{WORD_BITS} {a}, {b}")

    def cast(self, op: str, value: str, before: int, after: int) -> str:
        """A wider or narrower integer; both widths are at most 128."""
        if before == after:
            return value
        if is_constant(value) and op != "sext":
            return str(int(value) & ((1 << after) - 1))
        return self.define(f"{op} i{before} {value} to i{after}")

    def choose(self, condition: str, a: str, b: str) -> str:
        """A word that is a if the bit is set, else b."""
        if a == b:
            return a
        if is_constant(condition):
            return a if condition == "1" else b
        return self.define(f"select i1 {condition}, i{WORD_BITS} {a}, i{WORD_BITS} {b}")

    def negated(self, bit: str) -> str:
        return str(1 - int(bit)) if is_constant(bit) else self.define(f"xor i1 {bit}, true")


def is_constant(word: str) -> bool:
    return word.isdigit()


def signed(word: int) -> int:
    """The number that the bits of a word are in two's complement."""
    return word - (1 << WORD_BITS) if word >> (WORD_BITS - 1) else word


def words_of_constant(number: int, width: int) -> tuple[str, ...]:
    """The words of a constant, lowest first; the bits above the width are 0 in the last."""
    bits = number & ((1 << width) - 1)
    return tuple(str(bits >> at & _WORD_MASK) for at in range(0, width, WORD_BITS))
