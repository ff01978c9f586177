"""A rule for functions that only prepare what is tested: what they do is a means, so that few flips in them are enough.

A driver makes arguments by calling other functions of a library, a parser say, whose paths are without number. Without
the rule much of a short campaign is spent on them, and the function under test is called with the same few states.
"""

from __future__ import annotations

from collections import Counter

from untaken.model.path import ConstraintKind, Path
from untaken.search.view import SearchView

MOST = 2  # flips to the same branch


class Preparation:
    """In functions that are set aside, each branch is flipped to a few times, and no more."""

    lossless = False

    def __init__(self) -> None:
        self._flips: Counter[int] = Counter()

    def allows(self, search: SearchView, path: Path, index: int) -> bool:
        _, identity, _, kind, _, _ = path.constraints[index].item()
        branch = search.program.branches.get(identity ^ 1) if kind == ConstraintKind.BRANCH else None
        if branch is None or branch.function not in search.coverage.aside:
            return True
        self._flips[branch.id] += 1
        return self._flips[branch.id] <= MOST

    def rules_out(self, search: SearchView, path: Path, index: int) -> bool:
        return False
