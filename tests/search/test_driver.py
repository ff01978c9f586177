"""The driver: what attempts are answered with, what is counted, what ends a campaign."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from untaken.model.effort import Effort
from untaken.model.path import ConstraintKind, Exit, ExitKind, Path
from untaken.search.attempts import Part, Run, Steps, Verdict
from untaken.search.budget import Budget, Ending
from untaken.search.coverage import Coverage
from untaken.search.driver import Driver
from untaken.search.knowledge.path_cache import PathCache
from untaken.search.prediction import held
from untaken.search.strategies.dfs import dfs
from untaken.search.strategies.random_branch import random_branch
from untaken.search.view import SearchView
from untaken.search.world import BookedRun, NoSolution, Observer, Solution, World

from .trees import ENTRY, Fork, Leaf, Tree, UntilCovered, comb, full

ALL = Budget()


def driver_of(tree: Tree, steps: Any, budget: Budget = ALL, **more: Any) -> Driver:
    filters = more.pop("filters", ())
    effort = more.pop("effort", Effort())
    return Driver(World(tree.program, tree, tree, filters, effort=effort), steps, Random(1), budget, **more)


def answers(tree: Tree, ask: Any, **more: Any) -> list[Any]:
    """What a strategy is sent for the attempts that `ask(search, path)` lists, after the initial run."""
    sent: list[Any] = []

    def steps(search: SearchView) -> Steps:
        path = yield search.initial()
        for attempt in ask(search, path):
            result = yield attempt
            sent.append(result)
        driver.stop()
        return None

    driver = driver_of(tree, steps, **more)
    assert driver.run() is Ending.STOPPED
    return sent


# ---- attempts -----------------------------------------------------------------------------------------------------


def test_each_attempt_is_answered_in_its_own_way() -> None:
    tree = Tree(Fork(full(1), Fork(None, Leaf())))
    run, solved, unsolved, flipped, failed, outcome = answers(
        tree,
        lambda search, path: [
            search.run(b"\1\1"),
            search.solve(path, 0),
            search.solve(path, 1),
            search.flip(path, 0),
            search.flip(path, 1),
            search.force(path, 1),
        ],
    )
    assert run.constraints["taken"].tolist() == [1, 1]
    assert (solved, unsolved) == (b"\1", None)
    assert flipped.constraints["taken"].tolist() == [1, 0]
    assert failed is None
    assert (outcome.verdict, outcome.path, outcome.new_branches) == (Verdict.INFEASIBLE, None, 0)
    assert tree.runs == [b"", b"\1\1", b"\1"]


def test_an_outcome_counts_the_branches_that_are_new() -> None:
    first, again = answers(Tree(full(3)), lambda search, path: [search.force(path, 0), search.force(path, 0)])
    assert (first.held, first.new_branches) == (True, 3)
    assert (again.held, again.new_branches) == (True, 0)


class Wayward(Tree):
    """A solver whose answers lead elsewhere."""

    certain = True

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        return Solution(b"\0\0\0", self.certain)


def test_a_divergence_is_counted_and_not_sent_to_flip() -> None:
    tree = Wayward(full(3))
    flipped, outcome = answers(tree, lambda search, path: [search.flip(path, 1), search.force(path, 1)])
    assert flipped is None
    assert outcome.verdict is Verdict.DIVERGED
    assert outcome.path.constraints["taken"].tolist() == [0, 0, 0]


def test_a_guess_that_was_wrong_is_no_divergence() -> None:
    tree = Wayward(full(3))
    tree.certain = False
    (outcome,) = answers(tree, lambda search, path: [search.force(path, 1)])
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.path is not None


class OnlyShallow:
    """A filter."""

    lossless = False

    def allows(self, search: SearchView, path: Path, index: int) -> bool:
        return index < 2

    def rules_out(self, search: SearchView, path: Path, index: int) -> bool:
        return False


def test_filters_prune_flips_before_they_are_solved() -> None:
    tree = Tree(full(5))
    driver = driver_of(tree, dfs, Budget(iterations=100), filters=(OnlyShallow(),))
    driver.run()
    tally = driver.search.tally
    assert tally.verdicts[Verdict.PRUNED] > 0
    assert tally.asked == tally.verdicts[Verdict.HELD]
    assert tally.restarts > 0  # pruned, so it was not exhausted


def test_fresh_values_are_offered_to_the_solver() -> None:
    fills: list[bytes | None] = []

    class Filled(Tree):
        def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
            fills.append(fill)
            return super().solve_flip(path, index, fill)

    answers(Filled(full(6)), lambda search, path: [search.flip(path, 0), search.flip(path, 0, fresh=True)])
    assert fills[0] is None
    assert fills[1] is not None and len(fills[1]) == 6


# ---- predictions --------------------------------------------------------------------------------------------------


def test_prediction_compares_events_sides_and_kinds() -> None:
    tree = Tree(full(4))
    path, good = tree.run(b"\0\0\0\0"), tree.run(b"\0\0\1\1")
    assert held(path, 2, good)
    assert not held(path, 1, good) and not held(path, 3, good) and not held(path, 2, path)
    assert not held(path, 2, Path(b"", good.events, good.constraints[:2], good.exit))
    events = good.events.copy()
    events[1] ^= 1
    assert not held(path, 2, replace(good, events=events))
    pinned = good.constraints.copy()
    pinned["kind"][0] = ConstraintKind.PIN
    assert not held(path, 2, replace(good, constraints=pinned))


def test_a_run_may_die_of_what_was_predicted() -> None:
    tree = Tree(full(3))
    path, other = tree.run(b"\0\0\0"), tree.run(b"\0\1\0")
    path.constraints["kind"][1] = ConstraintKind.LIBRARY
    died = replace(other, constraints=other.constraints[:1], exit=Exit(ExitKind.SIGNAL, 8))
    assert held(path, 1, died)
    assert not held(path, 1, replace(died, exit=Exit(ExitKind.CODE))) and not held(path, 0, died)
    assert not held(path, 1, replace(died, constraints=died.constraints[:0])), "it was to come to another event first"
    path.constraints["position"][1] = path.constraints["position"][0]
    assert held(path, 1, replace(died, constraints=died.constraints[:0]))


def test_prediction_of_a_library_decision_is_about_its_side() -> None:
    tree = Tree(full(2))
    path, other = tree.run(b"\0\0"), tree.run(b"\0\1")
    for run in (path, other):
        run.constraints["kind"] = ConstraintKind.LIBRARY
        run.constraints["id"] = 0
    assert held(path, 1, other)
    assert not held(path, 1, path)


# ---- endings ------------------------------------------------------------------------------------------------------


def test_iterations_count_executions_and_are_not_exceeded() -> None:
    tree = Tree(full(6))
    assert driver_of(tree, dfs, Budget(iterations=10)).run() is Ending.ITERATIONS
    assert len(tree.runs) == 10


def test_stale_ends_after_runs_without_a_new_branch() -> None:
    tree = Tree(comb(2))
    driver = driver_of(tree, random_branch, Budget(stale=25))
    assert driver.run() is Ending.STALE
    assert driver.search.tally.iterations == driver.search.tally.last_new + 25


def test_full_coverage_ends_it_if_the_observer_says_so() -> None:
    budget = Budget(iterations=99)
    ended = driver_of(Tree(full(2)), random_branch, budget, observer=UntilCovered())
    assert ended.run() is Ending.FULL_COVERAGE and ended.search.tally.last_new == ended.search.tally.iterations
    assert driver_of(Tree(full(2)), random_branch, budget).run() is Ending.ITERATIONS


def test_seconds_are_those_of_the_clock() -> None:
    ticks = iter(range(10_000))
    budget = Budget(seconds=500)
    driver = driver_of(Tree(full(9)), random_branch, budget, clock=lambda: float(next(ticks)))
    assert driver.run() is Ending.SECONDS
    assert 50 < driver.search.tally.iterations < 200


def test_stop_ends_after_the_attempt_under_way() -> None:
    class Stopper(Observer):
        def on_run(self, run: BookedRun) -> None:
            driver.stop()

    driver = driver_of(Tree(full(3)), dfs, observer=Stopper())
    assert driver.run() is Ending.STOPPED
    assert driver.search.tally.iterations == 1


def test_what_the_observer_has_enough_of_ends_the_search() -> None:
    class Enough(Observer):
        def on_booked(self, search: SearchView) -> Ending | None:
            return Ending.FINDING if search.tally.iterations == 2 else None

    driver = driver_of(Tree(full(3)), dfs, observer=Enough())
    assert driver.run() is Ending.FINDING
    assert driver.search.tally.iterations == 2


def test_a_program_that_does_not_look_at_its_input_is_exhausted_at_once() -> None:
    tree = Tree(Leaf())
    assert driver_of(tree, random_branch, ALL).run() is Ending.EXHAUSTED
    assert tree.runs == [b""]


def test_a_strategy_that_tries_nothing_is_stuck() -> None:
    def idle(search: SearchView) -> Steps:
        return None
        yield

    assert driver_of(Tree(full(2)), idle).run() is Ending.STUCK


# ---- assumptions, seeds, coverage ---------------------------------------------------------------------------------


class Assuming(Tree):
    """The second decision is an assumption: it must be true."""

    def run(self, input: bytes) -> Path:
        path = super().run(input)
        constraints = path.constraints.copy()
        constraints["kind"][1] = ConstraintKind.ASSUME
        if constraints["taken"][1]:
            return replace(path, constraints=constraints)
        return replace(path, constraints=constraints[:2], events=path.events[:2], exit=Exit(ExitKind.ASSUME))


def test_a_broken_assumption_is_repaired_and_covers_nothing_before() -> None:
    tree = Assuming(full(3))
    path_lengths: list[int] = []

    class Watch(Observer):
        def on_run(self, run: BookedRun) -> None:
            path_lengths.append(len(run.path))
            assert (run.path.exit.kind is ExitKind.ASSUME) <= (len(run.new_branches) == 0)

    driver = driver_of(tree, dfs, observer=Watch())
    assert driver.run() is Ending.EXHAUSTED
    assert path_lengths == [2, 3, 3, 3, 3]  # the first run breaks it; flips then keep the byte that repaired it
    assert {run.ljust(3, b"\0") for run in tree.runs[1:]} == {b"\0\1\0", b"\0\1\1", b"\1\1\0", b"\1\1\1"}


def test_seeds_run_first_and_useful_ones_are_started_from() -> None:
    tree = Tree(full(4))
    seeds = [b"\1\1\1\1", b"\1\1\1\1", b"\0\0\0\1"]
    driver = driver_of(tree, dfs, Budget(iterations=8), seeds=seeds)
    driver.run()
    assert tree.runs[:4] == [*seeds, seeds[0]]
    assert driver.search.corpus.inputs[:2] == [seeds[0], seeds[2]]


def test_coverage_counts_branches_and_reached_functions() -> None:
    tree = Tree(full(2))
    coverage = Coverage(tree.program)
    assert (coverage.total, coverage.count, coverage.reachable()) == (6, 0, 0)
    new = coverage.add(tree.run(b"").events)
    assert len(new) == coverage.count == 2 and coverage.reachable() == 6
    assert coverage.passed == np.count_nonzero(coverage.hit)
    assert len(coverage.add(tree.run(b"").events)) == 0
    assert sorted([*new.tolist(), *coverage.uncovered().tolist()]) == sorted(tree.program.branches)
    assert not coverage.add(np.array([ENTRY], np.uint32)).size
    with pytest.raises(ValueError):
        coverage.hit[0] = True


# ---- the cache ----------------------------------------------------------------------------------------------------


def finish(part: Part[Path], tree: Tree) -> tuple[Path, int]:
    """The part's value, and how many runs it asked for."""
    runs, result = 0, None
    try:
        while True:
            attempt = part.send(result)
            assert isinstance(attempt, Run)
            result, runs = tree.run(attempt.input), runs + 1
    except StopIteration as end:
        return end.value, runs


def test_the_cache_keeps_what_fits_and_runs_the_rest_again() -> None:
    tree = Tree(full(5))
    paths = [tree.run(bytes([number & 1, number >> 1 & 1])) for number in range(4)]
    size = paths[0].events.nbytes + paths[0].constraints.nbytes + len(paths[0].input) + 1_000
    cache = PathCache(2 * size)
    kept = [cache.keep(path) for path in paths]
    assert finish(cache.fetch(kept[3]), tree) == (paths[3], 0)
    again, runs = finish(cache.fetch(kept[0]), tree)
    assert runs == 1 and again.input == paths[0].input and again.events is paths[0].events
    assert finish(cache.fetch(kept[3]), tree)[1] == 0  # used lately, so it is still there
    assert finish(cache.fetch(kept[2]), tree)[1] == 1
    cache.drop(kept[2])
    assert finish(cache.fetch(kept[2]), tree)[1] == 1


def test_dfs_with_a_tiny_cache_still_visits_every_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("untaken.search.view.DEFAULT_BYTES", 3_000)
    tree = Tree(full(6))
    driver = driver_of(tree, dfs)
    assert driver.run() is Ending.EXHAUSTED
    assert driver.search.tally.verdicts[Verdict.HELD] == 63
    assert driver.search.tally.iterations > 64
