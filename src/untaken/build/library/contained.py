"""Which programs leave nothing behind but memory and open files: then one process can be used for many runs
(runtime/process/reuse.c).

A program is contained if all that it calls is its own, instrumented code, or a library function that computes,
allocates, reads and writes, or changes signal handlers, masks and the folder, which are put back. (What the files hold
is another matter: see execute/copies.py.)

Functions that leave more behind are in most programs but called in few of their runs: mmap by a handler of stack
overflows, fork by a shell. Where such a function is called by its name, the program notes that it does so, and a
process that has noted it has no further run. Assembly is noted likewise, unless its text is empty: that only keeps
compilers from moving code. Which functions are which: contained_functions.py. Functions of other libraries are noted
when the program is linked: noted_calls.py. Of functions that a unit only declares it is noted where code takes their
address, since from then on they may be called anywhere; most turn out to be functions of the program once it is linked,
and the note says nothing. An address in the program's data is one that it always has. What is mapped is noted by the
models of mmap and munmap: memory that the process has for itself is given back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from untaken.build.library.contained_functions import (
    ABOUT_PROCESSORS,
    ASKS_PROCESSORS,
    CHANGES_PROCESS,
    HANDLES_FILES,
    LEAVES_TRACES,
    MAPS,
    PURE,
    QUESTIONS,
)
from untaken.model.program import Containment

_INTERFACES = ("llvm.", "untaken_", "klee_", "__VERIFIER_", "__Crest")
_MODEL = "untaken_model_"
_LOCALE = "setlocale"
_ENTRIES = frozenset({"main", "LLVMFuzzerTestOneInput"})
# Before the name of a function, if all that is done with it is to call it: one whose calls are noted, or any other.
_NOTE, _CALLED = "noted:", "called:"
_TAKEN = "taken:"  # and of one whose address is taken in code, which is noted
_CALL = re.compile(r"^\s*(?:%\S+ = )?(?:\w+ )?call [^@]*@[\w.]+\(")
_EMPTY_ASSEMBLY = re.compile(r"\basm (?:sideeffect |alignstack |inteldialect |unwind )*\"\",")
# Beside functions, what a unit may have that is known by no name.
ASSEMBLY, UNTRACKED, FOREIGN_MAIN = "assembly", "a function that is not instrumented", "a main that is not instrumented"


def outside(declared: Iterable[str], lines: list[str], noted: frozenset[str] = frozenset()) -> list[str]:
    """Of the functions that a unit uses but does not define: those that do more than compute, or another's own.

    There is a mark at those that are only called: nothing in the lines takes their address, or what does is noted.
    """
    names = _not_pure(declared)
    if not names:
        return []
    named = naming(names)
    used: set[str] = set()
    taken: set[str] = set()
    for line in lines:
        used.update(named.findall(line) if "@" in line else ())
        taken.update(_taken(named, line))
    kept = taken - noted
    return [
        name if name in kept else _TAKEN + name if name in noted else _marked(name) for name in names if name in used
    ]


def taken_in_code(declared: Iterable[str], code: Iterable[str], data: Iterable[str]) -> frozenset[str]:
    """Functions that nobody here knows whose addresses are taken by instructions alone, so that these can be noted."""
    names = [name for name in _not_pure(declared) if _marked(name) == _CALLED + name]
    if not names:
        return frozenset()
    named = naming(names)
    elsewhere = {name for line in data if "@" in line for name in named.findall(line)}
    return frozenset({name for line in code for name in _taken(named, line)} - elsewhere)


def naming(names: Iterable[str]) -> re.Pattern[str]:
    """What finds these functions in a line."""
    return re.compile(rf"@(?:{_MODEL})?({'|'.join(map(re.escape, names))})(?![-\w$.])")


def _not_pure(declared: Iterable[str]) -> list[str]:
    plain = (name.removeprefix(_MODEL) for name in declared)
    return sorted({name for name in plain if name not in PURE and not name.startswith(_INTERFACES)})


def _taken(named: re.Pattern[str], line: str) -> list[str]:
    """The functions whose addresses a line takes: all but the one that it calls."""
    if "@" not in line or not (found := named.findall(line)):
        return []
    call = _CALL.match(line)
    return named.findall(line, call.end()) if call and named.search(call[0]) else found


def _marked(name: str) -> str:
    if name in HANDLES_FILES or name in CHANGES_PROCESS:
        return name
    return (_NOTE if name in LEAVES_TRACES else _CALLED) + name


def still_called(names: Iterable[str], linked: set[str]) -> list[str]:
    """Without functions that are not in the linked program at all: they were in code that is never run."""
    return [
        name for name in names if (bare := name.removeprefix(_CALLED).removeprefix(_TAKEN)) == name or bare in linked
    ]


def only_called(names: Iterable[str]) -> set[str]:
    """Of what units use and do not define: functions that nobody here knows, and that all of them only call."""
    found = set(names)
    return {
        name
        for each in found
        if (name := each.removeprefix(_CALLED)) != each and name not in found and _TAKEN + name not in found
    }


def leaves_traces(callee: str, arguments: list[str]) -> bool:
    """Whether a call by name is to be noted; an argument is a number where it is a constant."""
    name = callee.removeprefix(_MODEL)
    second = arguments[1] if len(arguments) > 1 else ""
    question = second.isdigit() and int(second) in QUESTIONS.get(name, ())
    return name in LEAVES_TRACES - MAPS and not question


def does_nothing(assembly: str) -> bool:
    """Whether a line with assembly in it has no instruction there."""
    return bool(_EMPTY_ASSEMBLY.search(assembly))


def containment(
    called: Iterable[str], defined: Iterable[str], libraries: Iterable[str], noted: frozenset[str] = frozenset()
) -> Containment:
    """That of a program of such units, which notes calls of some functions, with libraries that are in the way."""
    own = frozenset(defined)
    uses = set(called)
    taken = {name.removeprefix(_TAKEN) for name in uses if name.startswith(_TAKEN)} - own
    left = {name.removeprefix(_CALLED) for name in uses if not name.startswith(_TAKEN)} - own
    others = left - CHANGES_PROCESS - ASKS_PROCESSORS
    unknown = {name for name in others - HANDLES_FILES - noted if not name.startswith(_NOTE)}
    obstacles = [*sorted(unknown), *sorted(libraries)]
    if own.isdisjoint(_ENTRIES):
        obstacles.append(FOREIGN_MAIN)
    return Containment(
        not obstacles,
        bool(obstacles or others or taken),
        not CHANGES_PROCESS.isdisjoint(left),
        _LOCALE in left,
        about_processors=not ABOUT_PROCESSORS.isdisjoint(name.removeprefix(_NOTE) for name in left),
        takes_addresses=bool(taken),
        obstacles=tuple(obstacles),
        strangers=tuple(sorted(unknown - LEAVES_TRACES)) + (FOREIGN_MAIN,) * own.isdisjoint(_ENTRIES),
    )
