"""One instruction on large integers, as lines on words.

What cannot be done on words stays on whole integers, which have no expressions: it is computed concretely, and counted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from untaken.build.ir.instructions import (
    BinaryOperation,
    Cast,
    Compare,
    Instruction,
    Load,
    Phi,
    Select,
    StoreInstruction,
    Switch,
)
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import WORD_BITS, Integer, Type
from untaken.build.words import arithmetic
from untaken.build.words.arithmetic import WordTexts
from untaken.build.words.lines import WordLines, words_of_constant

PREFIX = "%$w."  # of the names that this makes
LARGEST_WHOLE = 128  # bits of an integer that has an expression
_PLAIN_NAME = re.compile(r"[^\w.]")


def is_large(kind: Type) -> bool:
    """Whether integers of this type become words."""
    return isinstance(kind, Integer) and kind.width > LARGEST_WHOLE


def width_of(kind: Type) -> int:
    assert isinstance(kind, Integer)
    return kind.width


@dataclass(slots=True)
class WordNames:
    """The words of each large value of a function. The lowest has the value's own name, as LLVM counts those."""

    same: dict[str, str] = field(default_factory=dict)  # words that are another word, or a constant
    wholes: set[str] = field(default_factory=set)  # parameters, which stay as they are
    unusual: dict[str, int] = field(default_factory=dict)  # names that have to be written in quotes
    count: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"{PREFIX}{self.count}"

    def of(self, name: str, width: int) -> WordTexts:
        plain = _PLAIN_NAME.sub("_", name[1:])
        unique = plain if plain == name[1:] else f"{plain}.{self.unusual.setdefault(name, len(self.unusual))}"
        upper = [f"{PREFIX}{unique}.{at}" for at in range(-(-width // WORD_BITS))]
        return tuple(upper) if name in self.wholes else (name, *upper[1:])


class InstructionLowering:
    """Writes the lines that stand for one instruction."""

    def __init__(self, instruction: Instruction, names: WordNames) -> None:
        self._instruction = instruction
        self._names = names
        self.lines = WordLines(names.fresh, instruction.debug)

    def run(self) -> list[str]:
        """The lines, the instruction's own among them if there are none on words."""
        instruction, lower = self._instruction, None
        if any(is_large(value.type) for value in instruction.operands) or is_large(instruction.type):
            lower = _LOWERED.get(type(instruction))
        if lower is None or not lower(self):
            self._on_wholes()
        return self.lines.lines

    # ---- values

    def words(self, value: Value) -> WordTexts:
        """The words of an operand."""
        width = width_of(value.type)
        if value.is_local:
            return tuple(self._names.same.get(word, word) for word in self._names.of(value.text, width))
        if value.text in ("undef", "poison", "zeroinitializer"):
            return ("0",) * -(-width // WORD_BITS)
        if value.text.removeprefix("-").isdigit():
            return words_of_constant(int(value.text), width)
        return self._split(value.text, width)

    def _split(self, whole: str, width: int) -> WordTexts:
        shifted = (self.lines.binary("lshr", whole, str(at), width) for at in range(0, width, WORD_BITS))
        return tuple(self.lines.define(f"trunc i{width} {part} to i{WORD_BITS}") for part in shifted)

    def _joined(self, value: Value) -> str:
        """A large integer as a whole."""
        width, result = width_of(value.type), "0"
        for place, word in enumerate(self.words(value)):
            part = self.lines.define(f"zext i{WORD_BITS} {word} to i{width}")
            part = self.lines.binary("shl", part, str(place * WORD_BITS), width)
            result = self.lines.binary("or", result, part, width)
        return result

    def _give(self, words: Iterable[str]) -> bool:
        """The words of the result."""
        names = self._names.of(self._instruction.result, width_of(self._instruction.type))
        for name, word in zip(names, words, strict=True):
            self._same(name, word, WORD_BITS)
        return True

    def _same(self, name: str, value: str, width: int) -> None:
        self.lines.name(name, f"bitcast i{width} {value} to i{width}")
        self._names.same[name] = value

    def _give_small(self, value: str, width: int) -> bool:
        self.lines.name(self._instruction.result, f"bitcast i{width} {value} to i{width}")
        return True

    def _on_wholes(self) -> None:
        """The instruction itself, with its operands put together before it and its result taken apart behind it."""
        instruction, text = self._instruction, self._instruction.text
        local = [value for value in instruction.operands if is_large(value.type) and value.is_local]
        wholes = {value.text: self._joined(value) for value in local}
        if is_large(instruction.type):
            wholes[instruction.result] = self._names.fresh()
        for name, whole in wholes.items():
            text = re.sub(rf"{re.escape(name)}(?![\w$.-])", whole.replace("\\", r"\\"), text)
        self.lines.lines.append(text)
        if is_large(instruction.type):
            self._give(self._split(wholes[instruction.result], width_of(instruction.type)))

    # ---- instructions

    def binary(self) -> bool:
        instruction = self._instruction
        assert isinstance(instruction, BinaryOperation)
        a, b, width = self.words(instruction.a), self.words(instruction.b), width_of(instruction.type)
        found = self._computed(instruction.op, a, b, width)
        return found is not None and self._give(arithmetic.cut(self.lines, found, width))

    def _computed(self, op: str, a: WordTexts, b: WordTexts, width: int) -> WordTexts | None:
        lines = self.lines
        match op:
            case "and" | "or" | "xor":
                return arithmetic.bitwise(lines, op, a, b)
            case "add":
                return arithmetic.add(lines, a, b)
            case "sub":
                return arithmetic.subtract(lines, a, b)
            case "mul" if len(a) <= arithmetic.MOST_FACTORS:
                return arithmetic.multiply(lines, *sorted((a, b), key=lambda words: words.count("0")))
            case "shl":
                return arithmetic.shift_left(lines, a, b[0])
            case "lshr":
                return arithmetic.shift_right(lines, a, b[0], "0")
            case "ashr":
                a = arithmetic.with_sign(lines, a, width)
                return arithmetic.shift_right(lines, a, b[0], arithmetic.sign_word(lines, a[-1]))
            case "udiv" | "urem" if set(b[1:]) == {"0"}:
                return arithmetic.divide(lines, op[1:], a, b[0])
            case "sdiv" | "srem":
                return self._divided_by_sign(op[1:], a, b, width)
        return None

    def _divided_by_sign(self, op: str, a: WordTexts, b: WordTexts, width: int) -> WordTexts | None:
        """Magnitudes are divided; a remainder has the sign of what is divided."""
        lines, divisor = self.lines, arithmetic.constant(b, width)
        is_negative = divisor is not None and divisor < 0
        if divisor is not None:
            b = words_of_constant(abs(divisor), width)
        if set(b[1:]) != {"0"}:
            return None
        sign = arithmetic.sign_word(lines, arithmetic.with_sign(lines, a, width)[-1])
        below = lines.cast("trunc", sign, WORD_BITS, 1)
        size = arithmetic.cut(lines, arithmetic.negate_if(lines, below, a), width)
        found = arithmetic.divide(lines, op, size, b[0])
        return arithmetic.negate_if(lines, lines.negated(below) if is_negative and op == "div" else below, found)

    def compare(self) -> bool:
        instruction = self._instruction
        assert isinstance(instruction, Compare)
        op, a, b = instruction.op, self.words(instruction.a), self.words(instruction.b)
        if op in ("eq", "ne"):
            bit = arithmetic.is_equal(self.lines, a, b)
            return self._give_small(bit if op == "eq" else self.lines.negated(bit), 1)
        width, by_sign = width_of(instruction.a.type), op[0] == "s"
        if by_sign:
            a, b = (arithmetic.with_sign(self.lines, words, width) for words in (a, b))
        # a > b is b < a; a <= b is not b < a.
        bit = arithmetic.is_less(self.lines, *((b, a) if op[1:] in ("gt", "le") else (a, b)), by_sign)
        return self._give_small(self.lines.negated(bit) if op.endswith("e") else bit, 1)

    def cast(self) -> bool:
        instruction = self._instruction
        assert isinstance(instruction, Cast)
        if instruction.op == "freeze":
            return self._give(self.words(instruction.value))
        if instruction.op == "trunc":
            return self._narrowed(self.words(instruction.value), width_of(instruction.type))
        if instruction.op in ("zext", "sext"):
            return self._widened(instruction.op, instruction.value, width_of(instruction.type))
        return False

    def _narrowed(self, a: WordTexts, width: int) -> bool:
        lines = self.lines
        if width > LARGEST_WHOLE:
            return self._give(arithmetic.cut(lines, a, width))
        if width <= WORD_BITS:
            return self._give_small(lines.cast("trunc", a[0], WORD_BITS, width), width)
        low, high = (lines.cast("zext", word, WORD_BITS, width) for word in a[:2])
        return self._give_small(lines.binary("or", lines.binary("shl", high, str(WORD_BITS), width), low, width), width)

    def _widened(self, op: str, value: Value, width: int) -> bool:
        lines, before, count = self.lines, width_of(value.type), -(-width // WORD_BITS)
        a = self.words(value) if is_large(value.type) else self._words_of_small(value.text, before)
        fill = "0"
        if op == "sext":
            a = arithmetic.with_sign(lines, a, before)
            fill = arithmetic.sign_word(lines, a[-1])
        return self._give(arithmetic.cut(lines, arithmetic.extended(a, count, fill), width))

    def _words_of_small(self, value: str, width: int) -> WordTexts:
        """Of an integer that has an expression."""
        if width <= WORD_BITS:
            return (self.lines.cast("zext", value, width, WORD_BITS),)
        low, shifted = self.lines.cast("trunc", value, width, WORD_BITS), f"{value}, {WORD_BITS}"
        high = self.lines.cast("trunc", self.lines.define(f"lshr i{width} {shifted}"), width, WORD_BITS)
        return low, high

    def select(self) -> bool:
        instruction = self._instruction
        assert isinstance(instruction, Select)
        pairs = zip(self.words(instruction.a), self.words(instruction.b), strict=True)
        names = self._names.of(instruction.result, width_of(instruction.type))
        for name, (a, b) in zip(names, pairs, strict=True):
            self.lines.name(name, f"select {instruction.condition}, i{WORD_BITS} {a}, i{WORD_BITS} {b}")
        return True

    def phi(self) -> bool:
        instruction = self._instruction
        assert isinstance(instruction, Phi)
        width = width_of(instruction.type)
        sources = [(self._words_in_phi(value, width), block) for value, block in instruction.incoming]
        for place, name in enumerate(self._names.of(instruction.result, width)):
            parts = ", ".join(f"[ {words[place]}, {block} ]" for words, block in sources)
            self.lines.name(name, f"phi i{WORD_BITS} {parts}")
        return True

    def _words_in_phi(self, value: Value, width: int) -> WordTexts:
        """By their own names: what they are may be written later."""
        return self._names.of(value.text, width) if value.is_local else self.words(value)

    def switch(self) -> bool:
        """On the number of the case that matches."""
        instruction = self._instruction
        assert isinstance(instruction, Switch)
        a, width = self.words(instruction.value), width_of(instruction.value.type)
        number = str(len(instruction.cases))
        for place, (case, _) in reversed(list(enumerate(instruction.cases))):
            matches = arithmetic.is_equal(self.lines, a, words_of_constant(case, width))
            number = self.lines.choose(matches, str(place), number)
        cases = "\n".join(f"    i64 {place}, label {target}" for place, (_, target) in enumerate(instruction.cases))
        self.lines.put(f"switch i64 {number}, label {instruction.default} [\n{cases}\n  ]")
        return True

    # ---- memory

    def load(self) -> bool:
        instruction = self._instruction
        assert isinstance(instruction, Load)
        if " atomic " in instruction.text:
            return False
        names = self._names.of(instruction.result, width_of(instruction.type))
        places = self._places(instruction.pointer, instruction.type, instruction.align)
        for name, (place, width, align) in zip(names, places, strict=True):
            text = f"load {self._volatile()}i{width}, ptr {place}, align {align}"
            if width == WORD_BITS:
                self.lines.name(name, text)
            else:
                self.lines.name(name, f"zext i{width} {self.lines.define(text)} to i{WORD_BITS}")
        return True

    def store(self) -> bool:
        instruction = self._instruction
        assert isinstance(instruction, StoreInstruction)
        if " atomic " in instruction.text:
            return False
        places = self._places(instruction.pointer, instruction.value.type, instruction.align)
        for word, (place, width, align) in zip(self.words(instruction.value), places, strict=True):
            value = self.lines.cast("trunc", word, WORD_BITS, width)
            self.lines.put(f"store {self._volatile()}i{width} {value}, ptr {place}, align {align}")
        return True

    def _volatile(self) -> str:
        return "volatile " if re.search(r"\b(?:load|store) volatile ", self._instruction.text) else ""

    def _places(self, pointer: Value, kind: Type, align: int) -> Iterable[tuple[str, int, int]]:
        """Where each word is, how many bits of it are there, and how it is aligned."""
        width = width_of(kind)
        for at in range(0, width, WORD_BITS):
            place = pointer.text
            if at:
                place = self.lines.define(f"getelementptr i8, ptr {place}, i64 {at // 8}")
            yield place, min(WORD_BITS, width - at), math.gcd(align, at // 8) if at else align


_LOWERED: dict[type[Instruction], Callable[[InstructionLowering], bool]] = {
    BinaryOperation: InstructionLowering.binary,
    Compare: InstructionLowering.compare,
    Cast: InstructionLowering.cast,
    Select: InstructionLowering.select,
    Phi: InstructionLowering.phi,
    Switch: InstructionLowering.switch,
    Load: InstructionLowering.load,
    StoreInstruction: InstructionLowering.store,
}
