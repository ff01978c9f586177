"""Dominators and contexts against their definitions, and context-guided search against its rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from random import Random

import numpy as np
import pytest

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Attempt, Flip, Force, Outcome, Run
from untaken.search.budget import Budget
from untaken.search.context_memory import HashedContexts, Ledger
from untaken.search.contexts import Contexts
from untaken.search.dominators import Dominators
from untaken.search.driver import Driver
from untaken.search.graph import StaticGraph
from untaken.search.registry import strategy
from untaken.search.world import Observer, World

from .programs import Condition, Part, Program, Statement, random_program, successors

cgs = import_module("untaken.search.strategies.cgs")


def reached(program: Program, root: Statement, without: Statement | None) -> set[Statement]:
    """All statements that a root reaches when one is taken out."""
    seen: set[Statement] = set()
    stack = [root]
    while stack:
        statement = stack.pop()
        if statement != without and statement not in seen:
            seen.add(statement)
            stack.extend(successors(program, statement))
    return seen


def dominators(program: Program) -> dict[int, set[int]]:
    """By definition: a dominates b if taking a out makes b unreachable; from each root, united."""
    bodies = enumerate(program.bodies)
    called = {callee for number, body in bodies for part in body for callee in _direct(part) if callee != number}
    roots = [("entry", number) for number in range(len(program.bodies)) if number not in called]
    names: dict[Statement, int] = {("branch", branch): branch for branch in program.map.branches}
    names |= {("entry", number): entry for number, entry in enumerate(program.entries)}
    above: dict[int, set[int]] = {branch: set() for branch in program.map.branches}
    for root in roots:
        everything = reached(program, root, None)
        for statement, name in names.items():
            for lost in everything - reached(program, root, statement):
                if lost[0] == "branch":
                    above[lost[1]].add(name)
    return above


def _direct(part: Part) -> Iterable[int]:
    return () if part.pointer_calls else part.calls


@pytest.mark.parametrize("seed", range(30))
def test_dominators_equal_their_definition(seed: int) -> None:
    rng = Random(seed)
    program = random_program(rng, rng.randint(1, 6), 7, loops=True, pointers=True)
    computed = Dominators(StaticGraph(program.map))
    live = {branch for n in range(len(program.bodies)) for branch in _branches_from(program, n)}
    for branch, above in dominators(program).items():
        if branch in live:
            assert computed.of(branch) >= above
            # Functions reached only through pointers have no root; what they contain still has dominators inside.
            assert computed.of(branch) == above or not above


def _branches_from(program: Program, number: int) -> set[int]:
    return {s[1] for s in reached(program, ("entry", number), None) if s[0] == "branch"}


def context(path: Path, above: dict[int, set[int]], index: int, length: int) -> tuple[int, ...]:
    """The branch, then those before it that do not dominate it, walking backwards."""
    branch = int(path.constraints["id"][index])
    found = [branch]
    for event in reversed(path.events[: int(path.constraints["position"][index])].tolist()):
        if len(found) == length:
            break
        if event not in above[branch]:
            found.append(event)
    return tuple(found)


@pytest.mark.parametrize("seed", range(30))
def test_context_hashes_are_equal_exactly_if_contexts_are(seed: int) -> None:
    rng = Random(seed)
    program = random_program(rng, 4, 7, loops=True)
    contexts = Contexts(program.map, Dominators(StaticGraph(program.map)))
    above = dominators(program)
    hashes: dict[tuple[int, ...], int] = {}
    for _ in range(10):
        path = program.run(rng.randbytes(60))
        for length in range(1, 6):
            values = contexts.of(path, path.symbolic, length)
            for index, value in zip(path.symbolic.tolist(), values.tolist(), strict=True):
                assert hashes.setdefault(context(path, above, index, length), value) == value
    assert len(set(hashes.values())) == len(hashes)


def test_contexts_leave_out_long_rows_of_dominators() -> None:
    # A loop around conditions that are nested forty deep: each is dominated by all of those before it.
    depth = 40
    nested = [Part(reads=(n,), test=Condition(n, 1, n + 1, depth + 1)) for n in range(depth)]
    program = Program([[*nested, Part(reads=(0,), test=Condition(0, 7, 0, 0)), Part()]], most_events=600)
    contexts = Contexts(program.map, Dominators(StaticGraph(program.map)))
    above = dominators(program)
    path = program.run(bytes(400))
    assert len(path) > 3 * depth
    hashes: dict[tuple[int, ...], int] = {}
    rows = contexts.up_to(path, path.symbolic, 5)
    for length, row in enumerate(rows.tolist(), 1):
        for index, value in zip(path.symbolic.tolist(), row, strict=True):
            assert hashes.setdefault(context(path, above, index, length), value) == value
    assert len(set(hashes.values())) == len(hashes) > depth


def test_library_decisions_are_told_apart_by_the_event_before_them() -> None:
    first, second = (Part(reads=(0,), test=Condition(0, 1, block, block)) for block in (1, 2))
    program = Program([[first, second, Part()]])
    path = program.run(b"\0\0")
    path.constraints["kind"] = ConstraintKind.LIBRARY
    path.constraints["id"] = 0
    contexts = Contexts(program.map, Dominators(StaticGraph(program.map)))
    assert len(set(contexts.of(path, path.symbolic, 1).tolist())) == 2


class Rules(Observer):
    """Checks each flip of context-guided search against its rules, written out as slowly as they read."""

    def __init__(self, program: Program, longest: int) -> None:
        self.above = dominators(program)
        self.longest = longest
        self.forget()
        self.stages = 0

    def forget(self) -> None:
        self.tree: list[tuple[Path, int]] = []
        self.tried: set[tuple[int, int]] = set()
        self.known: set[tuple[int, ...]] = set()
        self.length, self.depth = 1, 0

    def on_run(self, path: Path, new_branches: np.ndarray, attempt: Attempt | None) -> None:
        if isinstance(attempt, Run):
            self.tree.append((path, 0))

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        assert attempt.fresh
        candidates = self.candidates()
        while not candidates and self.length <= self.longest:
            self.go_on()
            candidates = self.candidates()
        chosen = [number for number in candidates if self.tree[number][0] is attempt.path]
        assert chosen and attempt.index == self.depth
        self.tried.add((chosen[0], self.depth))
        self.known.add(self.context(attempt.path))
        if outcome.held and outcome.path is not None:
            self.tree.append((outcome.path, self.depth + 1))

    def on_restart(self, restarts: int) -> None:
        while self.length <= self.longest:
            assert not self.candidates()
            self.go_on()
        self.stages += self.longest
        self.forget()

    def candidates(self) -> list[int]:
        """Executions not tried at this depth, which is their own, in a new context."""
        return [
            number
            for number, (path, start) in enumerate(self.tree)
            if start <= self.depth < len(path)
            and (number, self.depth) not in self.tried
            and self.context(path) not in self.known
        ]

    def context(self, path: Path) -> tuple[int, ...]:
        return context(path, self.above, self.depth, self.length)

    def go_on(self) -> None:
        self.depth += 1
        if all(len(path) <= self.depth for path, _ in self.tree):
            self.length, self.depth = self.length + 1, 0


@pytest.mark.parametrize("seed", range(25))
def test_cgs_keeps_to_its_rules(seed: int) -> None:
    rng = Random(seed)
    program = random_program(rng, 3, 7, loops=True)
    rules = Rules(program, 4)
    budget = Budget(iterations=120, full_coverage=False)
    driver = Driver(World(program.map, program, program), strategy("cgs:contexts=4"), rng, budget, observer=rules)
    driver.run()
    assert driver.search.tally.iterations == 1 or rules.stages or len(rules.tree) > 50


def loop_of_choices() -> Program:
    loop = [Part(reads=(0, 1)), Part(reads=(0, 1), test=Condition(0, 1, 2, 4))]
    loop += [Part(test=Condition(1, 1, 3, 1)), Part(test=Condition(1, 2, 1, 1)), Part()]
    loop[0].jump = 1
    return Program([loop], most_events=1_500)


def test_cgs_does_the_same_with_hardly_any_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def inputs() -> list[bytes]:
        program = loop_of_choices()
        budget = Budget(iterations=60, full_coverage=False)
        Driver(World(program.map, program, program), strategy("cgs"), Random(3), budget).run()
        return program.runs

    plenty = inputs()
    monkeypatch.setattr(cgs, "Ledger", partial(Ledger, slot_bits=2))
    monkeypatch.setattr(cgs, "HashedContexts", partial(HashedContexts, capacity=20_000))
    assert inputs() == plenty


def test_cgs_keeps_to_its_rules_on_paths_of_many_pieces() -> None:
    program = loop_of_choices()
    rules = Rules(program, 5)
    budget = Budget(iterations=25, full_coverage=False)
    driver = Driver(World(program.map, program, program), strategy("cgs"), Random(1), budget, observer=rules)
    driver.run()
    assert max(len(path) for path, _ in rules.tree) > 1_000
    assert driver.search.tally.iterations == 25
