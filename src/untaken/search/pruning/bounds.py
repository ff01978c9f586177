"""Rules that bound where a path may be flipped: by call depth and by length."""

from __future__ import annotations

from untaken.model.path import Path
from untaken.search.view import SearchView


class CallDepth:
    """Max-CallDepth (OSMOSE paper, section 4): no flip in calls more than `most` below main.

    It may cost coverage, as in the paper. A run from a snapshot does not tell how deep it is: there all is allowed.
    """

    lossless = False

    def __init__(self, most: int) -> None:
        self._deepest = most

    def allows(self, search: SearchView, path: Path, index: int) -> bool:
        return bool(path.snapshot) or bool(path.constraints["depth"][index] <= self._deepest)

    def rules_out(self, search: SearchView, path: Path, index: int) -> bool:
        return False


class PathLength:
    """The paper's bound k: only the first `most` constraints of a path are flipped."""

    lossless = False

    def __init__(self, most: int) -> None:
        self._most = most

    def allows(self, search: SearchView, path: Path, index: int) -> bool:
        return index < self._most

    def rules_out(self, search: SearchView, path: Path, index: int) -> bool:
        return False
