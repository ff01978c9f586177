"""How often a condition that the input does not decide went the same way in a row: the state of a program, as its
events show it.

Which step a table-driven machine has come to, how many names a table holds, how many rounds a loop has left: programs
look such variables up in loops, or compare them again and again. The variable itself is not recorded, but a streak is
as long as its value says. So are calls of a function inside each other, before the first of them returns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.model.program import ProgramMap

LENGTHS = 16  # that are told apart, from 0 on
_MOST_EVENTS = 1 << 12  # that are looked at from a run's first decision on: ways to what comes later are long anyway
_SHORT = np.uint16  # numbers of that type are sorted far quicker


class Streaks:
    """Finds the streaks in runs of one program; a condition's begins anew in each call of its function."""

    def __init__(self, program: ProgramMap) -> None:
        is_small = program.id_count >> 1 <= np.iinfo(_SHORT).max  # so there are fewer functions, too
        self._number: type[np.integer[Any]] = _SHORT if is_small else np.intp
        self._function = np.zeros(program.id_count, self._number)
        self._enters = np.zeros(program.id_count, np.bool_)
        for branch in program:
            self._function[branch.id] = branch.function + 1
        for function in program.functions:
            self._function[function.entry_id] = function.index + 1
            self._enters[function.entry_id] = True

    def concrete(self, path: Path) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Events that the input does not decide and that repeat the last outcome of their condition; for each, how
        often it was so before in a row."""
        start = path.start if len(path.events) > _MOST_EVENTS else 0
        events = path.events[start : start + _MOST_EVENTS].astype(np.intp)
        events[events >= len(self._function)] = 0
        lengths = self._lengths(events)
        decided = path.constraints["position"] - np.uint32(start)
        lengths[decided[decided < len(events)]] = 0
        places = ((lengths > 0) & (lengths < LENGTHS)).nonzero()[0]
        return places + start, lengths[places]

    def _lengths(self, events: NDArray[np.intp]) -> NDArray[np.intp]:
        order = np.argsort((events >> 1).astype(self._number), kind="stable")
        ids, calls = events[order], self._calls(events)[order]
        begins = np.ones(len(ids), np.bool_)
        begins[1:] = (ids[1:] != ids[:-1]) | (calls[1:] != calls[:-1])
        places = np.arange(len(ids))
        lengths = np.empty(len(ids), np.intp)
        lengths[order] = places - np.maximum.accumulate(np.where(begins, places, 0))
        return lengths

    def _calls(self, events: NDArray[np.intp]) -> NDArray[np.intp]:
        """For each event a number that is another in each call of its function; one and the same for the calls."""
        functions = self._function[events]
        order = np.argsort(functions, kind="stable")
        entered = self._enters[events]
        calls = np.empty(len(events), np.intp)
        calls[order] = np.cumsum(entered[order])
        calls[entered] = 0
        return calls
