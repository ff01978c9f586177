"""Sums, products, quotients, shifts and comparisons of large integers, word by word as one does them by hand.

A large integer is a tuple of words, lowest first; bits above its width are 0 in the last. None of this branches: what a
program decides stays its own.
"""

from __future__ import annotations

from itertools import zip_longest

from untaken.build.ir.types import WORD_BITS
from untaken.build.words.lines import WordLines, is_constant

WordTexts = tuple[str, ...]
MOST_FACTORS = 16  # words of a product: it takes a number of lines that grows with their square
_PAIR = 2 * WORD_BITS


def bitwise(lines: WordLines, op: str, a: WordTexts, b: WordTexts) -> WordTexts:
    """`and`, `or` or `xor`, word by word."""
    return tuple(lines.binary(op, one, other) for one, other in zip(a, b, strict=True))


def add(lines: WordLines, a: WordTexts, b: WordTexts) -> WordTexts:
    """A sum, not yet cut to its width."""
    result, carry = [], "0"
    for one, other in zip(a, b, strict=True):
        half = lines.binary("add", one, other)
        over = "0" if half in (one, other) else lines.compare("ult", half, one)
        whole = lines.binary("add", half, lines.cast("zext", carry, 1, WORD_BITS))
        again = "0" if whole == half else lines.compare("ult", whole, half)
        carry = lines.binary("or", over, again, 1)
        result.append(whole)
    return tuple(result)


def subtract(lines: WordLines, a: WordTexts, b: WordTexts) -> WordTexts:
    """A difference, not yet cut to its width."""
    result, borrow = [], "0"
    for one, other in zip(a, b, strict=True):
        half = lines.binary("sub", one, other)
        under = lines.compare("ult", one, other)
        taken = lines.cast("zext", borrow, 1, WORD_BITS)
        result.append(lines.binary("sub", half, taken))
        borrow = lines.binary("or", under, lines.compare("ult", half, taken), 1)
    return tuple(result)


def multiply(lines: WordLines, a: WordTexts, b: WordTexts) -> WordTexts:
    """A product, not yet cut to its width."""
    result = ["0"] * len(a)
    for at, factor in enumerate(b):
        carry = "0"
        for place, other in enumerate(a[: len(a) - at], at):
            if place == len(a) - 1:
                product = lines.binary("mul", other, factor)
                result[place] = lines.binary("add", lines.binary("add", product, result[place]), carry)
            else:
                result[place], carry = _multiplied(lines, other, factor, (result[place], carry))
    return tuple(result)


def _multiplied(lines: WordLines, a: str, b: str, added: tuple[str, str]) -> tuple[str, str]:
    """The lower and the upper word of a product of two words, and two more added to it."""
    if "0" in (a, b) and "0" in added:
        return lines.binary("add", *added), "0"
    wide = [lines.cast("zext", word, WORD_BITS, _PAIR) for word in (a, b, *added)]
    total = lines.binary("mul", wide[0], wide[1], _PAIR)
    for word in wide[2:]:
        total = lines.binary("add", total, word, _PAIR)
    upper = lines.binary("lshr", total, str(WORD_BITS), _PAIR)
    return lines.cast("trunc", total, _PAIR, WORD_BITS), lines.cast("trunc", upper, _PAIR, WORD_BITS)


def divide(lines: WordLines, op: str, a: WordTexts, divisor: str) -> WordTexts:
    """The quotient by a single word (`div`), or the remainder (`rem`).

    With small divisors all that is divided has 64 bits, which is easier for solvers.
    """
    digit = WORD_BITS // 2 if is_constant(divisor) and int(divisor) >> WORD_BITS // 2 == 0 else WORD_BITS
    by = lines.cast("zext", divisor, WORD_BITS, 2 * digit)
    quotient, rest = [], "0"
    for word in reversed(a):
        result = "0"
        for at in range(WORD_BITS - digit, -1, -digit):
            part = lines.cast("trunc", lines.binary("lshr", word, str(at)), WORD_BITS, digit)
            part = lines.cast("zext", part, digit, 2 * digit)
            whole = lines.binary("or", lines.binary("shl", rest, str(digit), 2 * digit), part, 2 * digit)
            found, rest = (lines.define(f"{name} i{2 * digit} {whole}, {by}") for name in ("udiv", "urem"))
            found = lines.cast("trunc", found, 2 * digit, WORD_BITS)
            result = lines.binary("or", result, lines.binary("shl", found, str(at)))
        quotient.append(result)
    rest = lines.cast("trunc", rest, 2 * digit, WORD_BITS)
    return tuple(reversed(quotient)) if op == "div" else extended((rest,), len(a), "0")


def negate_if(lines: WordLines, condition: str, a: WordTexts) -> WordTexts:
    """The negative of a number if the bit is set."""
    if condition == "0":
        return a
    return choose(lines, condition, subtract(lines, ("0",) * len(a), a), a)


def choose(lines: WordLines, condition: str, a: WordTexts, b: WordTexts) -> WordTexts:
    """The first number if the bit is set, else the second."""
    return tuple(lines.choose(condition, one, other) for one, other in zip(a, b, strict=True))


# ---- comparisons


def is_equal(lines: WordLines, a: WordTexts, b: WordTexts) -> str:
    """Whether all words are the same."""
    result = "1"
    for one, other in zip(a, b, strict=True):
        same = lines.compare("eq", one, other)
        result = same if result == "1" else lines.binary("and", result, same, 1)
    return result


def is_less(lines: WordLines, a: WordTexts, b: WordTexts, by_sign: bool) -> str:
    """Whether a number is less than another; with `by_sign` the last words have to be signed."""
    result = "0"
    for place, (one, other) in enumerate(zip(a, b, strict=True)):
        less = lines.compare("slt" if by_sign and place == len(a) - 1 else "ult", one, other)
        if result != "0":
            result = lines.binary("and", lines.compare("eq", one, other), result, 1)
        result = lines.binary("or", less, result, 1)
    return result


# ---- shifts


def shift_left(lines: WordLines, a: WordTexts, by: str) -> WordTexts:
    """By a number of bits in a word, less than all; not yet cut to its width."""
    moved = _moved_down(lines, a[::-1], by, "0")[::-1]
    return _shifted_within(lines, moved, ("0", *moved), by, "fshl")


def shift_right(lines: WordLines, a: WordTexts, by: str, fill: str) -> WordTexts:
    """By a number of bits in a word, less than all; `fill` is the word that comes after the last."""
    moved = _moved_down(lines, a, by, fill)
    return _shifted_within(lines, (*moved[1:], fill), moved, by, "fshr")


def _moved_down(lines: WordLines, a: WordTexts, by: str, fill: str) -> WordTexts:
    """Whole words: each becomes the one so many places behind it."""
    if is_constant(by):
        count = min(int(by) // WORD_BITS, len(a))
        return a[count:] + (fill,) * count
    distance = 1
    while distance < len(a):
        asked = lines.binary("and", by, str(distance * WORD_BITS))
        stays = lines.compare("eq", asked, "0")
        a = choose(lines, stays, a, a[distance:] + (fill,) * distance)
        distance *= 2
    return a


def _shifted_within(lines: WordLines, upper: WordTexts, lower: WordTexts, by: str, funnel: str) -> WordTexts:
    """Less than a word: each result is cut out of two words that lie side by side."""
    word = f"i{WORD_BITS}"
    if not is_constant(by):
        call = f"call {word} @llvm.{funnel}.{word}"
        pairs = zip(upper, lower, strict=False)
        return tuple(lines.define(f"{call}({word} {one}, {word} {other}, {word} {by})") for one, other in pairs)
    bits = int(by) % WORD_BITS
    left, right = (bits, WORD_BITS - bits) if funnel == "fshl" else (WORD_BITS - bits, bits)
    if bits == 0:
        return upper if funnel == "fshl" else lower
    return tuple(
        lines.binary("or", lines.binary("shl", one, str(left)), lines.binary("lshr", other, str(right)))
        for one, other in zip(upper, lower, strict=False)
    )


# ---- widths


def cut(lines: WordLines, a: WordTexts, width: int) -> WordTexts:
    """The lowest bits, so many as the width says."""
    count, rest = -(-width // WORD_BITS), width % WORD_BITS
    if not rest:
        return a[:count]
    return (*a[: count - 1], lines.binary("and", a[count - 1], str((1 << rest) - 1)))


def with_sign(lines: WordLines, a: WordTexts, width: int) -> WordTexts:
    """The same number with the sign in all bits of the last word."""
    unused = -width % WORD_BITS
    if not unused:
        return a
    return (*a[:-1], lines.binary("ashr", lines.binary("shl", a[-1], str(unused)), str(unused)))


def sign_word(lines: WordLines, last: str) -> str:
    """All ones if a number with this last word is negative, else 0."""
    return lines.binary("ashr", last, str(WORD_BITS - 1))


def extended(a: WordTexts, count: int, fill: str) -> WordTexts:
    """The same words, and more behind them up to a count."""
    return tuple(word for word, _ in zip_longest(a, range(count), fillvalue=fill))[:count]


def constant(a: WordTexts, width: int) -> int | None:
    """The signed number that the words are, if all of them are constants."""
    if not all(map(is_constant, a)):
        return None
    bits = sum(int(word) << WORD_BITS * place for place, word in enumerate(a))
    return bits - (1 << width) if bits >> (width - 1) else bits
