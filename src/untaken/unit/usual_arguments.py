"""What a project itself passes to its functions: `thing_open(path, "1.2", sizeof(struct thing))` makes a thing, and no
other version or size does. Constants only; the facts are read from unoptimised code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from untaken.build.ir.reader import FunctionText
from untaken.build.ir.strings import plain_name
from untaken.unit.nulls import CALL, arguments, parameter_names

Constant = int | bytes
_LOAD = re.compile(r"^\s*(%[\w.$-]+) = load [^,]+, ptr %([\w.$-]+)\.addr\b")
_NUMBER = re.compile(r"-?\d+$")
MOST = 6  # constants for one parameter


@dataclass(frozen=True, slots=True)
class Usual:
    """Constants for one parameter; `always`: no caller passes anything else."""

    constants: tuple[Constant, ...] = ()
    always: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(each for each in self.constants if isinstance(each, int))

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(each.decode() for each in self.constants if isinstance(each, bytes) and each.isascii())

    def is_not_counted_by(self, number: Usual) -> bool:
        """Whether these are texts, and the number that is passed beside them is not how long they are."""
        known = self.always and number.always and bool(self.texts) and bool(number.numbers)
        return known and min(number.numbers) > max(map(len, self.texts)) + 1


NOTHING = Usual()


@dataclass(slots=True)
class UsualArguments:
    """By function, number of arguments and position: what callers pass; None stands for what is no constant."""

    passed: dict[tuple[str, int, int], dict[Constant | None, None]] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of the parameters, by function

    def add(self, functions: Iterable[FunctionText], texts: Mapping[str, bytes]) -> None:
        """What a file says; `texts` are its string constants by name."""
        found = list(functions)
        self.names |= {plain_name(each.name): parameter_names(each) for each in found}
        for function in found:
            held: dict[str, str] = {}  # parameters that were loaded, by value
            for line in function.lines:
                if loaded := _LOAD.match(line):
                    held[loaded[1]] = loaded[2]
                elif called := CALL.search(line):
                    self._note(called, held, texts)

    def _note(self, called: re.Match[str], held: Mapping[str, str], texts: Mapping[str, bytes]) -> None:
        callee, values = plain_name(called[1]), arguments(called)
        for position, value in enumerate(values):
            known = self.passed.setdefault((callee, len(values), position), {})
            if _NUMBER.match(value):
                known[int(value)] = None
            elif value.startswith("@") and (text := texts.get(plain_name(value))) is not None:
                known[text] = None
            elif value not in held or not self._is_called(callee, position, held[value]):
                known[None] = None

    def _is_called(self, callee: str, position: int, name: str) -> bool:
        """Whether a caller hands on a parameter of its own by the same name: then its callers count."""
        names = self.names.get(callee, ())
        return position < len(names) and names[position] == name

    def of(self, function: str, count: int, position: int, name: str) -> Usual:
        """For a parameter; of a function that nobody calls, what all others are given for one of this name."""
        known = self.passed.get((function, count, position)) or self._by_name(name)
        constants = tuple(each for each in known if each is not None)
        return Usual(constants, None not in known) if 0 < len(constants) <= MOST else NOTHING

    def _by_name(self, name: str) -> dict[Constant | None, None]:
        """The constant that is given for every parameter of this name; empty if there are several."""
        found: dict[Constant | None, None] = {}
        for (function, count, position), known in self.passed.items():
            names = self.names.get(function, ())
            if len(names) == count and names[position] == name:
                found |= known
        return found if len(found) == 1 else {}


# For a function, the number of its arguments, a position and the name of the parameter there.
UsualOf = Callable[[str, int, int, str], Usual]


def nothing_usual(function: str, count: int, position: int, name: str) -> Usual:
    """Where no callers are known."""
    return NOTHING
