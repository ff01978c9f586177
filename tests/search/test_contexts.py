"""Dominators and contexts against their definitions, and context-guided search against its rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from importlib import import_module
from random import Random

import numpy as np
import pytest

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Flip, Force, Outcome, Run
from untaken.search.budget import Budget
from untaken.search.contexts import contexts as numbering
from untaken.search.contexts import hashes as context_hashes
from untaken.search.contexts.contexts import Contexts
from untaken.search.contexts.hash_table import ABSENT, HashTable
from untaken.search.contexts.memory import RecentContexts
from untaken.search.contexts.recent_events import Windows
from untaken.search.driver import Driver
from untaken.search.program.dominators import Dominators
from untaken.search.program.graph import StaticGraph
from untaken.search.registry import strategy
from untaken.search.world import BookedRun, Observer, World

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
            found = set(computed.of(branch).tolist())
            assert found >= above
            # Functions reached only through pointers have no root; what they contain still has dominators inside.
            assert found == above or not above


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


def contexts_of(program: Program, longest: int) -> Contexts:
    return Contexts(program.map, Dominators(StaticGraph(program.map)), longest)


class Numbers:
    """Checks that contexts have equal numbers exactly if they are equal."""

    def __init__(self, program: Program, contexts: Contexts) -> None:
        self._above = dominators(program)
        self._contexts = contexts
        self.seen: dict[tuple[int, ...], int] = {}

    def check(self, path: Path, start: int = 0) -> None:
        longest = self._contexts.of(path, path.symbolic[start:])
        for length in range(1, self._contexts.longest + 1):
            numbers = self._contexts.cut(longest, length).tolist()
            for index, number in zip(path.symbolic[start:].tolist(), numbers, strict=True):
                assert self.seen.setdefault(context(path, self._above, index, length), number) == number
        assert self._contexts.places(longest).tolist() == path.constraints["id"][path.symbolic[start:]].tolist()
        assert len(set(self.seen.values())) == len(self.seen)


@pytest.fixture(params=["by windows", "by small windows, some at a time", "by walks", "by the whole path"])
def kind_of_search(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contexts are the same however they are found."""
    if request.param in ("by walks", "by the whole path"):
        monkeypatch.setattr(numbering, "_WINDOWS", ())
    if request.param == "by the whole path":
        monkeypatch.setattr(context_hashes, "_PATIENCE", 0)
        monkeypatch.setattr(context_hashes, "_MOST_STEPS", 0)
    if request.param == "by small windows, some at a time":
        monkeypatch.setattr(numbering, "_WINDOWS", (4, 8))
        monkeypatch.setattr(numbering, "Windows", partial(Windows, most=10))


@pytest.mark.usefixtures("kind_of_search")
@pytest.mark.parametrize("seed", range(30))
def test_contexts_have_equal_numbers_exactly_if_they_are_equal(seed: int) -> None:
    rng = Random(seed)
    program = random_program(rng, 4, 7, loops=True)
    numbers = Numbers(program, contexts_of(program, rng.randint(1, 6)))
    for _ in range(10):
        path = program.run(rng.randbytes(60))
        numbers.check(path, rng.randrange(len(path.symbolic)) if len(path.symbolic) else 0)
        numbers.check(path)


@pytest.mark.usefixtures("kind_of_search")
@pytest.mark.parametrize("size", [2, 4, 8, 32])
def test_the_beginning_of_a_path_is_told_from_the_same_events_later(size: int) -> None:
    parts = [Part(reads=(0,), test=Condition(0, 1, n + 1, n + 1)) for n in range(3)]
    program = Program([[*parts, Part()]])
    first, _, last = (int(part) for part in program.run(b"\0").constraints["id"])
    path = program.run(b"\0")
    # The same events over and over, none of which dominates the branch: as many as fit a window, then twice as many.
    constraints = path.constraints[:2].copy()
    constraints["id"], constraints["position"] = last, (size, 2 * size)
    again = replace(path, constraints=constraints, events=np.full(2 * size, first ^ 1, np.uint32))
    assert first ^ 1 not in dominators(program)[last]
    numbers = Numbers(program, contexts_of(program, size + 2))
    numbers.check(again)
    numbers.check(again)


@pytest.mark.usefixtures("kind_of_search")
def test_contexts_leave_out_long_rows_of_dominators() -> None:
    # A loop around conditions that are nested forty deep: each is dominated by all of those before it.
    depth = 40
    nested = [Part(reads=(n,), test=Condition(n, 1, n + 1, depth + 1)) for n in range(depth)]
    program = Program([[*nested, Part(reads=(0,), test=Condition(0, 7, 0, 0)), Part()]], most_events=600)
    numbers = Numbers(program, contexts_of(program, 5))
    path = program.run(bytes(400))
    assert len(path) > 3 * depth
    numbers.check(path)
    numbers.check(path)
    assert len(numbers.seen) > depth


@pytest.mark.usefixtures("kind_of_search")
def test_library_decisions_are_told_apart_by_the_event_before_them() -> None:
    first, second = (Part(reads=(0,), test=Condition(0, 1, block, block)) for block in (1, 2))
    program = Program([[first, second, Part()]])
    path = program.run(b"\0\0")
    path.constraints["kind"] = ConstraintKind.LIBRARY
    path.constraints["id"] = 0
    contexts = contexts_of(program, 1)
    found = contexts.of(path, path.symbolic)
    assert len(set(found.tolist())) == 2
    before = path.events[path.constraints["position"] - 1]
    assert contexts.places(found).tolist() == (program.map.id_count + before).tolist()


def test_tables_of_hashes_keep_what_is_put_in() -> None:
    rng = np.random.default_rng(3)
    hashes = rng.integers(0, 1 << 63, 30_000, np.uint64)
    hashes[:4] = 0, 1 << 63, (1 << 64) - 1, (1 << 64) - 2  # two that have the last slot
    table = HashTable()
    assert (table.get(hashes) == ABSENT).all()
    for start in range(0, 20_000, 4_000):
        table.put(hashes[start : start + 4_000], np.arange(start, start + 4_000))
    assert len(table) == 20_000
    assert (table.get(hashes) == np.where(np.arange(30_000) < 20_000, np.arange(30_000), ABSENT)).all()


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

    def on_run(self, run: BookedRun) -> None:
        if isinstance(run.attempt, Run):
            self.tree.append((run.path, 0))

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
    budget = Budget(iterations=120)
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
        budget = Budget(iterations=60)
        Driver(World(program.map, program, program), strategy("cgs"), Random(3), budget).run()
        return program.runs

    plenty = inputs()
    monkeypatch.setattr(cgs, "RecentContexts", partial(RecentContexts, capacity=500))
    assert inputs() == plenty


def test_cgs_keeps_to_its_rules_on_paths_of_many_pieces() -> None:
    program = loop_of_choices()
    rules = Rules(program, 5)
    budget = Budget(iterations=25)
    driver = Driver(World(program.map, program, program), strategy("cgs"), Random(1), budget, observer=rules)
    driver.run()
    assert max(len(path) for path, _ in rules.tree) > 1_000
    assert driver.search.tally.iterations == 25
