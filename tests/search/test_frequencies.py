"""Frequencies: many decisions of one condition are turned at once, as many as the program asks for."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from untaken.model.path import CONSTRAINT_DTYPE, ConstraintKind, Exit, ExitKind, Path
from untaken.model.program import Block, Branch, BranchId, BranchKind, Edge, Function, Location, ProgramMap
from untaken.model.variables import AskedVariable
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.strategies.frequencies import frequencies
from untaken.search.world import NoSolution, Solution, World

from .trees import ENTRY, NOWHERE, Tree, UntilCovered, full

INSIDE, BEHIND = 4, 6  # true sides of the condition in the loop, and of the one that asks for the count


class CountingLoop:
    """Decides on each of its bytes whether it is large, and then whether so many were."""

    def __init__(self, rounds: int, wanted: int) -> None:
        self._rounds = rounds
        self._wanted = wanted
        self.runs: list[bytes] = []
        branches = {
            BranchId(id): Branch(BranchId(id), 0, Location("loop", 0, 0), BranchKind.IF, False, False, frozenset())
            for id in range(INSIDE, BEHIND + 2)
        }
        function = Function(0, "main", NOWHERE, ENTRY, (Block((), tuple(Edge(0, id) for id in branches)),), True)
        asked = {BranchId(BEHIND): AskedVariable("count", "eq", wanted)}
        self.map = ProgramMap((function,), branches, BEHIND + 2, asked=asked)

    def run(self, input: bytes) -> Path:
        self.runs.append(input)
        large = [number < len(input) and input[number] > 200 for number in range(self._rounds)]
        ids = [INSIDE + (not each) for each in large]
        constraints = np.zeros(self._rounds, CONSTRAINT_DTYPE)
        constraints["id"] = constraints["node"] = ids
        constraints["position"] = np.arange(self._rounds) + 1
        constraints["kind"] = ConstraintKind.BRANCH
        constraints["taken"] = large
        events = np.array([ENTRY, *ids, BEHIND + (sum(large) != self._wanted), ENTRY + 1], np.uint32)
        return Path(input, events, constraints, Exit(ExitKind.CODE), input_used=self._rounds)

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        data = bytearray(path.input.ljust(self._rounds, b"\0"))
        data[index] = 7 if data[index] > 200 else 255
        return Solution(bytes(data))


@pytest.mark.parametrize("wanted", [0, 1, 37, 59, 60])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_as_many_decisions_are_turned_as_the_program_asks_for(wanted: int, seed: int) -> None:
    loop = CountingLoop(60, wanted)
    driver = Driver(
        World(loop.map, loop, loop), frequencies, Random(seed), Budget(iterations=60), observer=UntilCovered()
    )
    assert driver.run() is Ending.FULL_COVERAGE


def test_a_condition_that_is_decided_a_few_times_is_none() -> None:
    loop = CountingLoop(3, 2)
    driver = Driver(World(loop.map, loop, loop), frequencies, Random(1), Budget(iterations=30))
    assert driver.run() is Ending.ITERATIONS
    assert driver.search.tally.asked == 0


def test_without_anything_to_turn_it_still_runs_something() -> None:
    tree = Tree(full(2))
    driver = Driver(World(tree.program, tree, tree), frequencies, Random(1), Budget(iterations=50))
    assert driver.run() is Ending.ITERATIONS
