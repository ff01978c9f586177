"""What was found so far: the inputs that were first to cover a branch, and which of them passed where."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from untaken.model.input import Field
from untaken.model.path import Path

NONE = -1


class CoveringInputs:
    """Inputs that were the first to cover a branch, oldest first.

    `earliest` and `latest` give, for each id, the first and the last of them that passed it, or NONE.
    """

    def __init__(self, id_count: int) -> None:
        self.inputs: list[bytes] = []
        self.fields: list[tuple[Field, ...]] = []  # what each of them was asked for as
        self.found: dict[int, Path] = {}  # by snapshot: the run from there that covered something last
        self.earliest: NDArray[np.intp] = np.full(id_count, NONE, np.intp)
        self.latest: NDArray[np.intp] = np.full(id_count, NONE, np.intp)

    def add(self, path: Path) -> None:
        """A run covered something new."""
        number = len(self.inputs)
        self.inputs.append(path.input)
        self.fields.append(path.fields)
        passed = np.zeros(len(self.latest), np.bool_)  # far quicker than sorting what may be millions of events
        passed[path.passed[path.passed < len(passed)]] = True  # the others are of a library that is not in the map
        self.latest[passed] = number
        self.earliest[passed & (self.earliest == NONE)] = number
