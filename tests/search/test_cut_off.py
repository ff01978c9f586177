"""Paths that are not as usual: events were cut off while constraints went on, or come from a library that the program
map lacks. Every strategy goes on."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from untaken.model.path import CONSTRAINT_DTYPE, ConstraintKind, CutOff, Path
from untaken.search.budget import Budget
from untaken.search.driver import Driver
from untaken.search.registry import strategy
from untaken.search.world import World

from .programs import Program, random_program

KEPT = 3


class CutOffProgram:
    """Runs a made-up program, but records only the first events."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.lost = 0

    def run(self, input: bytes) -> Path:
        path = self._program.run(input)
        constraints = path.constraints.copy()
        beyond = constraints["position"] >= KEPT
        constraints["position"][beyond] = 1 << 20
        self.lost += int(beyond.sum())
        return replace(path, events=path.events[:KEPT].copy(), constraints=constraints, cut_off=CutOff.EVENTS)


class LibraryProgram:
    """Runs a made-up program inside a library of which nothing is known, which decides first."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def run(self, input: bytes) -> Path:
        path = self._program.run(input)
        constraints = path.constraints.copy()
        constraints["position"] += 1
        constraints["position"][:1] = 1
        constraints["kind"][:1] = ConstraintKind.LIBRARY
        unknown = np.array([3 * self._program.map.id_count], np.uint32)
        return replace(path, events=np.concatenate((unknown, path.events)), constraints=constraints)


STRATEGIES = pytest.mark.parametrize(
    "name", ["random-branch", "uniform", "dfs", "bfs", "cfg", "cgs", "generational", "frontier", "parametric"]
)


@STRATEGIES
def test_strategies_go_on_in_unknown_libraries(name: str) -> None:
    for seed in range(5):
        program = random_program(Random(seed), 3, 7)
        world = World(program.map, LibraryProgram(program), program)
        driver = Driver(world, strategy(name), Random(seed), Budget(iterations=60))
        driver.run()
        assert driver.search.tally.iterations > 1 or len(program.run(b"")) < 2


@STRATEGIES
def test_strategies_go_on(name: str) -> None:
    for seed in range(5):
        program = random_program(Random(seed), 3, 7)
        executor = CutOffProgram(program)
        driver = Driver(World(program.map, executor, program), strategy(name), Random(seed), Budget(iterations=60))
        driver.run()
        assert executor.lost or len(program.run(b"")) < 2


def test_the_event_before_a_constraint() -> None:
    constraints = np.zeros(4, CONSTRAINT_DTYPE)
    constraints["position"] = (0, 1, 2, 1 << 20)
    constraints["kind"] = ConstraintKind.LIBRARY
    path = replace(
        random_program(Random(1), 2, 5).run(b""), events=np.array([7, 8], np.uint32), constraints=constraints
    )
    assert path.events_before(constraints).tolist() == [7, 7, 8, 8]
    assert replace(path, events=np.zeros(0, np.uint32)).events_before(constraints).tolist() == [0, 0, 0, 0]
