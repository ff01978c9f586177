"""`hybrid:paper=yes`: algorithm 2 line by line, and on the paper's own example."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as File
from random import Random

import numpy as np
import pytest

from tests.campaign.commands import EXAMPLES, campaign
from tests.search.trees import Fork, Leaf, Tree, comb, full
from untaken.model.path import Exit, ExitKind
from untaken.model.stretch import Stretch
from untaken.search.attempts import Flip, Run, Wander
from untaken.search.strategies.hybrid.paper import Parameters, _selected, algorithm_2, concolic
from untaken.search.view import SearchView, new_search

BOUNDS = Parameters(saturation=30, inputs=4, attempts=5)


def searched(root: Fork | Leaf) -> tuple[Tree, SearchView]:
    tree = Tree(root)
    return tree, new_search(tree.program, Random(1))


def test_random_and_concolic_take_turns() -> None:
    tree, search = searched(full(2))
    steps = algorithm_2(search, BOUNDS)
    first = next(steps)
    assert isinstance(first, Wander) and (first.snapshot, first.saturation, first.horizon) == (0, 30, 4)  # lines 2-16
    inside = steps.send(Stretch(b"abc", 2, 3, snapshot=7))  # line 17: iter = theta-2
    assert isinstance(inside, Run) and inside.snapshot == 7  # lines 18-19
    path = replace(tree.run(inside.input), snapshot=7, exit=Exit(ExitKind.INPUTS))
    search.corpus.found[7] = path  # it covered something: the search ends at once
    second = steps.send(path)
    assert isinstance(second, Wander) and second.snapshot == 7 and second.input  # lines 20-21
    third = steps.send(Stretch(b"abcd", 0, 4, snapshot=0, exit=Exit(ExitKind.CODE)))  # line 5: halt
    assert isinstance(third, Wander) and (third.snapshot, third.input) == (0, b"")  # line 2


def test_a_search_that_finds_nothing_leaves_inputs_random() -> None:
    """Its resources are so many attempts, or all that there is within the bound."""
    for root, attempts in ((comb(50), 5), (full(2), 4)):
        tree, search = searched(root)
        steps, count = concolic(search.within(9), 5), 0
        result = None
        with pytest.raises(StopIteration) as end:
            while True:
                attempt = steps.send(result)
                count += 1
                path = attempt.path if isinstance(attempt, Flip) else None
                result = tree.run(b"") if path is None else None  # no flip can be had
        assert (end.value.value, count) == (b"", min(attempts, 1 + len(tree.run(b"").symbolic)))


def test_conditionals_with_an_uncovered_other_side_come_first() -> None:
    tree, search = searched(full(4))
    path = tree.run(b"")
    assert list(_selected(search, path, 0)) == [0, 1, 2, 3]
    covered = path.constraints["id"][[0, 2]] ^ 1
    search.coverage.add(covered.astype(np.uint32))
    assert list(_selected(search, path, 0)) == [1, 3, 0, 2]
    assert list(_selected(search, path, 2)) == [3, 2]


def test_each_path_within_the_bound_is_tried_once() -> None:
    tree, search = searched(full(3))
    steps = concolic(search.within(9), 1_000)
    attempt, runs = next(steps), []
    with pytest.raises(StopIteration):
        while True:
            if isinstance(attempt, Flip):
                assert attempt.fresh
                answer = tree.solve_flip(attempt.path, attempt.index)
                attempt_input = answer.input  # type: ignore[union-attr]
            else:
                attempt_input = b""
            path = tree.run(attempt_input)
            runs.append(tuple(path.constraints["taken"].tolist()))
            attempt = steps.send(path)
    assert len(runs) == len(set(runs)) == 8


def test_the_error_of_figure_1_is_reached_by_the_papers_algorithm(tmp_path: File) -> None:
    words = ("--strategy", "hybrid:paper=yes", "--first-finding", "--iterations", 20_000, "--out", tmp_path)
    summary = campaign(EXAMPLES / "reset.c", *words)
    assert [finding.what for finding in summary.findings] == ["SIGABRT"]
