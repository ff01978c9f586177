"""Where values that depend on the input were given up for their concrete ones: places of the source, read off traces.

The runtime tells some places of each run (struct untaken_place in runtime/abi.h): a line where it knows one, and always
how far the run had come. Pinned addresses are constraints, and tell that, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from untaken.model.distinct import first_places
from untaken.model.path import CONCRETISED_KINDS, PLACE_DTYPE, ConstraintKind, Path
from untaken.model.program import BranchId, Function, ProgramMap

PIN = "pin"
LOOKED_BACK = 4096  # events, for the call that is open
_PIN = int(ConstraintKind.PIN)


class LostPlace(NamedTuple):
    """What a value was lost to, in which function, and on which line. If that is not `exact`, it happened after that
    line, where the last branch before it is, or the function."""

    kind: str  # of CONCRETISED_KINDS, or PIN
    function: int  # index
    line: int
    exact: bool


class LostValues:
    """By place, in how many of the runs that were looked at."""

    def __init__(self, program: ProgramMap) -> None:
        self._program = program
        self.runs: Counter[LostPlace] = Counter()

    def note_run(self, path: Path) -> None:
        """Adds the places of one run."""
        if not path.place_bytes and _PIN not in path.kinds:
            return
        found = {
            LostPlace(CONCRETISED_KINDS[kind - 1], where[0].index, line or where[1], bool(line))
            for _, kind, line, position in np.frombuffer(path.place_bytes, PLACE_DTYPE).tolist()
            if 0 < kind <= len(CONCRETISED_KINDS) and (where := self._place(path, position)) is not None
        }
        for position in self._pins(path):
            if (where := self._place(path, position)) is not None:
                found.add(LostPlace(PIN, where[0].index, where[1], False))
        self.runs.update(found)

    @staticmethod
    def _pins(path: Path) -> list[int]:
        """Positions of pins, one for each event that comes before some."""
        positions = path.constraints["position"][path.constraints["kind"] == _PIN]
        positions = positions[(positions > 0) & (positions <= len(path.events))]
        _, first = first_places(path.events[positions - 1])
        return [int(position) for position in positions[first]]

    def _place(self, path: Path, position: int) -> tuple[Function, int] | None:
        """The function that a run was in, and the line of what it last passed in there."""
        if not 0 < position <= len(path.events):
            return None
        branch = self._program.branches.get(BranchId(int(path.events[position - 1])))
        if branch is not None:  # as mostly
            return self._program.functions[branch.function], branch.location.line
        left = 0  # calls that are over, whose entry comes first
        for event in reversed(path.events[max(0, position - LOOKED_BACK) : position].tolist()):
            function = self._program.function_of_entry.get(event)
            if event - 1 in self._program.function_of_entry:
                left += 1
            elif function is not None and left:
                left -= 1
            elif function is not None:
                return function, function.location.line
            elif not left and (branch := self._program.branches.get(BranchId(event))) is not None:
                return self._program.functions[branch.function], branch.location.line
        return None

    def as_json(self) -> list[list[Any]]:
        """One row a place, for a report and for a campaign that goes on."""
        return [[*place, runs] for place, runs in self.runs.items()]

    def add(self, known: Iterable[Sequence[Any]]) -> None:
        """What `as_json` gave, of an earlier run or of a worker."""
        for kind, function, line, exact, runs in known:
            if 0 <= function < len(self._program.functions):
                self.runs[LostPlace(str(kind), function, int(line), bool(exact))] += int(runs)
