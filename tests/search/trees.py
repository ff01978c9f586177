"""A made-up execution tree: byte j of the input decides the j-th symbolic branch of the path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from untaken.model.path import CONSTRAINT_DTYPE, ConstraintKind, Exit, ExitKind, Path
from untaken.model.program import (
    Block,
    Branch,
    BranchId,
    BranchKind,
    Edge,
    Function,
    Location,
    ProgramMap,
)
from untaken.search.budget import Ending
from untaken.search.view import SearchView
from untaken.search.world import NoSolution, Observer, Solution

ENTRY = 2  # ids of the only function; branches follow
NOWHERE = Location("tree", 0, 0)


class UntilCovered(Observer):
    """Ends a search when all is covered; campaigns do so after some more runs (campaign/stopping.py)."""

    def on_booked(self, search: SearchView) -> Ending | None:
        return Ending.FULL_COVERAGE if search.is_done else None


@dataclass(frozen=True)
class Fork:
    """A symbolic branch; a side that is None cannot be taken."""

    true: Fork | Leaf | None
    false: Fork | Leaf | None


@dataclass(frozen=True)
class Leaf:
    """The end of a path."""


def full(depth: int) -> Fork | Leaf:
    """Both sides of all branches can be taken."""
    return Fork(full(depth - 1), full(depth - 1)) if depth else Leaf()


def comb(length: int) -> Fork | Leaf:
    """One side always ends the path."""
    return Fork(Leaf(), comb(length - 1)) if length else Leaf()


@dataclass
class Tree:
    """Executor and solver at once. Every fork is a branch of its own."""

    root: Fork | Leaf
    runs: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._number: dict[int, int] = {}
        for fork in self._forks(self.root):
            self._number[id(fork)] = ENTRY + 2 + 2 * len(self._number)
        self._traces: dict[tuple[bool, ...], tuple[np.ndarray, np.ndarray]] = {}
        self.program = self._program()

    def run(self, input: bytes) -> Path:
        """Walks down the tree; impossible sides are not taken."""
        self.runs.append(input)
        taken: list[bool] = []
        node = self.root
        while isinstance(node, Fork):
            wants = len(taken) < len(input) and input[len(taken)] & 1 == 1
            side = node.true is not None if wants else node.false is None
            taken.append(side)
            node = (node.true if side else node.false) or Leaf()
        events, constraints = self._trace(tuple(taken))
        return Path(input, events, constraints, Exit(ExitKind.CODE), input_used=len(taken))

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        """The input for the other side, if that side exists."""
        taken = [bool(side) for side in path.constraints["taken"][: index + 1]]
        node = self.root
        for side in taken[:-1]:
            assert isinstance(node, Fork)
            node = (node.true if side else node.false) or Leaf()
        assert isinstance(node, Fork)
        if (node.false if taken[-1] else node.true) is None:
            return NoSolution.INFEASIBLE
        rest = path.input if fill is None else fill
        return Solution(bytes([*taken[:-1], not taken[-1]]) + rest[index + 1 :])

    def leaves(self) -> Iterator[tuple[tuple[bool, ...], int]]:
        """All paths: the sides taken, and how many of the branches can really go both ways."""
        yield from self._leaves(self.root, (), 0)

    def _leaves(
        self, node: Fork | Leaf | None, taken: tuple[bool, ...], free: int
    ) -> Iterator[tuple[tuple[bool, ...], int]]:
        if isinstance(node, Leaf):
            yield taken, free
        elif isinstance(node, Fork):
            free += node.true is not None and node.false is not None
            yield from self._leaves(node.true, (*taken, True), free)
            yield from self._leaves(node.false, (*taken, False), free)

    def _forks(self, node: Fork | Leaf | None) -> Iterator[Fork]:
        if isinstance(node, Fork):
            yield node
            yield from self._forks(node.true)
            yield from self._forks(node.false)

    def _trace(self, taken: tuple[bool, ...]) -> tuple[np.ndarray, np.ndarray]:
        if taken not in self._traces:
            ids, node = [], self.root
            for side in taken:
                assert isinstance(node, Fork)
                ids.append(self._number[id(node)] + (not side))
                node = (node.true if side else node.false) or Leaf()
            constraints = np.zeros(len(ids), CONSTRAINT_DTYPE)
            constraints["id"] = constraints["node"] = ids
            constraints["position"] = np.arange(len(ids)) + 1
            constraints["kind"] = ConstraintKind.BRANCH
            constraints["taken"] = taken
            self._traces[taken] = np.array([ENTRY, *ids, ENTRY + 1], np.uint32), constraints
        return self._traces[taken]

    def _program(self) -> ProgramMap:
        branches = {
            BranchId(number + side): Branch(
                BranchId(number + side), 0, NOWHERE, BranchKind.IF, False, False, frozenset()
            )
            for number in self._number.values()
            for side in (0, 1)
        }
        edges = tuple(Edge(0, branch) for branch in branches)
        function = Function(0, "main", NOWHERE, ENTRY, (Block((), edges),), True)
        return ProgramMap((function,), branches, ENTRY + 2 + 2 * len(self._number))
