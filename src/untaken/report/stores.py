"""For conditions that were concrete whenever they were decided: what they read, and where that is stored.

The source is read as text, so this is a hint and no analysis: it follows no pointers and no macros. It answers what a
person asks first: who sets this variable?
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from untaken.campaign.source_text import code_only, function_spans
from untaken.model.program import Branch, BranchKind, Function, ProgramMap

MOST_NAMES = 4  # of one condition
MOST_STORES = 6  # of one name
LONGEST_CONDITION = 400
_PATH = r"[A-Za-z_]\w*(?:\s*\[[^\[\]]*\]|\s*(?:->|\.)\s*[A-Za-z_]\w*)*"
_STORE = re.compile(
    rf"\b(?:asm|__asm|__asm__)\b[^;:]*:\s*\(\s*(?P<output>{_PATH})\s*\)"
    rf"|(?:\+\+|--)\s*(?P<before>{_PATH})"
    rf"|(?<![&\w)\]])&\s*(?P<address>{_PATH})\s*(?=[,)])"
    rf"|(?<![\w)\]])\.\s*(?P<designated>{_PATH})\s*=(?!=)"
    rf"|(?P<after>{_PATH})\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)"
)
_READ = re.compile(rf"(?P<path>{_PATH})(?P<call>\s*\()?")
_BEGINS = re.compile(r"&&|\|\||[;{}]|(?<![=!<>])=(?!=)|\b(?:if|while|return)\b\s*\(?")
_WORD = re.compile(r"[A-Za-z_]\w*")
_LOGICAL = re.compile(r"&&|\|\|")
_WORDS = frozenset("sizeof return if while for do switch case int char long short unsigned signed const struct".split())


class StoredName(NamedTuple):
    """The last name of what is stored or read, and whether it is a member of something."""

    name: str
    member: bool


class StorePlace(NamedTuple):
    """Where something is stored: `function` is an index of the program map, or -1."""

    file: int
    line: int
    function: int


@dataclass(frozen=True, slots=True)
class ReadName:
    """Something that a condition reads."""

    text: str  # as it stands there
    places: tuple[StorePlace, ...]
    more: bool  # there are other places, too
    parameter: bool  # of the function: who calls it decides


class StoreIndex:
    """All places of a program's sources where something is stored, by the last name of what is."""

    def __init__(self, program: ProgramMap, files: Sequence[str], sources: Sequence[str | None]) -> None:
        self._program = program
        self._files = {file: number for number, file in enumerate(files)}
        self._code = [code_only(text or "").split("\n") for text in sources]
        self._spans = [self._functions_of(file, sources[number] or "") for file, number in self._files.items()]
        self._stores: dict[StoredName, list[StorePlace]] = {}
        self._on_line: dict[tuple[int, int], list[StoredName]] = {}
        for number in range(len(files)):
            self._read(number)

    def read_by(self, branch: Branch) -> tuple[ReadName, ...]:
        """What the condition of a branch reads, as far as its text says."""
        file = self._files.get(branch.location.file)
        if file is None or branch.kind is BranchKind.CASE or not branch.location.line:
            return ()
        names = dict.fromkeys(_names(self.condition_of(branch)))
        return tuple(self._name(text, branch.function, file) for text in list(names)[:MOST_NAMES])

    def _functions_of(self, file: str, text: str) -> list[tuple[int, int, int]]:
        """First line, last line, index."""
        own = {each.location.line: each.index for each in self._program.functions if each.location.file == file}
        spans = function_spans(text, sorted(line for line in own if line))
        return [(first, last, own[start]) for start, (first, last) in spans.items()]

    def _read(self, file: int) -> None:
        for number, line in enumerate(self._code[file], 1):
            for match in _STORE.finditer(line):
                name = _stored(match)
                place = StorePlace(file, number, self.function_at(file, number))
                self._stores.setdefault(name, []).append(place)
                self._on_line.setdefault((file, number), []).append(name)

    def function_at(self, file: int, line: int) -> int:
        """The index of the function that a line belongs to, or -1."""
        return next((index for first, last, index in self._spans[file] if first <= line <= last), -1)

    def condition_of(self, branch: Branch) -> str:
        """The text of a condition, as far as it can be told."""
        file = self._files.get(branch.location.file)
        known = file is not None and branch.location.line > 0
        return self._condition(branch, file) if known and file is not None else ""

    def _condition(self, branch: Branch, file: int) -> str:
        """The operand of && and || that it is about. Compilers place it at its beginning, at its operator, or at the
        && before it; older ones place the last of a condition at the beginning of the whole."""
        line, column = branch.location.line, branch.location.column
        before = "\n".join([*self._code[file][max(0, line - 4) : line - 1], ""])
        text = before + "\n".join(self._code[file][line - 1 : line + 3])
        place = len(before) + max(0, column - 1)
        if text[place : place + 2] in ("&&", "||"):
            place += 2
        begin = max((match.end() for match in _BEGINS.finditer(text, 0, place)), default=0)
        rest = text[begin : _closing(text, place)]
        whole = branch.kind is not BranchKind.LOGICAL and not text[begin:place].strip(" (")
        parts = _LOGICAL.split(rest)
        return parts[-1] if whole else parts[0]

    def _name(self, text: str, function: int, file: int) -> ReadName:
        key = _key(text)
        places = self._stores.get(key, [])
        local = self.is_local(key, function, file)
        own = [place for place in places if not local or place.function == function]
        parameter = local and self._is_parameter(key[0], self._program.functions[function], file)
        return ReadName(text, tuple(own[:MOST_STORES]), len(own) > MOST_STORES, parameter)

    def file_of(self, function: int) -> int | None:
        """The number of the file that a function is in."""
        return self._files.get(self._program.functions[function].location.file)

    def text_of(self, file: int, line: int) -> str:
        """A line without comments and strings."""
        return self._code[file][line - 1] if 0 < line <= len(self._code[file]) else ""

    def stored_on(self, file: int, line: int) -> list[StoredName]:
        """The names that a line stores to, in order."""
        return self._on_line.get((file, line), [])

    def names_in(self, text: str) -> list[StoredName]:
        """The names that an expression reads, in order."""
        return [_key(name) for name in _names(text)]

    def lines_that_read(self, name: StoredName, function: int) -> Iterator[tuple[int, int]]:
        """All lines with a name that is more than what they store; those of one function, or -1: all."""
        for file, line in self._lines_by_word.get(name.name, ()):
            if function in (-1, self.function_at(file, line)):
                rest = _STORE.sub(" ", self.text_of(file, line))
                if re.search(rf"\b{name.name}\b", rest) or (file, line) not in self._on_line:
                    yield file, line

    def lines_that_call(self, function: str) -> Iterator[tuple[int, int]]:
        """All lines with a name before a bracket, but for the function's own."""
        call = re.compile(rf"\b{re.escape(function)}\s*\(")
        for file, line in self._lines_by_word.get(function, ()):
            if self.function_at(file, line) >= 0 and call.search(self.text_of(file, line)):
                yield file, line

    @cached_property
    def _lines_by_word(self) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = {}
        for file, lines in enumerate(self._code):
            for number, line in enumerate(lines, 1):
                for word in set(_WORD.findall(line)):
                    found.setdefault(word, []).append((file, number))
        return found

    def is_local(self, name: StoredName, function: int, file: int) -> bool:
        """Whether a function declares it."""
        return not name.member and function >= 0 and self._declares(name.name, function, file)

    def _declares(self, name: str, function: int, file: int) -> bool:
        others = r"(?:\w+\s*(?:=[^;,]*)?,\s*\**)*"  # declared before it with the same type
        declared = re.compile(rf"\b(?!return\b|else\b|case\b|goto\b)\w+[\s*]+{others}{name}\b\s*[;,=)\[]")
        return any(name in line and declared.search(line) for line in self._lines_of(function, file))

    def _is_parameter(self, name: str, function: Function, file: int) -> bool:
        head = "\n".join(self._lines_of(function.index, file)).partition("{")[0]
        return bool(re.search(rf"\b{name}\b", head))

    def _lines_of(self, function: int, file: int) -> Iterable[str]:
        for first, last, index in self._spans[file]:
            if index == function:
                return self._code[file][first - 1 : last]
        return ()


def _stored(match: re.Match[str]) -> StoredName:
    """What a match of _STORE stores; an initialiser names a member without what it is a member of."""
    if match["designated"]:
        return StoredName(_key(match["designated"]).name, member=True)
    return _key(match["output"] or match["before"] or match["address"] or match["after"])


def _closing(text: str, place: int) -> int:
    """Where the bracket around a place is closed, or the statement ends."""
    depth = 0
    for end in range(place, min(len(text), place + LONGEST_CONDITION)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth < 0 or text[end] in ";?{":
            return end
    return min(len(text), place + LONGEST_CONDITION)


def _names(condition: str) -> Iterator[str]:
    """What is read: no calls, no constants as they are mostly written, no types."""
    for match in _READ.finditer(condition):
        path = re.sub(r"\s+", "", match["path"])
        if not match["call"] and path not in _WORDS and not (path.isupper() and len(path) > 1):
            yield path


def _key(path: str) -> StoredName:
    parts = re.split(r"->|\.", re.sub(r"\[[^\[\]]*\]|\s", "", path))
    return StoredName(parts[-1], len(parts) > 1)
