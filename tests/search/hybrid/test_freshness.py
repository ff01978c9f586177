"""What hybrid search flips first: decisions that are new in their context."""

from __future__ import annotations

from random import Random

import numpy as np

from untaken.model.path import CONSTRAINT_DTYPE, ConstraintKind, Exit, ExitKind, Path
from untaken.search.strategies.hybrid.freshness import Freshness, PathDecisions


def view(*events: int) -> PathDecisions:
    """A path on which each event is a decision."""
    constraints = np.zeros(len(events), CONSTRAINT_DTYPE)
    constraints["id"] = events
    constraints["position"] = range(len(events))
    constraints["kind"] = ConstraintKind.BRANCH
    return PathDecisions(Path(b"", np.array(events, np.uint32), constraints, Exit(ExitKind.INPUTS)))


def test_each_decision_has_its_turn() -> None:
    freshness = Freshness(Random(1))
    path = view(2, 4, 6)
    assert sorted(str(freshness.flip(path)) for _ in range(3)) == ["0", "1", "2"]
    assert not freshness.has_fresh(path) and freshness.first_fresh(path) is None
    assert sorted(str(freshness.flip(path)) for _ in range(3)) == ["0", "1", "2"], "what was flipped least"


def test_the_same_decision_is_new_where_what_comes_before_is_new() -> None:
    freshness = Freshness(Random(1))
    for _ in range(4):
        freshness.flip(view(2, 4, 2, 4))
    further = view(2, 4, 2, 5, 2, 4)
    assert freshness.has_fresh(further) and freshness.first_fresh(further) == 3
    assert {freshness.flip(further) for _ in range(3)} == {3, 4, 5}


def test_a_context_does_not_go_back_for_ever() -> None:
    freshness = Freshness(Random(1))
    for _ in range(40):
        freshness.flip(view(*[2] * 40))
    assert freshness.first_fresh(view(*[2] * 60)) is None


def test_a_path_without_decisions_has_nothing_to_flip() -> None:
    assert Freshness(Random(1)).flip(view()) is None
