"""Calls in a path: where the function that an event enters returns again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import ProgramMap
from untaken.search.program.graph import Ints

NEVER = -1


class Frames:
    """Tells entries, returns and branches apart, and pairs entries with returns."""

    def __init__(self, program: ProgramMap) -> None:
        self.is_entry = np.zeros(program.id_count, np.bool_)
        self.is_entry[[function.entry_id for function in program.functions]] = True
        self.is_return = np.zeros(program.id_count, np.bool_)
        self.is_return[[function.return_id for function in program.functions]] = True

    def returns(self, events: NDArray[np.uint32]) -> Ints:
        """For each event that enters a function, the position of its return; NEVER elsewhere or if it was left
        otherwise (exit, longjmp, a crash)."""
        entering, leaving = self.is_entry[events], self.is_return[events]
        marks = np.flatnonzero(entering | leaving)
        enters = entering[marks]
        # The level of the frame that a mark opens or closes: on each level the two alternate.
        level = np.cumsum(np.where(enters, 1, -1)) + ~enters
        order = np.argsort(level, kind="stable")
        opening, closing = marks[order[:-1]], marks[order[1:]]
        matched = (level[order[:-1]] == level[order[1:]]) & entering[opening] & (events[closing] == events[opening] + 1)
        returns = np.full(len(events), NEVER, np.intp)
        returns[opening[matched]] = closing[matched]
        return returns
