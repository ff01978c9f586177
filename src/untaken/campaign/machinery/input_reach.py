"""How far into its input a run had looked at each of its decisions, and where it was reading: the search measures
earliest witnesses by the one, and finds pieces of inputs by the other.

This is asked of every run, also of those with tens of thousands of decisions that nobody solves for. So the runtime
finds it out, of each expression once (runtime/expressions/reach.c).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import UNREACHED, ReachTable
from untaken.model.path import Path
from untaken.search.pieces.spans import NOWHERE

_NOT_TOLD = np.iinfo(np.intp).max  # of a run whose expressions were cleared: no other is held to be worse


def _reach_of(path: Path, expressions: ReachTable) -> NDArray[np.void] | None:
    """Of each constraint; None if its expressions were cleared, or if the program has written over them."""
    reach, nodes = expressions.reach(), path.constraints["node"]
    made = not len(nodes) or int(nodes.max()) < len(reach)
    return reach[nodes] if made and path.generation == expressions.generation else None


class InputReach:
    """The last byte that a run had looked at, with each constraint."""

    def __init__(self, expressions: ReachTable) -> None:
        self._expressions = expressions
        self._asked: Path | None = None
        self._found: NDArray[np.intp] = np.zeros(0, np.intp)

    def __call__(self, path: Path) -> NDArray[np.intp]:
        """For each constraint, how many bytes of the input the run had looked at with it."""
        if path is not self._asked:  # of the decisions of one run it is asked one after the other
            self._asked, self._found = path, self._measured(path)
        return self._found

    def _measured(self, path: Path) -> NDArray[np.intp]:
        reach = _reach_of(path, self._expressions)
        if reach is None:
            return np.full(len(path.constraints), _NOT_TOLD)
        return np.maximum.accumulate(reach["end"]).astype(np.intp)


class InputCursor:
    """The first byte that each constraint speaks of."""

    def __init__(self, expressions: ReachTable) -> None:
        self._expressions = expressions

    def __call__(self, path: Path) -> NDArray[np.intp]:
        """NOWHERE for a constraint that speaks of no input, or is not known any more."""
        reach = _reach_of(path, self._expressions)
        if reach is None:
            return np.full(len(path.constraints), NOWHERE)
        first = reach["first"].astype(np.intp)
        first[first == UNREACHED] = NOWHERE
        return first
