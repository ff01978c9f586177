"""The search around a snapshot: what it comes back with."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

from tests.search.trees import Tree, full
from untaken.model.path import Path
from untaken.search.attempts import Steps
from untaken.search.strategies.hybrid.neighbourhood import Neighbourhood
from untaken.search.view import SearchView, new_search


class NoPhrases:
    """Nothing is known that the program understands."""

    repertoire = SimpleNamespace(knows=lambda goal: True)

    def search(self, search: SearchView, goals: Any) -> Steps:
        yield from ()
        return None

    def keep(self, search: SearchView, path: Path, branches: Any) -> Steps:
        yield from ()
        return None


def two_runs(search: SearchView) -> Steps:
    yield search.run(b"")
    yield search.run(b"\1")
    return None


def test_a_path_that_covered_something_new_is_found_though_it_has_no_constraints() -> None:
    tree = Tree(full(3))
    search = new_search(tree.program, Random(1))
    first, second = tree.run(b""), tree.run(b"\1")
    found = replace(first, constraints=first.constraints[:0])
    explored = Neighbourhood(two_runs, 10, NoPhrases()).explore(search)  # type: ignore[arg-type]
    next(explored)
    search.corpus.found[search.snapshot] = found
    result: Any = found
    try:
        while True:
            explored.send(result)
            result = second
    except StopIteration as end:
        assert end.value is found
