"""The conditions of a decision as the source writes them, for those who name them.

The program map knows where a decision is and how many conditions it has, not how long they are. So the source is read
around that place: the largest expression of &&, || and ! there, whose operands are the conditions. Where the two do
not have the same number, macros say, nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from untaken.model.program import Location

CLOSING = {"(": ")", "[": "]", "{": "}"}
OPENING = {closing: opening for opening, closing in CLOSING.items()}
NEAR = 80  # characters in which an operator or a word before brackets is looked for
_HIDDEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M
)
_ASSIGNMENT = re.compile(r"(?<![=!<>])=(?!=)")
_KEYWORD = re.compile(r"(?:for|while|if|switch)\s*\(")
_WORD_BEFORE = re.compile(r"(\w+)\s*$")


def condition_texts(places: Sequence[Location]) -> tuple[str, ...] | None:
    """Of a decision whose conditions are at these places, in the order of evaluation; None if the source does not say
    them one by one."""
    text = _source(places[0].file)
    first = min((place.line, place.column) for place in places)
    start = _offset(text, *first)
    if start is None:
        return None
    plain = _without_hidden(text)
    begin, end = _decision(plain, start)
    found = [(a, b) for a, b in _leaves(plain, begin, end) if a < b]
    if len(found) != len(places):
        return None
    return tuple(" ".join(text[a:b].split()) for a, b in found)


@lru_cache(maxsize=16)
def _source(file: str) -> str:
    try:
        return Path(file).read_text(errors="replace")
    except OSError:
        return ""


@lru_cache(maxsize=16)
def _without_hidden(text: str) -> str:
    """Comments and directives as blanks of the same length, strings as underscores: they contain no code."""
    return _HIDDEN.sub(lambda found: re.sub(r"[^\n]", "_" if found[0][0] in "\"'" else " ", found[0]), text)


def _offset(text: str, line: int, column: int) -> int | None:
    lines = text.split("\n")
    if not 1 <= line <= len(lines) or not 1 <= column <= len(lines[line - 1]):
        return None
    return sum(len(each) + 1 for each in lines[: line - 1]) + column - 1


def _decision(text: str, place: int) -> tuple[int, int]:
    """The largest expression of && and || around a place: outwards while what is in brackets is an operand.

    The place of a loop may be that of its keyword."""
    if keyword := _KEYWORD.match(text, place):
        end = _closing(text, keyword.end() - 1)
        parts = list(_split(text, keyword.end(), end, ";"))
        return parts[1] if len(parts) == 3 else (keyword.end(), end)
    begin, end = _surroundings(text, place)
    while begin and text[begin - 1] == "(" and _is_operand(text, begin - 1, end):
        begin, end = _surroundings(text, begin - 1)
    return begin, end


def _surroundings(text: str, place: int) -> tuple[int, int]:
    """The part of a statement, an argument or the inside of brackets that a place lies in."""
    begin, depth = place, 0
    while begin and not (depth == 0 and text[begin - 1] in "([{;,}?:"):
        depth += (text[begin - 1] in ")]") - (text[begin - 1] in "([")
        begin -= 1
    end, depth = place, 0
    while end < len(text) and not (depth == 0 and text[end] in ")]};,?:{"):
        depth += (text[end] in "([") - (text[end] in ")]")
        end += 1
    return _without_start(text, begin, end), end


def _without_start(text: str, begin: int, end: int) -> int:
    """Behind `return`, an assignment or a declaration."""
    part = text[begin:end]
    if word := re.match(r"\s*return\b", part):
        return begin + word.end()
    level = 0
    for place, letter in enumerate(part):
        level += (letter in "([") - (letter in ")]")
        if letter == "=" and level == 0 and _ASSIGNMENT.match(part, place):
            return begin + place + 1
    return begin


def _is_operand(text: str, opening: int, closing: int) -> bool:
    """Whether brackets only group: an operand of &&, || or !, or of nothing at all."""
    word = _WORD_BEFORE.search(text, max(0, opening - NEAR), opening)
    if word is not None and word[1] != "return":
        return False
    before, after = text[max(0, opening - NEAR) : opening].rstrip(), text[closing + 1 : closing + NEAR].lstrip()[:2]
    return before.endswith(("&&", "||", "!", "(")) or after in ("&&", "||")


def _leaves(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The operands, from left to right."""
    begin, end = _trimmed(text, begin, end)
    for operator in ("||", "&&"):
        parts = list(_split(text, begin, end, operator))
        if len(parts) > 1:
            for part in parts:
                yield from _leaves(text, *part)
            return
    inner = begin + 1 if text[begin : begin + 1] == "!" else begin
    inner, _ = _trimmed(text, inner, end)
    if text[inner : inner + 1] == "(" and _closing(text, inner) == end - 1:
        grouped = text[inner:end]
        if inner == begin or "&&" in grouped or "||" in grouped:
            yield from _leaves(text, inner + 1, end - 1)
            return
    yield begin, end


def _trimmed(text: str, begin: int, end: int) -> tuple[int, int]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    return begin, end


def _split(text: str, begin: int, end: int, operator: str) -> Iterator[tuple[int, int]]:
    depth, start, place = 0, begin, begin
    while place < end:
        depth += (text[place] in CLOSING) - (text[place] in OPENING)
        if depth == 0 and text.startswith(operator, place):
            yield start, place
            start = place = place + len(operator)
        else:
            place += 1
    yield start, end


def _closing(text: str, opening: int) -> int:
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] in CLOSING) - (text[place] in OPENING)
        if depth == 0:
            return place
    return -1
