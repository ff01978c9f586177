"""The frontier: uncovered branches whose other side is covered, and what lies behind each of them.

Strategies look there for where to go next, summaries name it to the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from untaken.model.program import NO_BRANCH, Branch, Function, ProgramMap, paired
from untaken.search.coverage import Coverage

_BlockPlace = tuple[int, int]  # of a block: its function's index, and its own in there
_Ways = list[tuple[int, _BlockPlace]]
_MORE = 0.02  # ids hit since sets were made, of those before: then they are made anew


def frontier_of(program: ProgramMap, coverage: Coverage) -> Iterator[Branch]:
    """Uncovered branches one step from covered ones."""
    return (branch for branch in program if not coverage.hit[branch.id] and coverage.hit[paired(branch.id)])


def opens(program: ProgramMap, coverage: Coverage, branches: Iterable[Branch]) -> list[int]:
    """For each branch, how many uncovered ones, itself included, it leads to without passing a covered one.

    It can only shrink as coverage grows.
    """
    return Beyond(program, coverage).counts(branches)


class Beyond:
    """What lies behind blocks, as sets of bits, one for each uncovered branch.

    Blocks that lead to each other, as all of a loop do, have one set in common. So a set is made once for each such
    component, from those that it leads to (Tarjan's algorithm, without recursion).

    Sets take long to make in a large program. As long as little more is covered they are kept, and what was covered is
    taken out of them: then a count may be a little too high, for some branches may be behind covered ones now.
    """

    def __init__(self, program: ProgramMap, coverage: Coverage) -> None:
        self._program = program
        self._coverage = coverage
        self._hits = -1  # ids that were hit when the sets were made
        self._hits_now = -1  # and when `_covered` was
        self._hit = b""  # the flags of coverage when the sets were made
        self._all_ways: dict[_BlockPlace, tuple[_Ways, _Ways]] = {}
        self._forget()

    def _forget(self) -> None:
        self._bits: dict[int, int] = {}  # by branch
        self._covered = 0  # those that were covered since, as bits
        self._sets: dict[_BlockPlace, int] = {}  # of the blocks whose component is known
        self._order: dict[_BlockPlace, int] = {}  # in which blocks were found
        self._lowest: dict[_BlockPlace, int] = {}  # order of the first block that each is known to lead back to
        self._open: list[_BlockPlace] = []  # whose component is not known yet

    def count(self, branch: Branch) -> int:
        """How many uncovered branches become reachable behind this one, itself included.

        Exact if no run covered anything since the first count.
        """
        self._renew()
        return self._counted(branch)

    def counts(self, branches: Iterable[Branch]) -> list[int]:
        """The same of many, with one look at what is covered."""
        self._renew()
        return [self._counted(branch) for branch in branches]

    def _counted(self, branch: Branch) -> int:
        beyond = self._bit(branch.id)
        for place in self._program.targets.get(branch.id, ()):
            if place not in self._sets:
                self._explore(place)
            beyond |= self._sets[place]
        return (beyond & ~self._covered).bit_count()

    def _renew(self) -> None:
        hits = int(np.count_nonzero(self._coverage.hit))
        if hits == self._hits_now:
            return
        self._hits_now = hits
        if hits > self._hits + int(_MORE * self._hits):
            self._forget()
            self._hits, self._hit = hits, self._coverage.hit.tobytes()
        else:
            flags = self._coverage.hit[np.fromiter(self._bits, np.intp, len(self._bits))]
            self._covered = int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")

    def _bit(self, branch: int) -> int:
        return 1 << self._bits.setdefault(branch, len(self._bits))

    def _explore(self, start: _BlockPlace) -> None:
        stack = [(start, self._enter(start))]
        while stack:
            place, ahead = stack[-1]
            for other in ahead:
                if other not in self._order:
                    stack.append((other, self._enter(other)))
                    break
                if other not in self._sets:
                    self._lowest[place] = min(self._lowest[place], self._order[other])
            else:
                stack.pop()
                self._leave(place)
                if stack and place not in self._sets:
                    above = stack[-1][0]
                    self._lowest[above] = min(self._lowest[above], self._lowest[place])

    def _enter(self, place: _BlockPlace) -> Iterator[_BlockPlace]:
        self._order[place] = self._lowest[place] = len(self._order)
        self._open.append(place)
        return self._ahead(place)

    def _leave(self, place: _BlockPlace) -> None:
        """All that it leads to is known; if it leads back to none before it, it is the first of its component."""
        if self._lowest[place] < self._order[place]:
            return
        component = [self._open.pop()]
        while component[-1] != place:
            component.append(self._open.pop())
        beyond = 0
        for member in component:
            for branch in self._uncovered(member):
                beyond |= self._bit(branch)
            for other in self._ahead(member):
                beyond |= self._sets.get(other, 0)
        self._sets.update(dict.fromkeys(component, beyond))

    def _uncovered(self, place: _BlockPlace) -> Iterator[int]:
        return (branch for branch, _ in self._ways(place)[0] if branch != NO_BRANCH and not self._hit[branch])

    def _ahead(self, place: _BlockPlace) -> Iterator[_BlockPlace]:
        """Where a block leads without a covered branch and into functions that were never entered."""
        hit, (edges, calls) = self._hit, self._ways(place)
        for branch, target in edges:
            if branch == NO_BRANCH or not hit[branch]:
                yield target
        for entry, target in calls:
            if not hit[entry]:
                yield target

    def _ways(self, place: _BlockPlace) -> tuple[_Ways, _Ways]:
        """The branches out of a block and the entries of functions that it calls, each with where it leads."""
        ways = self._all_ways.get(place)
        if ways is None:
            ways = self._all_ways[place] = self._find_ways(self._program.functions[place[0]], place[1])
        return ways

    def _find_ways(self, function: Function, number: int) -> tuple[_Ways, _Ways]:
        if number >= len(function.blocks):
            return [], []
        block = function.blocks[number]
        callees = (self._program.callee(function, call) for call in block.calls)
        return (
            [(edge.branch, (function.index, edge.target)) for edge in block.edges],
            [(callee.entry_id, (callee.index, 0)) for callee in callees if callee is not None],
        )
