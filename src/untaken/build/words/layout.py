"""Where clang before 18 puts integers of more than 64 bits in memory: at multiples of 8 bytes, and not of 16 as now.

LLVM reads what such a clang wrote as if it were its own. So a struct with a run of bit-fields in it would be laid out
anew, and not as sizes, copies and other compilers have it. WordTexts in the place of such an integer keep it as it was.
"""

from __future__ import annotations

import re
from dataclasses import replace

from untaken.build.ir.reader import FunctionText, ModuleText, read_types
from untaken.build.ir.types import WORD_BITS, Array, Integer, Struct, Type
from untaken.build.words.lines import words_of_constant

_TYPE_NAME = re.compile(r'%(?:"[^"]*"|[-\w$.]+)')
_ALIGNED_16 = "-i128:128"  # in the description of a layout, behind what is said of words
_BEFORE = "-i64:64"
_VERSION = re.compile(rb"clang version (\d+)\.")
_FIRST_WITH_16 = 18
_MORE_THAN_A_WORD = re.compile(r"(?<![\w.%@\"$-])i(6[5-9]|[7-9]\d|[1-9]\d{2,})\b")
_NUMBER = re.compile(_MORE_THAN_A_WORD.pattern + r" (-?\d+)\b")
# Of more than 128 bits, in the types that addresses are computed with and arguments are copied by.
_STEPPED_OVER = re.compile(r"\bgetelementptr [^@%]*?(?=, ptr )|\b(?:byval|sret)\([^()]*\)")
_LARGE = re.compile(r"(?<![\w.%@\"$-])i(129|1[3-9]\d|[2-9]\d\d|[1-9]\d{3,})\b")


def written_layout(bitcode: bytes, layout: str) -> str:
    """The layout that the compiler had in mind; `layout` is what LLVM makes of it."""
    is_old = any(int(version) < _FIRST_WITH_16 for version in _VERSION.findall(bitcode))
    return layout.replace(_ALIGNED_16, "") if is_old else layout


def keep_old_layout(module: ModuleText) -> None:
    """Gives an old module the layout of today, and words to types that would else lie in memory in another way."""
    place = next((at for at, line in enumerate(module.preamble) if line.startswith("target datalayout")), None)
    if place is None or _ALIGNED_16 in module.preamble[place]:
        return
    module.preamble[place] = module.preamble[place].replace(_BEFORE, _BEFORE + _ALIGNED_16)
    if any(_MORE_THAN_A_WORD.search(line) for line in module.preamble if line[0] == "%"):
        _keep_types(module)
    module.functions = [_kept_steps(function) for function in module.functions]


def _keep_types(module: ModuleText) -> None:
    bodies = {name: body for name, word, body in (line.partition(" = type ") for line in module.preamble) if word}
    types = read_types(module.preamble)
    other = _with_parts({name for name in bodies if _is_laid_out_anew(types.get(name, Struct(())))}, bodies)
    module.preamble = [_kept_type(line, other) for line in module.preamble]


def _is_laid_out_anew(kind: Type) -> bool:
    """Whether a struct would lie in memory in another way with words for the integers in it."""
    words = _in_words(kind)
    assert isinstance(kind, Struct) and isinstance(words, Struct)
    return (words.offsets, words.size) != (kind.offsets, kind.size)


def _in_words(kind: Type) -> Type:
    if isinstance(kind, Integer) and kind.width > WORD_BITS:
        return Array(-(-kind.width // WORD_BITS), Integer(WORD_BITS))
    if isinstance(kind, Struct):
        return Struct(tuple(map(_in_words, kind.elements)), kind.packed)
    return Array(kind.count, _in_words(kind.element)) if isinstance(kind, Array) else kind


def _with_parts(names: set[str], bodies: dict[str, str]) -> set[str]:
    """Types, and those that they are made of."""
    waiting, found = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in bodies and name not in found:
            found.add(name)
            waiting += _TYPE_NAME.findall(bodies[name])
    return found


def _kept_type(line: str, other: set[str]) -> str:
    """A line of the preamble: the definition of a type, or a variable whose initial value is of such a type."""
    name, word, body = line.partition(" = type ")
    if word:
        return f"{name}{word}{_MORE_THAN_A_WORD.sub(_words, body)}" if name in other else line
    if line[0] != "@" or not _MORE_THAN_A_WORD.search(line) or other.isdisjoint(_TYPE_NAME.findall(line)):
        return line
    return _MORE_THAN_A_WORD.sub(_words, _NUMBER.sub(_words_of_number, line))


def _words_of_number(match: re.Match[str]) -> str:
    words = ", ".join(f"i{WORD_BITS} {word}" for word in words_of_constant(int(match[2]), int(match[1])))
    return f"{_words(match)} [{words}]"


def _words(match: re.Match[str]) -> str:
    return f"[{-(-int(match[1]) // WORD_BITS)} x i{WORD_BITS}]"


def _kept_steps(function: FunctionText) -> FunctionText:
    if not any(map(_LARGE.search, (function.header, *function.lines))):
        return function
    header, *lines = (_STEPPED_OVER.sub(_in_type, line) for line in (function.header, *function.lines))
    return replace(function, header=header, lines=tuple(lines))


def _in_type(match: re.Match[str]) -> str:
    return _LARGE.sub(_words, match[0])
