"""Which pointers are arrays though nobody says so: a length stands beside them, or the code walks along them.

Read from unoptimised code, in which every parameter has a place of its own, called after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name
from untaken.unit.byte_lengths import is_length
from untaken.unit.debug_types import FunctionInfo
from untaken.unit.nulls import CALL, SAME, arguments, parameter_names
from untaken.unit.options import DEFAULT_ARRAY, Extent
from untaken.unit.parameter_uses import ParameterUses
from untaken.unit.types import Basic, CPointer, CVoid, Encoding, TypeTable

MOST_ELEMENTS = 16
MOST_TEXTS = 12
MOST_POINTERS = 4  # to anything else
MOST = {"texts": MOST_TEXTS, "pointers": MOST_POINTERS}
ENDED = 3  # pointers, the last of which is NULL
BYTES = 16  # behind a pointer to bytes that nothing gives a length to
FARTHEST = 256  # elements that constant indices may ask for
_LOAD = re.compile(r"^\s*(%[\w.$-]+) = load ptr, ptr (%[\w.$-]+)")
_STORE = re.compile(r"^\s*store ptr (%[\w.$-]+), ptr (%[\w.$-]+)")
# An element of numbers behind a pointer: its address, the pointer, the index.
_ELEMENT = re.compile(
    r"^\s*(%[\w.$-]+) = getelementptr (?:inbounds |nuw |nusw )*(?:i\d+|float|double|x86_fp80|ptr), ptr (%[\w.$-]+), "
    r"i\d+ (%[\w.$-]+|-?\d+)"
)


def guessed_arrays(
    info: FunctionInfo, table: TypeTable, walked: frozenset[str], no_lengths: frozenset[str]
) -> dict[str, Extent]:
    """Pointers to bytes, numbers or pointers: with the length that stands beside them, if one does. Pointers that are
    gone along (`walked`) end with NULL where nothing says how many there are."""
    names, types = info.parameters, info.signature.parameters
    parameters = list(zip(names, types, strict=True))
    lengths = [
        _is_integer(table, reference) and is_length(name) and name not in no_lengths for name, reference in parameters
    ]
    kinds = [_pointed_to(table, reference) for reference in types]
    found: dict[str, Extent] = {}
    for place, name in enumerate(names):
        kind = kinds[place]
        if kind is None:
            continue
        beside = next((near for near in _beside(place, kinds) if lengths[near]), None)
        if beside is not None:
            found[name] = Extent(MOST.get(kind, MOST_ELEMENTS), names[beside])
        elif kind == "bytes":
            found[name] = Extent(BYTES)
        elif kind in MOST and name in walked:
            found[name] = Extent(ENDED, ended=True)
    return found


def _beside(place: int, kinds: Sequence[str | None]) -> Iterator[int]:
    """What comes before a pointer counts that one only if there is no other before it, which it counts."""
    yield from [place + 1] if place + 1 < len(kinds) else []
    yield from [place - 1] if place and (place < 2 or kinds[place - 2] is None) else []


def _is_integer(table: TypeTable, reference: str) -> bool:
    found = table.plain(reference)
    return isinstance(found, Basic) and found.encoding in (Encoding.SIGNED, Encoding.UNSIGNED) and found.size >= 2


def _pointed_to(table: TypeTable, reference: str) -> str | None:
    """Bytes, numbers or text, if the pointer is to one of these."""
    pointer = table.plain(reference)
    found = table.plain(pointer.target) if isinstance(pointer, CPointer) else None
    match found:
        case CVoid():
            return "bytes"
        case Basic(encoding=Encoding.CHARACTER):
            return "text"
        case Basic(size=1):
            return "bytes"
        case Basic():
            return "numbers"
        case CPointer(target):
            inner = table.plain(target)
            text = isinstance(inner, Basic) and inner.encoding is Encoding.CHARACTER
            return "texts" if text else "pointers"
        case _:
            return None


def walked_arrays(functions: Iterable[FunctionText], info: FunctionInfo, table: TypeTable) -> dict[str, Extent]:
    """Pointers of a function to numbers, bytes or pointers that it, or what it calls, goes along. Text ends by itself.

    A length beside them stays any number: that it is one is not sure, and what checks it is to be covered, too.
    """
    facts = WalkFacts()
    facts.add(functions)
    walked, found = facts.uses.of(info.name), {}
    for name, reference in zip(info.parameters, info.signature.parameters, strict=True):
        kind = _pointed_to(table, reference)
        if name in walked and kind in ("bytes", "numbers"):
            usual = BYTES if kind == "bytes" else DEFAULT_ARRAY
            found[name] = Extent(max(usual, facts.farthest.get((info.name, name), 0) + 1))
        elif name in walked and kind in MOST:
            found[name] = Extent(ENDED, ended=True)
    return found


@dataclass(slots=True)
class WalkFacts:
    """Pointers that functions go along: they take an element other than the first, or go on to the next."""

    uses: ParameterUses = field(default_factory=ParameterUses)
    farthest: dict[tuple[str, str], int] = field(default_factory=dict)  # constant index

    def add(self, functions: Iterable[FunctionText]) -> None:
        """Looks at what each of these functions does with its pointers."""
        for function in functions:
            name = plain_name(function.name)
            self.uses.names[name] = parameter_names(function)
            walk = _FollowedPointers(name, self)
            for line in function.lines:
                walk.note(line)

    def note(self, function: str, parameter: str, index: str) -> None:
        """The address of an element is computed: of the first one that says nothing."""
        if index == "0":
            return
        place = function, parameter
        self.uses.used.add(place)
        if index.isdecimal() and int(index) < FARTHEST:
            self.farthest[place] = max(self.farthest.get(place, 0), int(index))


@dataclass(slots=True)
class _FollowedPointers:
    """Values and variables of one function that hold a pointer it was given, or one near to it."""

    function: str
    facts: WalkFacts
    _held: dict[str, str] = field(default_factory=dict)
    _slots: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._slots = {f"%{name}.addr": name for name in self.facts.uses.names[self.function] if name}

    def note(self, line: str) -> None:
        if (loaded := _LOAD.match(line)) is not None:
            if loaded[2] in self._slots:
                self._held[loaded[1]] = self._slots[loaded[2]]
        elif (stored := _STORE.match(line)) is not None:
            if stored[1] in self._held:
                self._slots.setdefault(stored[2], self._held[stored[1]])
        elif (element := _ELEMENT.match(line)) is not None:
            if element[2] in self._held:
                self.facts.note(self.function, self._held[element[2]], element[3])
                self._held[element[1]] = self._held[element[2]]
        elif (same := SAME.match(line)) is not None:
            if same[2] in self._held:
                self._held[same[1]] = self._held[same[2]]
        elif (called := CALL.search(line)) is not None:
            for position, value in enumerate(arguments(called)):
                if value in self._held:
                    self.facts.uses.hand_on((self.function, self._held[value]), plain_name(called[1]), position)
