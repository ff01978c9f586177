"""Made-up programs: functions of blocks that read inputs into locals, test them, and call each other.

Each has a ProgramMap, an interpreter that leaves the same traces as an instrumented program would, and a solver that
is exact: an input byte counts modulo 3, each condition is a set of values of one byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from untaken.model.path import CONSTRAINT_DTYPE, ConstraintKind, CutOff, Exit, ExitKind, Path
from untaken.model.program import (
    Block,
    Branch,
    BranchId,
    BranchKind,
    Call,
    Edge,
    Function,
    Location,
    ProgramMap,
)
from untaken.search.world import NoSolution, Solution

VALUES = 3
FIRST_ID = 16
HERE = Location("made-up", 1, 1)

Statement = tuple[Any, ...]  # ("block", f, b) ("call", f, b, n) ("entry", f) ("exit", f) ("branch", id)


@dataclass
class Condition:
    """A conditional: is the local's value in the mask?"""

    local: int
    mask: int
    true: int
    false: int
    id: int = 0  # of the true side


@dataclass
class Part:
    """A block: reads inputs into some locals, calls, then tests, jumps or returns."""

    reads: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()
    pointer_calls: bool = False  # the calls are made through pointers
    test: Condition | None = None
    jump: int | None = None


@dataclass
class Program:
    """Executor and solver of a made-up program; function 0 is main."""

    bodies: list[list[Part]]
    most_events: int = 400
    runs: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        ids = iter(range(FIRST_ID, 1_000_000, 2))
        self.entries = [next(ids) for _ in self.bodies]
        for body in self.bodies:
            for part in body:
                if part.test is not None:
                    part.test.id = next(ids)
        self.id_count = next(ids)
        self.map = self._map()

    # ---- running --------------------------------------------------------------------------------------------------

    def run(self, input: bytes) -> Path:
        self.runs.append(input)
        return Interpreter(self, input).path()

    def statements(self, input: bytes) -> list[Statement]:
        """The execution, statement by statement, as the CREST paper has it."""
        interpreter = Interpreter(self, input)
        interpreter.path()
        return interpreter.trace

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        """Each constraint is about one byte: intersect the masks."""
        allowed: dict[int, int] = {}
        constraints = path.constraints[: index + 1]
        wanted = constraints["taken"].astype(bool)
        wanted[index] ^= True
        for node, holds in zip(constraints["node"].tolist(), wanted.tolist(), strict=True):
            byte, mask = divmod(node - 1, 1 << VALUES)
            allowed[byte] = allowed.get(byte, 7) & (mask if holds else ~mask)
        if not all(allowed.values()):
            return NoSolution.INFEASIBLE
        answer = bytearray((path.input if fill is None else fill).ljust(max(allowed) + 1, b"\0"))
        old = path.input.ljust(len(answer), b"\0")
        for byte, mask in allowed.items():
            keeps = mask >> old[byte] % VALUES & 1
            answer[byte] = old[byte] if keeps else (mask & -mask).bit_length() - 1
        return Solution(bytes(answer))

    def all_inputs(self, most_reads: int) -> Iterator[bytes]:
        """One input for each way that the bytes which are really read can be."""
        stack = [b""]
        while stack:
            prefix = stack.pop()
            used = Interpreter(self, prefix).path().input_used
            if used <= len(prefix):
                yield prefix
            elif len(prefix) < most_reads:
                stack.extend(prefix + bytes([value]) for value in range(VALUES))

    def longest_input(self) -> int:
        """How many bytes any path can read, a call counting with the most that it may read."""
        reads = [0] * len(self.bodies)
        for number in reversed(range(len(self.bodies))):
            longest = [0] * len(self.bodies[number])
            for block in reversed(range(len(longest))):
                part = self.bodies[number][block]
                targets = [part.test.true, part.test.false] if part.test else [part.jump] if part.jump else []
                own = len(part.reads) + sum(reads[callee] for callee in part.calls)
                longest[block] = own + max((longest[target] for target in targets), default=0)
            reads[number] = longest[0]
        return reads[0]

    # ---- the map --------------------------------------------------------------------------------------------------

    def _map(self) -> ProgramMap:
        functions = tuple(
            Function(number, f"f{number}", HERE, self.entries[number], tuple(map(self._block, body)), True)
            for number, body in enumerate(self.bodies)
        )
        branches = {
            BranchId(part.test.id + side): Branch(
                BranchId(part.test.id + side), number, HERE, BranchKind.IF, False, False, frozenset()
            )
            for number, body in enumerate(self.bodies)
            for part in body
            if part.test is not None
            for side in (0, 1)
        }
        return ProgramMap(functions, branches, self.id_count)

    def _block(self, part: Part) -> Block:
        calls = tuple(Call(None if part.pointer_calls else f"f{callee}", 1) for callee in part.calls)
        if part.test is not None:
            test = part.test
            return Block(calls, (Edge(test.true, BranchId(test.id)), Edge(test.false, BranchId(test.id + 1))))
        return Block(calls, () if part.jump is None else (Edge(part.jump),))


class Interpreter:
    """One run."""

    def __init__(self, program: Program, input: bytes) -> None:
        self.program = program
        self.input = input
        self.used = 0
        self.events: list[int] = []
        self.constraints: list[tuple[int, int, int, int, int, int]] = []
        self.trace: list[Statement] = []

    def path(self) -> Path:
        self.call(0, 0)
        cut = CutOff.EVENTS if self.full() else CutOff(0)
        return Path(
            self.input,
            np.array(self.events, np.uint32),
            np.array(self.constraints, CONSTRAINT_DTYPE),
            Exit(ExitKind.CODE),
            input_used=self.used,
            cut_off=cut,
        )

    def full(self) -> bool:
        return len(self.events) >= self.program.most_events

    def call(self, number: int, depth: int) -> None:
        body = self.program.bodies[number]
        self.emit(self.program.entries[number], ("entry", number))
        locals_: dict[int, tuple[int, int | None]] = {}  # value, byte
        block: int | None = 0
        while block is not None and not self.full():
            part = body[block]
            self.trace.append(("block", number, block))
            for local in part.reads:
                locals_[local] = self.read()
            for place, callee in enumerate(part.calls):
                self.trace.append(("call", number, block, place))
                self.call(callee, depth + 1)
                if self.full():
                    return
            block = self.decide(part.test, locals_, depth) if part.test is not None else part.jump
        if not self.full():
            self.emit(self.program.entries[number] + 1, ("exit", number))

    def read(self) -> tuple[int, int]:
        byte, self.used = self.used, self.used + 1
        return (self.input[byte] % VALUES if byte < len(self.input) else 0), byte

    def decide(self, test: Condition, locals_: dict[int, tuple[int, int | None]], depth: int) -> int:
        value, byte = locals_.get(test.local, (0, None))
        holds = bool(test.mask >> value & 1)
        branch = test.id + (not holds)
        if byte is not None:
            node = byte * (1 << VALUES) + test.mask + 1
            self.constraints.append((node, branch, len(self.events), ConstraintKind.BRANCH, holds, depth))
        self.emit(branch, ("branch", branch))
        return test.true if holds else test.false

    def emit(self, event: int, statement: Statement) -> None:
        self.events.append(event)
        self.trace.append(statement)


# ---- static paths, literally as the paper defines them ------------------------------------------------------------


def successors(program: Program, statement: Statement) -> list[Statement]:
    """Edges of the combined control flow and static call graph."""
    match statement:
        case ("entry", number):
            return [("block", number, 0)]
        case ("branch", branch):
            return [_target(program, branch)]
        case ("block", number, block):
            return _next(program, number, block, 0)
        case ("call", number, block, place):
            part = program.bodies[number][block]
            enter = [] if part.pointer_calls else [("entry", part.calls[place])]
            return enter + _next(program, number, block, place + 1)
    return []


def _next(program: Program, number: int, block: int, place: int) -> list[Statement]:
    part = program.bodies[number][block]
    if place < len(part.calls):
        return [("call", number, block, place)]
    if part.test is not None:
        return [("branch", part.test.id), ("branch", part.test.id + 1)]
    return [("exit", number)] if part.jump is None else [("block", number, part.jump)]


def _target(program: Program, branch: int) -> Statement:
    for number, body in enumerate(program.bodies):
        for part in body:
            if part.test is not None and part.test.id == branch & ~1:
                return ("block", number, part.test.false if branch & 1 else part.test.true)
    raise KeyError(branch)


def static_paths(program: Program, start: Statement, weight: int, uncovered: set[int]) -> Iterator[list[Statement]]:
    """All static paths from a statement to an uncovered branch with at most so many branches after the start."""
    stack: list[tuple[list[Statement], int]] = [([start], weight)]
    while stack:
        path, left = stack.pop()
        if len(path) > 1 and path[-1][0] == "branch" and path[-1][1] in uncovered:
            yield path
        for after in successors(program, path[-1]):
            cost = after[0] == "branch"
            if cost <= left:
                stack.append(([*path, after], left - cost))


def matches(execution: list[Statement], at: int, static: list[Statement], place: int = 0) -> bool:
    """The relation of section 4.1: the execution from `at` on follows the static path from `place` on."""
    if place == len(static):
        return True
    if at >= len(execution) or execution[at] != static[place]:
        return False
    if matches(execution, at + 1, static, place + 1):
        return True
    if execution[at][0] != "call":
        return False
    back = _after_return(execution, at)
    return back is not None and matches(execution, back, static, place + 1)


def _after_return(execution: list[Statement], call: int) -> int | None:
    open_calls = 0
    for at in range(call + 1, len(execution)):
        open_calls += (execution[at][0] == "entry") - (execution[at][0] == "exit")
        if open_calls == 0:
            return at + 1
    return None


# ---- making them up -----------------------------------------------------------------------------------------------


def random_program(rng: Random, functions: int, blocks: int, *, loops: bool = False, pointers: bool = False) -> Program:
    """A random program. Without loops jumps go forward; calls always go to functions of higher number."""
    bodies = []
    for number in range(functions):
        count = rng.randint(2, blocks)
        bodies.append([_random_part(rng, number, functions, block, count, loops, pointers) for block in range(count)])
    return Program(bodies)


def _random_part(rng: Random, number: int, functions: int, block: int, count: int, loops: bool, pointers: bool) -> Part:
    reads = (rng.randrange(2),) if block == 0 or rng.random() < 0.3 else ()
    callees = range(number + 1, functions)
    calls = tuple(rng.choice(callees) for _ in range(rng.choice((0, 0, 1, 2)))) if callees else ()
    by_pointer = pointers and rng.random() < 0.5
    if block == count - 1:
        return Part(reads, calls, by_pointer)
    lowest = 1 if loops and rng.random() < 0.3 else block + 1  # block 0, the entry, has no predecessors
    if rng.random() < 0.85:
        targets = rng.randrange(lowest, count), min(block + rng.randint(1, 2), count - 1)
        test = Condition(rng.randrange(2), rng.choice((1, 2, 4, 3, 5, 6)), *rng.sample(targets, 2))
        return Part(reads, calls, by_pointer, test)
    return Part(reads, calls, by_pointer, None, rng.randrange(block + 1, count))
