"""Functions that only look: they write to nothing but their own variables, and call only such.

A test may call them to see what became of an object. Read from unoptimised code of all files of a project.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name

_OWN = re.compile(r"^\s*(%[\w.$-]+) = alloca\b")
_DERIVED = re.compile(r"^\s*(%[\w.$-]+) = (?:getelementptr [^,]*, ptr|bitcast ptr) (%[\w.$-]+)\b")
_STORE = re.compile(r"^\s*store (?:volatile )?.*, ptr (\S+?)(?:,|$)")
_CALLED = re.compile(r"(?<!%)\b(?:call|invoke)\b")  # no value that is named after one
_NAMED = re.compile(r'\bcall\b[^@(]*(?:\([^)]*\) )?@("[^"]*"|[-\w$.]+)\((.*)\)')
_INSIDE = re.compile(r"\bgetelementptr\b")  # of an object
_WRITES = re.compile(r"\b(?:atomicrmw|cmpxchg|va_arg)\b|\basm\b")
_FIRST = re.compile(r"ptr (?:[^%@,]*)([%@][\w.$-]+)")
FILLING = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
# Of the C library; what ends the program writes nothing either.
HARMLESS = frozenset((
    "__assert_fail", "__assert_rtn", "abort", "abs", "labs", "fabs", "floor", "ceil", "strlen", "strnlen", "strcmp",
    "strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr", "strstr", "memcmp", "memchr", "__ctype_b_loc",
    "__ctype_tolower_loc", "__ctype_toupper_loc", "tolower", "toupper", "isalpha", "isdigit", "isspace",
))  # fmt: skip


@dataclass(slots=True)
class LookingFacts:
    """By function: what it calls, or None if it writes something itself."""

    calls: dict[str, frozenset[str] | None] = field(default_factory=dict)
    seeing: set[str] = field(default_factory=set)  # functions that look at something

    def add(self, functions: Iterable[FunctionText]) -> None:
        """Functions of the same name in several files are taken together."""
        for function in functions:
            name, found = plain_name(function.name), _calls(function.lines)
            known = self.calls.get(name, frozenset())
            if found or any(_INSIDE.search(line) for line in function.lines):
                self.seeing.add(name)
            self.calls[name] = None if known is None or found is None else known | found

    def only_looks(self, function: str) -> bool:
        """Whether a call of it changes nothing, and is not the same whatever it is given."""
        if function not in self.seeing:
            return False
        seen, waiting = {function}, [function]
        while waiting:
            calls = self.calls.get(waiting.pop())
            if calls is None:
                return False
            fresh = {name for name in calls if name not in HARMLESS} - seen
            seen |= fresh
            waiting += sorted(fresh)
        return True


def _calls(lines: Iterable[str]) -> frozenset[str] | None:
    own: set[str] = set()
    called: set[str] = set()
    for line in lines:
        if (found := _OWN.match(line)) or ((found := _DERIVED.match(line)) and found[2] in own):
            own.add(found[1])
        elif (found := _STORE.match(line)) is not None:
            if found[1] not in own:
                return None
        elif _CALLED.search(line):
            name = _called(line, own)
            if name is None:
                return None
            called |= {name} if name else set()
        elif _WRITES.search(line):
            return None
    return frozenset(called)


def _called(line: str, own: set[str]) -> str | None:
    """Nothing for what the compiler has put in; None where a call writes, or nobody knows what is called."""
    found = _NAMED.search(line)
    if found is None:
        return None
    name = plain_name(found[1])
    if name.startswith(FILLING):
        filled = _FIRST.search(found[2])
        return "" if filled is not None and filled[1] in own else None
    return "" if name.startswith("llvm.") else name
