"""Earliest witnesses: each branch keeps the run that passed it after the least of its input, whichever run that was."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests.search.trees import Tree, UntilCovered, comb, full
from untaken.model.input import Field, FieldKind
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.model.word import WORD_DTYPE
from untaken.search.attempts import Guess, Outcome, Run, Verdict
from untaken.search.budget import Budget
from untaken.search.driver import Driver
from untaken.search.knowledge.streaks import Streaks
from untaken.search.knowledge.witnesses import EarliestWitnesses
from untaken.search.strategies.earliest import earliest
from untaken.search.world import World

IDS = 20


def ran(input: bytes, events: list[int], decisions: list[tuple[int, int]], snapshot: int = 0) -> Path:
    """A run; `decisions` are positions in `events`, and the node that decided there."""
    rows = [(node, events[position], position, 0, 1, 0) for position, node in decisions]
    constraints = np.array(rows, CONSTRAINT_DTYPE)
    return Path(input, np.array(events, np.uint32), constraints, Exit(ExitKind.CODE), snapshot=snapshot)


def by_node(path: Path) -> np.ndarray:
    """Here a node's number is the last input byte in it."""
    return np.maximum.accumulate(path.constraints["node"].astype(np.intp))


def test_a_run_that_covers_nothing_new_replaces_one_that_came_later() -> None:
    witnesses = EarliestWitnesses(IDS, by_node)
    witnesses.observe(ran(b"late", [4, 4, 6], [(0, 1), (1, 9)]))
    assert (witnesses.ways[6].input, witnesses.ways[6].used) == (b"late", 9)
    witnesses.observe(ran(b"soon", [4, 6, 4], [(0, 2)]))
    assert (witnesses.ways[6].input, witnesses.ways[6].used) == (b"soon", 2)
    assert witnesses.ways[4].input == b"late", "it was there first with less"
    assert witnesses.improvements == [4, 6, 6]


def test_the_first_of_several_passes_counts() -> None:
    witnesses = EarliestWitnesses(IDS, by_node)
    witnesses.observe(ran(b"x", [6, 4, 6, 6], [(0, 1), (2, 5), (3, 9)]))
    assert witnesses.ways[6].used == 1


def test_decisions_after_the_events_were_cut_off_say_nothing() -> None:
    path = ran(b"x", [4, 6, 8], [(0, 1), (1, 5), (2, 9)])
    witnesses = EarliestWitnesses(IDS, by_node)
    path.constraints["position"][1:] = 7
    witnesses.observe(path)
    assert [witnesses.ways[id].used for id in (4, 6, 8)] == [1, 1, 1]


def test_runs_from_snapshots_and_ids_that_the_map_lacks_are_passed_over() -> None:
    witnesses = EarliestWitnesses(IDS, by_node)
    witnesses.observe(ran(b"x", [4], [], snapshot=3))
    witnesses.observe(ran(b"x", [IDS, IDS + 7], []))
    assert witnesses.ways == {}


def test_each_length_of_a_streak_has_a_way_of_its_own() -> None:
    """The run that goes round three times with less input is kept, though it covers nothing new."""
    program = Tree(comb(3)).program
    witnesses = EarliestWitnesses(program.id_count, by_node, Streaks(program))
    witnesses.observe(ran(b"late", [4, 4, 6, 4, 4, 4], [(2, 9)]))
    states = {divmod(state, program.id_count + 1): way for state, way in witnesses.ways.items()}
    assert (states[1, 4].used, states[2, 4].used, states[2, 4].event) == (0, 9, 3)
    assert witnesses.ways[4].event == 0
    witnesses.observe(ran(b"soon", [4, 4, 4], []))
    assert witnesses.ways[2 * (program.id_count + 1) + 4].input == b"soon"


@pytest.mark.parametrize("root", [full(5), comb(12)])
def test_it_covers_small_trees(root: object) -> None:
    tree = Tree(root)  # type: ignore[arg-type]
    world, budget = World(tree.program, tree, tree), Budget(iterations=3_000)
    driver = Driver(world, earliest, Random(1), budget, observer=UntilCovered())
    driver.run()
    assert driver.search.coverage.full


def test_what_was_decided_just_before_does_not_stand_in_the_way() -> None:
    """A side that the path rules out, and that nobody has seen, is guessed at."""
    tree = Tree(comb(3))
    driver = Driver(World(tree.program, tree, tree), earliest, Random(1), Budget(iterations=1))
    search = driver.search
    search.analyses.earliest  # noqa: B018 - from now on runs are looked at
    steps = earliest(search)
    attempt = next(steps)
    asked = []
    for _ in range(12):
        asked.append(type(attempt))
        if isinstance(attempt, Run):
            path = tree.run(attempt.input)
            search.coverage.add(path.passed)
            search.analyses.saw(path)
            attempt = steps.send(path)
        elif isinstance(attempt, Guess):
            attempt = steps.send(None)
        else:
            attempt = steps.send(Outcome(Verdict.INFEASIBLE))
    assert Guess in asked


def test_a_program_that_takes_another_way_the_second_time_ends_no_campaign() -> None:
    class Moody(Tree):
        def run(self, input: bytes) -> Path:
            path = super().run(input)
            again = self.runs.count(input) > 1
            return replace(path, events=path.events[:1], constraints=path.constraints[:0]) if again else path

    tree = Moody(full(5))
    driver = Driver(World(tree.program, tree, tree), earliest, Random(1), Budget(iterations=400))
    driver.run()
    assert driver.search.coverage.count > 10


def test_words_that_were_asked_for_behind_a_state_are_put_in_there() -> None:
    tree = Tree(full(2))
    search = Driver(World(tree.program, tree, tree), earliest, Random(1), Budget(iterations=1)).search
    search.analyses.earliest  # noqa: B018 - from now on runs are looked at
    steps = earliest(search)
    attempt = next(steps)
    text = (Field("text", FieldKind.BYTES, 0, 9),)
    word = np.array([(1, 2, 2, 5, 0, 0, b"hello")], WORD_DTYPE).tobytes()
    inputs = []
    for _ in range(30):
        if isinstance(attempt, Run):
            inputs.append(attempt.input)
            path = replace(tree.run(b"\0\0"), input=b"x..y", fields=text, word_bytes=word)
            search.analyses.saw(path)
            attempt = steps.send(path)
        else:
            attempt = steps.send(Outcome(Verdict.UNKNOWN))
    assert inputs.count(b"x hello y") == 1, "once behind the same decisions"
