"""Runs that are remembered: the same input is not run twice, and nobody waits for ever because of that."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from untaken.model.path import Exit, ExitKind
from untaken.search.attempts import Steps, Strategy
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.knowledge.known_runs import KnownRuns
from untaken.search.strategies.auto import auto
from untaken.search.view import SearchView
from untaken.search.world import World

from .trees import Tree, comb, full


def driver_of(tree: Tree, strategy: Strategy, iterations: int) -> Driver:
    return Driver(World(tree.program, tree, tree), strategy, Random(1), Budget(iterations=iterations))


def same_again(search: SearchView) -> Steps:
    search.known_runs.wanted = True
    while True:
        path = yield search.run(b"\1")
        assert path.input == b"\1"


def test_auto_hardly_runs_an_input_twice() -> None:
    tree = Tree(comb(12))
    driver_of(tree, auto, 150).run()
    assert len(set(tree.runs)) > 0.9 * len(tree.runs)


def test_who_asks_for_nothing_else_comes_to_an_end() -> None:
    tree = Tree(full(4))
    driver = driver_of(tree, same_again, 5)
    assert driver.run() is Ending.ITERATIONS
    assert len(tree.runs) == 5 and driver.search.tally.known > 50


def test_strategies_that_do_not_want_it_run_what_they_ask_for() -> None:
    def twice(search: SearchView) -> Steps:
        yield search.run(b"\1")
        yield search.run(b"\1")
        return None

    tree = Tree(full(4))
    driver_of(tree, twice, 2).run()
    assert tree.runs == [b"\1", b"\1"]


def test_a_path_is_new_once_and_a_run_that_was_stopped_is_not_remembered() -> None:
    tree, known = Tree(full(4)), KnownRuns()
    known.wanted = True
    path = tree.run(b"\1\1\1\1")
    assert known.add(path.input, path)
    assert not known.add(b"\3\3\3\3", path)  # another input, the same decisions
    assert known.path_of(b"\3\3\3\3") is path
    late = replace(path, exit=Exit(ExitKind.TIMEOUT))
    known.add(b"late", late)
    assert known.path_of(b"late") is None
