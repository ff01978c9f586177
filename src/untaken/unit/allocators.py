"""Which allocations may fail and be lived through: those whose NULL the code answers.

Code for when memory runs out is covered only if an allocation fails. That is worth trying where something is done
about it: the result is compared with NULL, or handed on to the caller. Where the program ends with a message
(`xmalloc`), there is nothing behind it to be covered. Read from unoptimised code, in which every variable has a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name
from untaken.unit.nulls import CALL, MEMBER, NULL, SAME, bare_struct, note_same

ALLOCATE = frozenset(("malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "strdup", "strndup"))
_RESULT = re.compile(r"^\s*(%[\w.$-]+) = ")
_LOAD = re.compile(r"^\s*(%[\w.$-]+) = load ptr, ptr (%[\w.$-]+)\b")
_STORE = re.compile(r"^\s*store ptr (%[\w.$-]+), ptr (%[\w.$-]+)\b")
_COMPARED = re.compile(rf"^\s*(%[\w.$-]+) = icmp (eq|ne) ptr (%[\w.$-]+), {NULL}\b")
_BRANCH = re.compile(r"^\s*br i1 (%[\w.$-]+), label %([\w.$-]+), label %([\w.$-]+)")
_RETURN = re.compile(r"^\s*ret ptr (%[\w.$-]+)")
_LABEL = re.compile(r"^([\w.$-]+):")
_ENDS = re.compile(r"^\s*unreachable\b")


class NullAnswer(Enum):
    """What a function that allocates does about NULL."""

    GIVEN = "given"  # it goes on, or tells its caller
    DEADLY = "deadly"  # it ends the program
    NONE = "none"  # it never looks


@dataclass(slots=True)
class AllocatorFacts:
    """Of all files of a project, by the name of the file: what its functions do that allocate memory."""

    answers: dict[str, dict[str, NullAnswer]] = field(default_factory=dict)

    def add(self, file: str, functions: Mapping[str, FunctionText]) -> None:
        """Adds what the functions of one file do about NULL."""
        deadly = frozenset(name for name, function in functions.items() if _never_returns(function))
        found = {name: _answer(function, deadly) for name, function in functions.items()}
        self.answers[file] = {name: answer for name, answer in found.items() if answer is not None}

    def survives(self, file: str) -> bool:
        """Whether allocations of a file may fail: something is done about it, and nowhere is it the program's end."""
        found = self.answers.get(file, {}).values()
        return NullAnswer.GIVEN in found and NullAnswer.DEADLY not in found

    def may_run_out(self, reached: Iterable[str]) -> bool:
        """Whether one of these functions makes an allocation that may fail."""
        names = {name for file, found in self.answers.items() if self.survives(file) for name in found}
        return not names.isdisjoint(reached)


def _never_returns(function: FunctionText) -> bool:
    return not any(line.lstrip().startswith("ret ") for line in function.lines)


def _answer(function: FunctionText, deadly: frozenset[str]) -> NullAnswer | None:
    """None for a function that allocates nothing itself."""
    known = _FollowedResults()
    for line in function.lines:
        known.note(line)
    if not known.allocates:
        return None
    if not known.nulls.isdisjoint(_deadly_blocks(function.lines, deadly)):
        return NullAnswer.DEADLY
    return NullAnswer.GIVEN if known.compared or (known.returned and not known.used) else NullAnswer.NONE


def _deadly_blocks(lines: Iterable[str], deadly: frozenset[str]) -> set[str]:
    found, label = set(), ""
    for line in lines:
        if begins := _LABEL.match(line):
            label = begins[1]
        called = CALL.search(line)
        if _ENDS.match(line) or (called is not None and plain_name(called[1]) in deadly):
            found.add(label)
    return found


@dataclass(slots=True)
class _FollowedResults:
    """Where the results of allocations go within a function."""

    allocates: bool = False
    compared: bool = False
    returned: bool = False
    used: bool = False  # as if it led somewhere
    nulls: set[str] = field(default_factory=set)  # blocks that are entered with NULL
    _held: dict[str, bool] = field(default_factory=dict)  # values that are such results
    _slots: set[object] = field(default_factory=set)  # places that have one
    _members: dict[str, tuple[str, int]] = field(default_factory=dict)  # addresses of members
    _conditions: dict[str, bool] = field(default_factory=dict)  # whether true means NULL

    def note(self, line: str) -> None:
        if (called := CALL.search(line)) is not None:
            result = _RESULT.match(line)
            if result is not None and plain_name(called[1]) in ALLOCATE:
                self.allocates = self._held[result[1]] = True
        elif (stored := _STORE.match(line)) is not None:
            self.used |= stored[2] in self._held
            if stored[1] in self._held:
                self._slots.add(self._place(stored[2]))
        elif (loaded := _LOAD.match(line)) is not None:
            if self._place(loaded[2]) in self._slots:
                self._held[loaded[1]] = True
        elif same := SAME.match(line):
            note_same(same, self._held)
        elif (address := MEMBER.match(line)) is not None:
            self.used |= address[3] in self._held
            self._members[address[1]] = (bare_struct(address[2]), int(address[4]))
        else:
            self._note_use(line)

    def _note_use(self, line: str) -> None:
        if (compared := _COMPARED.match(line)) is not None and compared[3] in self._held:
            self.compared = True
            self._conditions[compared[1]] = compared[2] == "eq"
        elif (branch := _BRANCH.match(line)) is not None and branch[1] in self._conditions:
            self.nulls.add(branch[2] if self._conditions[branch[1]] else branch[3])
        elif (returned := _RETURN.match(line)) is not None and returned[1] in self._held:
            self.returned = True

    def _place(self, address: str) -> object:
        """A member of a struct is the same place wherever its address is computed."""
        return self._members.get(address, address)
