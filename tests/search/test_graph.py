"""Static distances, calls in paths, and learnt calls, each against a brute-force answer."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from untaken.search.coverage import Coverage
from untaken.search.program import distance
from untaken.search.program.distance import FAR, UncoveredDistance
from untaken.search.program.frames import NEVER, Frames
from untaken.search.program.graph import Ints, StaticGraph
from untaken.search.program.learned_calls import CallLearner

from .programs import Condition, Part, Program, Statement, random_program, successors


def brute_force(program: Program, uncovered: set[int]) -> dict[int, int]:
    """The distance of each branch by relaxing all edges until nothing changes."""
    statements: set[Statement] = set()
    stack: list[Statement] = [("entry", number) for number in range(len(program.bodies))]
    while stack:
        statement = stack.pop()
        if statement not in statements:
            statements.add(statement)
            stack.extend(successors(program, statement))
    nearest = {s: 0 if s[0] == "branch" and s[1] in uncovered else FAR for s in statements}
    changed = True
    while changed:
        changed = False
        for statement in statements:
            for after in successors(program, statement):
                way = min(FAR, nearest[after] + (after[0] == "branch"))
                if way < nearest[statement]:
                    nearest[statement] = way
                    changed = True
    return {s[1]: nearest[s] for s in statements if s[0] == "branch"}


@pytest.mark.parametrize("seed", range(40))
def test_distances_equal_brute_force_while_coverage_grows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed < 20:
        monkeypatch.setattr(distance, "_SMALL", 0)
    rng = Random(seed)
    program = random_program(rng, rng.randint(1, 6), 9, loops=seed % 2 == 0)
    coverage = Coverage(program.map)
    distances = UncoveredDistance(StaticGraph(program.map), coverage)
    left = sorted(program.map.branches)
    rng.shuffle(left)
    while left:
        expected = brute_force(program, set(left))
        by_id = distances.by_id()
        assert {branch: int(by_id[branch]) for branch in expected} == expected
        step = rng.randint(1, 3)
        coverage.add(np.array(left[:step], np.uint32))
        left = left[step:]
    assert all(distances.by_id()[branch] == FAR for branch in program.map.branches)


def test_few_lost_sources_are_repaired_alone_and_rightly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph large enough that a single newly covered branch is repaired, not computed anew."""
    monkeypatch.setattr(distance, "_SMALL", 0)
    rng = Random(7)
    program = random_program(rng, 60, 20, loops=True)
    coverage = Coverage(program.map)
    graph = StaticGraph(program.map)
    distances = UncoveredDistance(graph, coverage)
    left = sorted(program.map.branches)
    rng.shuffle(left)
    coverage.add(np.array(left[60:], np.uint32))
    distances.by_id()
    repairs: list[int] = []
    repair = UncoveredDistance._repair

    def counted(self: UncoveredDistance, nodes: Ints) -> None:
        repairs.append(len(nodes))
        repair(self, nodes)

    monkeypatch.setattr(UncoveredDistance, "_repair", counted)
    for number in range(0, 60, 2):
        coverage.add(np.array(left[number : number + 2], np.uint32))
        fresh = UncoveredDistance(graph, coverage)
        assert np.array_equal(distances.by_id(), fresh.by_id())
    assert len(repairs) >= 10 and max(repairs) > 2


@pytest.mark.parametrize("seed", range(20))
def test_returns_are_matched(seed: int) -> None:
    rng = Random(seed)
    program = random_program(rng, 5, 6)
    frames = Frames(program.map)
    path = program.run(rng.randbytes(40))
    stack: list[int] = []
    expected = [NEVER] * len(path.events)
    for position, event in enumerate(path.events.tolist()):
        if event in program.entries:
            stack.append(position)
        elif event - 1 in program.entries:
            expected[stack.pop()] = position
    assert frames.returns(path.events).tolist() == expected
    assert ends_one_by_one(frames, path.events) == {entry: expected[entry] for entry in entries_of(frames, path.events)}
    # Cut anywhere, what is still open never returns.
    cut = rng.randrange(len(path.events) + 1)
    short = [end if end < cut else NEVER for end in expected[:cut]]
    assert frames.returns(path.events[:cut]).tolist() == short
    assert ends_one_by_one(frames, path.events[:cut]) == {
        entry: short[entry] for entry in entries_of(frames, path.events[:cut])
    }


def entries_of(frames: Frames, events: NDArray[np.uint32]) -> list[int]:
    return [position for position, event in enumerate(events.tolist()) if frames.is_entry[event]]


def ends_one_by_one(frames: Frames, events: NDArray[np.uint32]) -> dict[int, int]:
    """The innermost calls first, so that not all of them are looked up at once from the second on."""
    ends = frames.ends(events)
    return {entry: ends.of(entry) for entry in reversed(entries_of(frames, events))}


@pytest.mark.parametrize("inside", [2, 255, 256, 257, 1_279, 1_280, 1_281, 10_000])
def test_the_end_of_a_long_call_is_found(inside: int) -> None:
    program = Program([[Part(calls=(1,))], [Part()]])
    main, callee = program.entries
    events = np.array([main, *[callee, callee + 1] * (inside // 2), *[0] * (inside % 2), main + 1], np.uint32)
    ends = Frames(program.map).ends(events)
    assert ends.of(0) == len(events) - 1
    assert [ends.of(1), ends.of(0)] == [2, len(events) - 1]  # also once all of them were looked up


def test_a_frame_left_by_a_jump_is_not_matched_with_another_return() -> None:
    program = Program([[Part(calls=(1,))], [Part(calls=(2,))], [Part()], [Part()]])
    main, middle, inner, other = program.entries
    events = np.array([main, middle, inner, other, other + 1, main + 1], np.uint32)  # inner jumped back to main
    frames = Frames(program.map)
    assert frames.returns(events).tolist() == [NEVER, NEVER, NEVER, 4, NEVER, NEVER]
    assert ends_one_by_one(frames, events) == {0: NEVER, 1: NEVER, 2: NEVER, 3: 4}


def test_calls_through_pointers_are_learnt_from_runs() -> None:
    handler = [Part(reads=(0,), test=Condition(0, 1, 1, 1)), Part()]
    direct = [Part()]
    choice = Condition(0, 1, 1, 3)
    main = [
        Part(reads=(0,), test=choice),
        Part(calls=(2,), jump=2),
        Part(calls=(1,), pointer_calls=True, jump=3),
        Part(),
    ]
    program = Program([main, handler, direct])
    graph = StaticGraph(program.map)
    learner = CallLearner(program.map, graph, Frames(program.map))
    coverage = Coverage(program.map)
    distances = UncoveredDistance(graph, coverage)
    coverage.add(np.array([choice.id, choice.id + 1], np.uint32))
    assert distances.by_id()[choice.id] == FAR
    learner.observe(program.run(b"\1").events)
    assert distances.by_id()[choice.id] == FAR
    learner.observe(program.run(b"\0").events)
    assert distances.by_id()[choice.id] == 1
    assert distances.by_id()[choice.id + 1] == FAR
    version = graph.version
    learner.observe(program.run(b"\0").events)
    assert graph.version == version == 1
