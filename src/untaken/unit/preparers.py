"""What comes before functions are of use: calls without arguments that set variables which those look at.

A page size that is zero until somebody asked for it, a table that is filled once: what earlier calls left in variables
of the file. And a locale other than C, for what looks at that, or an errno that callbacks leave. Read from unoptimised
code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name
from untaken.unit.shape import Preparer

MOST = 3  # of a function
LOCALE = Preparer('setlocale(LC_ALL, "C.UTF-8")', True, 'setlocale(LC_ALL, "C")', "locale.h")
LOCALE_READERS = frozenset(
    ("nl_langinfo", "__ctype_get_mb_cur_max", "mbrtowc", "mbtowc", "mbrlen", "wcrtomb", "wcwidth")
)
ERROR_NUMBER = "@__errno_location("
_INDIRECT = re.compile(r"\bcall\b[^@]* %[\w.$-]+\(")
_WRITTEN = re.compile(r'^\s*store [^@]*, ptr @("[^"]*"|[-\w$.]+)')
_READ = re.compile(r'^\s*%[\w.$-]+ = load [^@]*, ptr @("[^"]*"|[-\w$.]+)')
_NO_PARAMETERS = re.compile(r"\)? @(?:\"[^\"]*\"|[-\w$.]+)\(\)")


def preparers(function: str, functions: Mapping[str, FunctionText], reached: frozenset[str]) -> tuple[Preparer, ...]:
    """Those of a function of this file, which leads to what is `reached`; what it calls itself is none."""
    looked_at = {name for each in sorted(reached) if each in functions for name in _named(functions[each], _READ)}
    found = []
    for name, text in functions.items():
        if name in reached or name == function or not _NO_PARAMETERS.search(text.header) or not _returns(text):
            continue
        if not looked_at.isdisjoint(_named(text, _WRITTEN)):
            found.append(Preparer(f"{name}()", not text.header.startswith(("define internal", "define private"))))
    return tuple(found[:MOST])


def asks_callbacks(function: str, functions: Mapping[str, FunctionText], reached: frozenset[str]) -> bool:
    """Whether a function decides by what errno is after a callback, which may set it to anything."""
    own = [functions[name] for name in sorted(reached) if name in functions]
    asks = any(ERROR_NUMBER in line for line in functions[function].lines)
    return asks and any(_INDIRECT.search(line) for each in own for line in each.lines)


def locales(reached: Set[str]) -> tuple[Preparer, ...]:
    """Another locale, if what is reached depends on that."""
    return () if LOCALE_READERS.isdisjoint(reached) else (LOCALE,)


def _named(function: FunctionText, mentioned: re.Pattern[str]) -> set[str]:
    """Variables that a function reads, or writes."""
    return {plain_name(found[1]) for line in function.lines if (found := mentioned.match(line)) is not None}


def _returns(function: FunctionText) -> bool:
    return any(line.lstrip().startswith("ret ") for line in function.lines)
