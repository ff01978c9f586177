"""What paths tell of their columns, against the plain answer."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from untaken.model.path import CONSTRAINT_DTYPE, ConstraintKind, Exit, ExitKind, Path


def path_of(events: list[int], constraints: Sequence[tuple[int, int]] = (), threads: int = 1) -> Path:
    """Constraints are given as their kind and position."""
    rows = np.zeros(len(constraints), CONSTRAINT_DTYPE)
    for row, (kind, position) in zip(rows, constraints, strict=True):
        row["kind"], row["position"] = kind, position
    return Path(b"", np.array(events, np.uint32), rows, Exit(ExitKind.CODE), threads=threads)


@pytest.mark.parametrize("seed", range(30))
def test_the_last_place_of_an_id_is_not_one_across_two_events(seed: int) -> None:
    rng = Random(seed)
    ids = [0, 1, 5, 256, 1280, 65536, 1 << 24]  # the bytes of some lie across two of others
    events = rng.choices(ids, k=rng.randrange(40))
    path = path_of(events)
    for id in [*ids, 7]:
        for start in range(len(events) + 2):
            expected = max((place for place in range(start, len(events)) if events[place] == id), default=-1)
            assert path.last_place(id, start) == expected


def test_decisions_of_other_threads_have_no_place() -> None:
    branch, pin = int(ConstraintKind.BRANCH), int(ConstraintKind.PIN)
    rows = [(branch, 0), (branch, 9), (pin, 1), (branch, 2), (branch, 7)]
    assert path_of([4, 4, 4], rows, threads=2).placed.tolist() == [0, 3]
    assert path_of([4, 4, 4], [(branch, 0), (branch, 2)]).placed.tolist() == [0, 1]
