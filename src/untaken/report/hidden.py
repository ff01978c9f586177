"""What lost values hide: branches that were concrete whenever they were decided, and that read what is computed from
such a value.

The sources are read as text, as in stores.py, so this is a hint and no analysis: it follows names from line to line,
through returns to the lines of calls, and no pointers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from untaken.model.program import Branch, ProgramMap
from untaken.report.stores import StoredName, StoreIndex

MOST_LINES = 500  # that are followed from one place
NOWHERE = -1
_RETURN = re.compile(r"\breturn\b")


@dataclass(slots=True)
class _Reached:
    """What depends on a lost value: names with the function that they are local to or NOWHERE, functions, lines."""

    names: set[tuple[StoredName, int]] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    lines: set[tuple[int, int]] = field(default_factory=set)


class HiddenBranches:
    """Follows lost values to the branches among `concrete` that they may decide."""

    def __init__(self, program: ProgramMap, index: StoreIndex, concrete: Iterable[Branch]) -> None:
        self._program = program
        self._index = index
        self._conditions = [(branch, index.condition_of(branch)) for branch in concrete]

    def behind(self, function: int, lines: Sequence[int]) -> list[int]:
        """Ids of branches that may depend on what is computed on these lines of a function."""
        file = self._index.file_of(function)
        if file is None or not self._conditions:
            return []
        reached = self._followed(file, lines)
        return [int(branch.id) for branch, condition in self._conditions if self._depends(branch, condition, reached)]

    def _followed(self, file: int, lines: Sequence[int]) -> _Reached:
        reached = _Reached()
        waiting = [(file, line) for line in lines]
        while waiting and len(reached.lines) < MOST_LINES:
            place = waiting.pop()
            if place not in reached.lines:
                reached.lines.add(place)
                waiting += self._reading(place, reached)
        return reached

    def _reading(self, place: tuple[int, int], reached: _Reached) -> Iterable[tuple[int, int]]:
        """Lines that read what a line stores, or call the function that it returns from."""
        function = self._index.function_at(*place)
        for name in self._index.stored_on(*place):
            known = (name, function if self._index.is_local(name, function, place[0]) else NOWHERE)
            if known not in reached.names:
                reached.names.add(known)
                yield from self._index.lines_that_read(*known)
        if function >= 0 and _RETURN.search(self._index.text_of(*place)):
            called = self._program.functions[function].name
            if called not in reached.functions:
                reached.functions.add(called)
                yield from self._index.lines_that_call(called)

    def _depends(self, branch: Branch, condition: str, reached: _Reached) -> bool:
        file = self._index.file_of(branch.function)
        if (file, branch.location.line) in reached.lines and not self._index.names_in(condition):
            return True
        for name in self._index.names_in(condition):
            if (name, NOWHERE) in reached.names or (name, branch.function) in reached.names:
                return True
        return any(re.search(rf"\b{re.escape(name)}\s*\(", condition) for name in reached.functions)
