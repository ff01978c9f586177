"""Look-Ahead (OSMOSE paper, section 3): no flip whose other side leads to nothing that is uncovered.

From the other side the program can reach what lies behind it in its own function, and once that returns what lies
behind each call under way. All of it is control flow alone, so what is skipped could not have covered anything: the
same branches are covered with and without. The path up to the flip is covered already, so that the paper's history is
not needed, unless an assumption of the program failed on it: such a run counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from untaken.model.path import ConstraintKind, CutOff, ExitKind, Path
from untaken.model.program import Function
from untaken.search.pruning.open_calls import OpenCalls
from untaken.search.pruning.reach import Bits, Reach
from untaken.search.view import SearchView


class LookAhead:
    """Asks, when a flip is asked for, whether anything uncovered can be reached from there.

    With `each` it asks at once for every branch of a path, which skips no more (the paper's table 3 compares them).
    """

    lossless = True

    def __init__(self, *, each: bool = False) -> None:
        self._each = each
        self._reach: Reach | None = None
        self._roots: list[Function] = []
        self._calls: OpenCalls | None = None
        self._last: Path | None = None
        self._uncovered: Bits = 0
        self._counted = -1

    def allows(self, search: SearchView, path: Path, index: int) -> bool:
        uncovered = self._still_uncovered(search)
        if not uncovered:
            return False
        if self._each and path is not self._last:
            self._last = path
            for each in path.symbolic.tolist():
                self._finds(search, path, each, uncovered)
        return self._finds(search, path, index, uncovered)

    def rules_out(self, search: SearchView, path: Path, index: int) -> bool:
        return not self.allows(search, path, index)

    def _finds(self, search: SearchView, path: Path, index: int, uncovered: Bits) -> bool:
        reach = self._reach_of(search)
        _, branch, position, kind, _, depth = path.constraints[index].item()
        # Most often the answer lies in the same function, and the call stack need not be known.
        if kind == ConstraintKind.BRANCH and reach.through(branch ^ 1) & uncovered:
            return True
        if reach.open or _is_off_the_record(path, position) or _has_news(search, path, position):
            return True
        if kind != ConstraintKind.BRANCH or depth > 0:
            ahead = self._after_returns(search, path, kind, position)
            if any(found & uncovered for found in ahead):
                return True
        return any(self._is_to_come(search, path, position, root) for root in self._roots_of(reach, uncovered))

    def _after_returns(self, search: SearchView, path: Path, kind: int, position: int) -> Iterator[Bits]:
        """What else can be reached once the calls that are under way have returned."""
        reach, calls = self._reach_of(search), self._calls_of(search, path)
        if kind != ConstraintKind.BRANCH:
            # A decision of a library function: whichever it takes, the caller goes on from the same place.
            own = calls.last_own_event(position)
            yield reach.everything if own is None else reach.after_event(own)
        for event, entry in calls.at(position):
            yield reach.everything if event is None else reach.after_return(event, entry)

    def _roots_of(self, reach: Reach, uncovered: Bits) -> Iterator[Function]:
        """Functions that run by themselves, before or after main or as it, and that lead to something uncovered."""
        return (root for root in self._roots if reach.summary(root.index) & uncovered)

    def _is_to_come(self, search: SearchView, path: Path, position: int, root: Function) -> bool:
        """True if a function was seen to run by itself, but has not run yet on this path."""
        if not search.coverage.hit[root.entry_id]:
            return False
        begun = position > 0 and path.events[0] == root.entry_id  # main, nearly always
        return not begun and not self._calls_of(search, path).entered(root.entry_id, position)

    def _calls_of(self, search: SearchView, path: Path) -> OpenCalls:
        if self._calls is None or self._calls.path is not path:
            self._calls = OpenCalls(path, search.analyses.frames)
        return self._calls

    def _reach_of(self, search: SearchView) -> Reach:
        if self._reach is None:
            self._reach = Reach(search.program)
            self._roots = self._reach.roots()
        return self._reach

    def _still_uncovered(self, search: SearchView) -> Bits:
        if search.coverage.count != self._counted:
            self._counted = search.coverage.count
            self._uncovered = self._reach_of(search).set_of(search.coverage.uncovered())
        return self._uncovered


def _has_news(search: SearchView, path: Path, position: int) -> bool:
    """True if the way to the constraint would itself be new: a run that broke an assumption has covered nothing."""
    return path.exit.kind is ExitKind.ASSUME and not search.coverage.hit[path.events[:position]].all()


def _is_off_the_record(path: Path, position: int) -> bool:
    """True if events from before the constraint are missing, so that nobody knows which calls are under way."""
    if path.snapshot:  # the calls that were under way there were made before
        return True
    return position > len(path.events) or (position == len(path.events) and bool(path.cut_off & CutOff.EVENTS))
