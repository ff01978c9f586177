"""Labels that a large function asks for all over: they have a home in its frame, and are read from there.

LLVM looks through all conditions on a value wherever it meets the value, and through all copies of a register whenever
it changes one: in a function of 1,500 ifs, that was half of the time to compile it.
"""

from __future__ import annotations

from collections import Counter

_MANY_TESTS = 64  # of one label


class Homes:
    """Counts how many tests name a label of one function."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()

    def asked_too_often(self, name: str) -> str | None:
        """One more test names a label: the home that it is to be read from, if it has one now."""
        self._asked[name] += 1
        return None if self._asked[name] <= _MANY_TESTS else _home(name)

    def definitions(self) -> list[str]:
        """The homes, as lines for the function's frame."""
        return [f"  {_home(name)} = alloca i32, align 4" for name in self._with_home()]

    def with_stores(self, lines: list[str]) -> list[str]:
        """The lines of the body, with stores of the labels that have a home: behind the definition of each."""
        definitions = {f"  {name} = ": name for name in self._with_home()}
        if not definitions:
            return lines
        finished: list[str] = []
        waiting: list[str] = []  # until the phis of the block are over
        for line in lines:
            if " = phi " not in line and waiting:
                finished += waiting
                waiting = []
            finished.append(line)
            name = definitions.get(line[: line.find(" = ") + 3])
            if name is not None:
                waiting.append(f"  store volatile i32 {name}, ptr {_home(name)}, align 4")
        return finished

    def _with_home(self) -> list[str]:
        return [name for name, count in self._asked.items() if count > _MANY_TESTS]


def _home(name: str) -> str:
    """The place in the frame where a label is kept."""
    return f"%$.home{name.removeprefix('%$.')}"
