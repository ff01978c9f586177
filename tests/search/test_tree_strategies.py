"""Strategies on made-up trees: what they flip, how often, and when they are through."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

from untaken.model.path import Path
from untaken.search.attempts import Finish, Flip, Force, Outcome, Steps, Verdict
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.registry import strategy
from untaken.search.strategies.bfs import bfs
from untaken.search.strategies.dfs import dfs
from untaken.search.strategies.generational import generational
from untaken.search.strategies.random_branch import draws, random_branch
from untaken.search.strategies.uniform import draw_path
from untaken.search.view import SearchView
from untaken.search.world import Observer, Solution, World

from .trees import Fork, Leaf, Tree, UntilCovered, comb, full

UNLIMITED = Budget()


class Flips(Observer):
    """Remembers the flips."""

    def __init__(self) -> None:
        self.seen: list[tuple[tuple[int, ...], int, Verdict]] = []

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        self.seen.append((tuple(attempt.path.constraints["taken"].tolist()), attempt.index, outcome.verdict))

    def held(self) -> int:
        return sum(verdict is Verdict.HELD for _, _, verdict in self.seen)


def drive(tree: Tree, steps: Any, budget: Budget = UNLIMITED, seed: int = 0) -> tuple[Ending, Driver, Flips]:
    """Runs a strategy on a tree."""
    flips = Flips()
    driver = Driver(World(tree.program, tree, tree), steps, Random(seed), budget, observer=flips)
    return driver.run(), driver, flips


def lopsided() -> Fork:
    """Short and long paths, and branches that can go one way only."""
    deep = Fork(Fork(None, full(2)), Fork(Leaf(), Fork(full(1), None)))
    return Fork(Leaf(), Fork(deep, comb(3)))


# ---- exhaustive searches ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dfs", "bfs", "generational"])
@pytest.mark.parametrize("root", [full(0), full(5), comb(9), lopsided()], ids=["none", "full", "comb", "lopsided"])
def test_exhaustive_searches_run_each_path_once(name: str, root: Fork | Leaf) -> None:
    tree = Tree(root)
    ending, driver, _ = drive(tree, strategy(name))
    assert ending is Ending.EXHAUSTED
    assert driver.search.tally.iterations == sum(1 for _ in tree.leaves())
    assert driver.search.tally.restarts == 0


def test_four_nested_comparisons_take_five_executions() -> None:
    tree = Tree(Fork(Fork(Fork(Fork(Leaf(), Leaf()), Leaf()), Leaf()), Leaf()))
    ending, driver, _ = drive(tree, dfs, Budget())
    assert (ending, driver.search.tally.iterations, driver.search.coverage.count) == (Ending.EXHAUSTED, 5, 8)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_bounded_dfs_forces_exactly(depth: int) -> None:
    tree = Tree(full(8))
    forced: list[int] = []

    def once(search: SearchView) -> Steps:
        yield from dfs(search, depth=depth)
        forced.append(search.tally.verdicts[Verdict.HELD])
        return Finish.EXHAUSTED

    drive(tree, once)
    assert forced == [2**depth - 1]


def test_bounded_dfs_does_not_count_branches_that_cannot_be_forced() -> None:
    stuck: Fork | Leaf = full(4)
    for _ in range(5):
        stuck = Fork(None, stuck)
    _, driver, flips = drive(Tree(stuck), strategy("dfs:depth=4"), Budget(iterations=16))
    assert driver.search.tally.iterations == 16
    assert flips.held() == 15


def test_deepening_ends_when_the_bound_left_nothing_out() -> None:
    tree = Tree(full(5))
    ending, driver, flips = drive(tree, strategy("dfs:depth=1:deepen=yes"))
    assert ending is Ending.EXHAUSTED
    assert flips.held() == 1 + 3 + 15 + 31
    assert driver.search.tally.iterations == 1 + flips.held()


def test_dfs_of_paths_longer_than_python_recurses() -> None:
    constraints = 1_200
    tree = LongTree(constraints)
    ending, driver, _ = drive(tree, dfs, Budget(iterations=constraints))
    assert (ending, driver.search.tally.iterations) == (Ending.ITERATIONS, constraints)


class LongTree(Tree):
    """A long chain in which every flip leads on: built without recursion, one branch taken over and over."""

    def __init__(self, length: int) -> None:
        self.length = length
        super().__init__(Fork(Leaf(), Leaf()))

    def run(self, input: bytes) -> Path:
        path = super().run(input)
        sides = [index < len(input) and input[index] & 1 == 1 for index in range(self.length)]
        constraints = path.constraints.repeat(self.length)
        constraints["taken"] = sides
        constraints["id"] = [int(path.constraints["id"][0]) & ~1 | (not side) for side in sides]
        constraints["position"] = range(self.length)
        return Path(input, constraints["id"].copy(), constraints, path.exit, input_used=self.length)

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution:
        sides = path.constraints["taken"][: index + 1].copy()
        sides[index] ^= 1
        return Solution(sides.tobytes())


# ---- order --------------------------------------------------------------------------------------------------------


def test_dfs_goes_on_in_the_new_path_first() -> None:
    _, _, flips = drive(Tree(full(3)), dfs)
    assert [(path, index) for path, index, _ in flips.seen] == [
        ((0, 0, 0), 0),
        ((1, 0, 0), 1),
        ((1, 1, 0), 2),
        ((1, 0, 0), 2),
        ((0, 0, 0), 1),
        ((0, 1, 0), 2),
        ((0, 0, 0), 2),
    ]


def test_bfs_goes_by_depth() -> None:
    _, _, flips = drive(Tree(lopsided()), bfs)
    depths = [index for _, index, _ in flips.seen]
    assert depths == sorted(depths)


def test_generational_takes_the_highest_score_and_the_newest_among_equals() -> None:
    """Checked against the rule, applied to what was flipped and what each child was first to cover."""
    scores: dict[bytes, int] = {}

    class Scores(Flips):
        def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
            super().on_flip(attempt, outcome)
            assert attempt.fresh
            expanded.append(attempt.path.input)
            if outcome.held and outcome.path is not None:
                pool.append((outcome.new_branches, len(pool), outcome.path))
                scores[outcome.path.input] = outcome.new_branches

    pool: list[tuple[int, int, Path]] = []
    expanded: list[bytes] = []
    tree = Tree(Fork(lopsided(), full(4)))
    Driver(World(tree.program, tree, tree), generational, Random(3), UNLIMITED, observer=Scores()).run()
    parents = list(dict.fromkeys(expanded))
    # Replay the pool: at each point the parent taken must be the best of those that had been born by then.
    waiting: list[tuple[int, int, bytes]] = []
    born = iter(pool)
    tree = Tree(tree.root)
    bound = {parents[0]: 0}
    for number, parent in enumerate(parents):
        if number:
            best = max(item for item in waiting if len(tree.run(item[2])) > bound[item[2]])
            assert best[2] == parent
            waiting.remove(best)
        path = tree.run(parent)
        for index in range(bound[parent], len(path)):
            if isinstance(tree.solve_flip(path, index), Solution):
                score, order, child = next(born)
                waiting.append((score, order, child.input))
                bound[child.input] = index + 1


# ---- random searches ----------------------------------------------------------------------------------------------


def frequencies(tree: Tree, drawn: Counter[tuple[bool, ...]]) -> float:
    """The p-value of the drawn paths under "each branch that can go both ways is a coin"."""
    leaves = dict(tree.leaves())
    total = sum(drawn.values())
    return float(chisquare([drawn[leaf] for leaf in leaves], [total * 2.0**-free for free in leaves.values()]).pvalue)


def sample(tree: Tree, count: int, part: Any, seed: int) -> Counter[tuple[bool, ...]]:
    """Draws paths with a part of a strategy that ends in a path."""
    drawn: Counter[tuple[bool, ...]] = Counter()

    def draw(search: SearchView) -> Steps:
        path = yield search.initial()
        for _ in range(count):
            path = yield from part(search, path)
            drawn[tuple(map(bool, path.constraints["taken"].tolist()))] += 1
        return Finish.EXHAUSTED

    drive(tree, draw, seed=seed)
    return drawn


def five_random_branches(search: SearchView, path: Path) -> Any:
    """What random branch search has become after five more steps."""
    for _ in range(5):
        flipped = yield search.flip(path, search.rng.choice(path.symbolic))
        path = flipped or path
    return path


SHAPES = {
    "full": full(4),
    "comb": comb(7),
    "lopsided": lopsided(),
    "mixed": Fork(comb(4), Fork(full(3), Fork(None, Fork(Leaf(), full(2))))),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_uniform_draws_each_path_with_its_probability(shape: str) -> None:
    tree = Tree(SHAPES[shape])
    assert frequencies(tree, sample(tree, 10_000, draw_path, seed=1)) > 0.001


@pytest.mark.parametrize("shape", ["comb", "lopsided", "mixed"])
def test_random_branch_is_not_uniform(shape: str) -> None:
    tree = Tree(SHAPES[shape])
    assert frequencies(tree, sample(tree, 10_000, five_random_branches, seed=1)) < 1e-9


def test_draws_are_a_permutation_with_uniform_first_place() -> None:
    rng = Random(5)
    assert all(sorted(draws(rng, count)) == list(range(count)) for count in range(20))
    firsts = Counter(next(draws(rng, 6)) for _ in range(6_000))
    seconds = Counter(list(draws(rng, 6))[1] for _ in range(6_000))
    assert chisquare(list(firsts.values())).pvalue > 0.001
    assert chisquare(list(seconds.values())).pvalue > 0.001


def test_random_branch_restarts_after_runs_without_new_branches() -> None:
    budget = Budget(iterations=500)
    _, driver, _ = drive(Tree(comb(3)), strategy("random-branch:restart=10"), budget)
    assert 30 < driver.search.tally.restarts < 50


def test_random_branch_leaves_a_path_where_nothing_can_be_forced() -> None:
    tree = Tree(Fork(None, Fork(None, Leaf())))
    ending, driver, _ = drive(tree, random_branch, Budget(iterations=10))
    assert (ending, driver.search.tally.restarts) == (Ending.ITERATIONS, 9)


def test_random_inputs_solve_nothing() -> None:
    tree = Tree(full(3))
    world, budget = World(tree.program, tree, tree), Budget(iterations=400)
    driver = Driver(world, strategy("random:structured=0.5"), Random(0), budget, observer=UntilCovered())
    assert driver.run() is Ending.FULL_COVERAGE
    assert driver.search.tally.asked == 0
    assert tree.runs[0] == b""
    assert {len(run) for run in tree.runs[1:]} == {3}
