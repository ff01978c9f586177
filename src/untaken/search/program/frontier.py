"""The frontier: uncovered branches whose other side is covered, and what lies behind each of them.

Strategies look there for where to go next, summaries name it to the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import NO_BRANCH, Branch, ProgramMap, paired
from untaken.search.coverage import Coverage

_UNSEEN = -1
_MORE = 0.02  # ids hit since sets were made, of those before: then they are made anew


def frontier_of(program: ProgramMap, coverage: Coverage) -> Iterator[Branch]:
    """Uncovered branches one step from covered ones."""
    return (branch for branch in program if not coverage.hit[branch.id] and coverage.hit[paired(branch.id)])


def opens(program: ProgramMap, coverage: Coverage, branches: Iterable[Branch]) -> list[int]:
    """For each branch, how many uncovered ones, itself included, lie behind it and behind no other of the frontier.

    What both sides of a condition lead to, as after an `if` without `else`, is so counted at the condition that keeps
    runs from it. It can only shrink as coverage grows.
    """
    return Beyond(program, coverage, past_frontier=False).counts(branches)


class Beyond:
    """What lies behind blocks, as sets of bits, one for each uncovered branch.

    `past_frontier`: also what is reached only through conditions that were decided, by the side not taken.
    Blocks that lead to each other, as all of a loop do, have one set in common. So a set is made once for each such
    component, from those that it leads to (Tarjan's algorithm, without recursion).

    Sets take long to make in a large program. As long as little more is covered they are kept, and what was covered is
    taken out of them: then a count may be a little too high, for some branches may be behind covered ones now.
    """

    def __init__(self, program: ProgramMap, coverage: Coverage, *, past_frontier: bool = True) -> None:
        self._program = program
        self._past_frontier = past_frontier
        self._coverage = coverage
        self._hits = -1  # ids that were hit when the sets were made
        self._hits_now = -1  # and when `_covered` was
        self._hit = b""  # what a walk does not pass: the flags of coverage when the sets were made
        self._forget()

    def _forget(self) -> None:
        blocks = self._program.first_blocks[-1]
        self._bits: dict[int, int] = {}  # by branch
        self._covered = 0  # those that were covered since, as bits
        self._sets: list[int | None] = [None] * blocks  # of those whose component is known
        self._order = [_UNSEEN] * blocks  # in which blocks were found
        self._lowest = [_UNSEEN] * blocks  # order of the first block that each is known to lead back to
        self._found = 0  # blocks
        self._open: list[int] = []  # whose component is not known yet

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
        for block in self._program.blocks_behind(branch.id):
            beyond |= self._set_of(block)
        return (beyond & ~self._covered).bit_count()

    def _renew(self) -> None:
        hits = self._coverage.passed
        if hits == self._hits_now:
            return
        self._hits_now = hits
        if hits > self._hits + int(_MORE * self._hits):
            self._forget()
            self._hits, self._hit = hits, self._closed().tobytes()
        else:
            flags = self._coverage.hit[np.fromiter(self._bits, np.intp, len(self._bits))]
            self._covered = int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")

    def _closed(self) -> NDArray[np.bool_]:
        hit = self._coverage.hit
        if self._past_frontier:
            return hit
        closed = hit.copy()
        closed[[branch.id for branch in frontier_of(self._program, self._coverage)]] = True
        return closed

    def _bit(self, branch: int) -> int:
        return 1 << self._bits.setdefault(branch, len(self._bits))

    def _set_of(self, block: int) -> int:
        if self._sets[block] is None:
            self._explore(block)
        return self._sets[block] or 0

    def _explore(self, start: int) -> None:
        order, lowest, sets = self._order, self._lowest, self._sets
        stack = [(start, self._enter(start))]
        while stack:
            block, ahead = stack[-1]
            for other in ahead:
                if order[other] == _UNSEEN:
                    stack.append((other, self._enter(other)))
                    break
                if sets[other] is None and order[other] < lowest[block]:
                    lowest[block] = order[other]
            else:
                stack.pop()
                self._leave(block)
                if stack and sets[block] is None:
                    above = stack[-1][0]
                    lowest[above] = min(lowest[above], lowest[block])

    def _enter(self, block: int) -> Iterator[int]:
        self._order[block] = self._lowest[block] = self._found
        self._found += 1
        self._open.append(block)
        return iter(self._ahead(block))

    def _leave(self, block: int) -> None:
        """All that it leads to is known; if it leads back to none before it, it is the first of its component."""
        if self._lowest[block] < self._order[block]:
            return
        component = [self._open.pop()]
        while component[-1] != block:
            component.append(self._open.pop())
        beyond = 0
        for member in component:
            beyond |= self._bits_of(member)
            for other in self._ahead(member):
                beyond |= self._sets[other] or 0
        for member in component:
            self._sets[member] = beyond

    def _bits_of(self, block: int) -> int:
        """The uncovered branches that lead out of a block."""
        hit, branches, bits = self._hit, self._program.branches, 0
        for passed, _ in self._program.ways[block]:
            if passed in branches and not hit[passed]:
                bits |= self._bit(passed)
        return bits

    def _ahead(self, block: int) -> list[int]:
        """Where it leads without a covered branch, and into functions that were never entered."""
        hit = self._hit
        return [other for passed, other in self._program.ways[block] if passed == NO_BRANCH or not hit[passed]]
