"""The search's executor over a real program in its session.

Expressions live in one table for the whole campaign. When it is nearly full it is cleared, and the constraints of
all older paths name nothing any more: such a path is run again before it is flipped.
"""

from __future__ import annotations

import numpy as np

from untaken.execute.session import Session
from untaken.model.path import Path

SAME_COLUMNS = ("id", "taken", "kind", "position")


class SessionExecutor:
    """Runs inputs in a session; renews its table of expressions in time."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.renewals = 0
        self.reruns = 0
        self._renewed: tuple[Path, Path] | None = None  # the last path that was run again, and what came of it

    def run(self, input: bytes) -> Path:
        if self.session.expressions.nearly_full:
            self.session.clear_expressions()
            self.renewals += 1
        return self.session.run(input)

    def current(self, path: Path, count: int) -> Path | None:
        """The path with nodes of the present table; None if it does not repeat its first `count` constraints."""
        if not self._stale(path):
            return path
        if self._renewed is None or self._renewed[0] is not path or self._stale(self._renewed[1]):
            self.reruns += 1
            self._renewed = path, self.session.run(path.input)
        again = self._renewed[1]
        old, new = path.constraints[:count], again.constraints[:count]
        same = len(old) == len(new) and all(np.array_equal(old[column], new[column]) for column in SAME_COLUMNS)
        return again if same else None

    def _stale(self, path: Path) -> bool:
        return path.generation != self.session.expressions.generation
