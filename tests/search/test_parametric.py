"""parametric: the decision of the last path that scores highest is flipped, whatever came of the flip before."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from untaken.model.program import ProgramMap
from untaken.search.attempts import Flip, Force, Outcome, Run, Verdict
from untaken.search.budget import Budget
from untaken.search.driver import Driver
from untaken.search.heuristics.features.matrix import Scorer
from untaken.search.heuristics.features.table import NAMES
from untaken.search.heuristics.heuristic import Heuristic
from untaken.search.heuristics.heuristic_files import BY_HAND, general_heuristic, heuristic_by_hand, of_weights
from untaken.search.registry import strategy
from untaken.search.strategies.auto import auto
from untaken.search.strategies.parametric import best_first, parametric
from untaken.search.world import BookedRun, Observer, World

from .programs import random_program
from .trees import Fork, Leaf, Tree, comb, full

PAPER = "parametric:later=yes:restart=none:found=no"  # without what we have added to the paper's search


class Flips(Observer):
    """Which decision of which path was flipped, and what became of it."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, Verdict]] = []

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        self.seen.append((len(attempt.path), attempt.index, outcome.verdict))


class Starts(Observer):
    """How often the program was run on an input that no flip led to."""

    def __init__(self) -> None:
        self.count = 0

    def on_run(self, run: BookedRun) -> None:
        self.count += isinstance(run.attempt, Run)


def weights(**chosen: float) -> Heuristic:
    """All others are zero."""
    named = {name.replace("_", "-"): weight for name, weight in chosen.items()}
    assert set(named) <= set(NAMES)
    return of_weights([named.get(name, 0.0) for name in NAMES])


def drive(tree: Tree, heuristic: Heuristic | None, iterations: int) -> tuple[Driver, Flips]:
    flips = Flips()
    world = World(tree.program, tree, tree, heuristic=heuristic)
    driver = Driver(world, strategy(PAPER), Random(0), Budget(iterations), observer=flips)
    driver.run()
    return driver, flips


def test_the_later_of_equals_comes_first() -> None:
    assert list(best_first(np.array([2, 7, 1, 7, 2], np.float32), None)) == [3, 1, 4, 0, 2]
    assert list(best_first(np.array([2, -np.inf, 3], np.float32), None)) == [2, 0]
    assert list(best_first(np.empty(0, np.float32), None)) == []


def test_or_any_of_them() -> None:
    scores = np.array([2, 7, 7, 7, 2, -np.inf], np.float32)
    seen = [tuple(best_first(scores, Random(seed))) for seed in range(200)]
    assert {tuple(sorted(order[:3])) for order in seen} == {(1, 2, 3)}
    assert {tuple(sorted(order[3:])) for order in seen} == {(0, 4)}
    assert len(set(seen)) == 12  # all orders of three, and of two


def test_on_the_first_path_only_static_features_count() -> None:
    _, flips = drive(Tree(full(10)), weights(first_tenth=10, in_main=-3), 3)
    assert [index for _, index, _ in flips.seen] == [9, 0]


def test_weights_decide() -> None:
    """The first tenth of a path of ten is its first decision: now it is flipped last."""
    _, flips = drive(Tree(full(10)), weights(first_tenth=-10), 12)
    assert 0 not in [index for _, index, _ in flips.seen]


def test_what_cannot_be_flipped_gives_way_to_the_next_best() -> None:
    tree = Tree(Fork(Leaf(), Fork(Leaf(), Fork(None, Leaf()))))
    _, flips = drive(tree, weights(), 2)
    assert [(index, verdict) for _, index, verdict in flips.seen] == [(2, Verdict.INFEASIBLE), (1, Verdict.HELD)]


def test_no_input_is_run_twice() -> None:
    tree = Tree(full(3))
    _, flips = drive(tree, weights(), 8)
    assert len(set(tree.runs)) == 8
    assert Verdict.REPEATED in [verdict for _, _, verdict in flips.seen]


def test_a_branch_that_fails_over_and_over_is_let_be() -> None:
    _, flips = drive(Tree(Fork(None, Leaf())), weights(), 100)
    assert len(flips.seen) == 71


def test_the_search_begins_again_and_remembers() -> None:
    """Both sides are run, the first one twice: an empty input is not a zero. Then there are only restarts."""
    tree = Tree(full(1))
    driver, flips = drive(tree, weights(), 30)
    assert driver.search.tally.iterations == 30
    assert driver.search.tally.restarts == 0  # the strategy lives on, and so does what its features count
    assert [verdict for _, _, verdict in flips.seen].count(Verdict.HELD) == 2


@pytest.mark.parametrize(("spec", "starts"), [(PAPER, 1), ("parametric:restart=4", 8)])
def test_it_begins_again_after_some_runs_in_vain(spec: str, starts: int) -> None:
    """Everything is covered from the beginning: a start, four runs in vain, and so on."""
    tree = Tree(full(8))
    seen = Starts()
    world = World(tree.program, tree, tree, heuristic=weights())
    budget = Budget(40)
    driver = Driver(world, strategy(spec), Random(1), budget, observer=seen)
    driver.search.coverage.add(np.fromiter(tree.program.branches, np.uint32))
    driver.run()
    assert seen.count == starts


def test_uncovered_branches_first_covers_a_comb() -> None:
    tree = Tree(comb(30))
    driver, _ = drive(tree, weights(opposite_uncovered=10), 31)
    assert driver.search.coverage.full


def test_it_begins_again_where_something_was_found() -> None:
    """A comb: each new tooth is a new input in the corpus, and the later ones are taken up again."""
    tree = Tree(comb(30))
    world = World(tree.program, tree, tree, heuristic=weights(opposite_uncovered=10))
    seen = Starts()
    Driver(world, strategy("parametric:restart=3"), Random(1), Budget(60), observer=seen).run()
    assert seen.count > 3
    assert len(set(tree.runs)) < len(tree.runs)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_makes_the_same_runs(seed: int) -> None:
    runs = []
    for _ in range(2):
        program = random_program(Random(seed), 4, 8, loops=True, pointers=True)
        world = World(program.map, program, program)
        Driver(world, parametric, Random(seed), Budget(60)).run()
        runs.append(program.runs)
    assert runs[0] == runs[1]


def test_the_general_heuristic_fits_the_features() -> None:
    assert tuple(general_heuristic().weights) == NAMES


def test_the_heuristic_set_by_hand_fits_the_features() -> None:
    weights = heuristic_by_hand().weights
    assert tuple(weights) == NAMES
    assert {name for name, weight in weights.items() if weight} == set(BY_HAND)


@pytest.mark.parametrize("own", [None, weights(in_main=1.0)])
def test_auto_has_learned_weights_and_those_set_by_hand(own: Heuristic | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The learned ones are those of the program if there are any, else the general ones."""
    scored: list[Sequence[float]] = []

    class Noted(Scorer):
        def __init__(self, program: ProgramMap, vector: Sequence[float]) -> None:
            scored.append(vector)
            super().__init__(program, vector)

    monkeypatch.setattr("untaken.search.strategies.parametric.Scorer", Noted)
    program = random_program(Random(1), 4, 8, loops=True, pointers=True)
    world = World(program.map, program, program, heuristic=own)
    Driver(world, auto, Random(1), Budget(200)).run()
    assert set(scored) == {(own or general_heuristic()).vector, heuristic_by_hand().vector}
