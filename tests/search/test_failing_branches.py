"""A branch that only failing runs pass is still wanted in a test that ends well."""

from __future__ import annotations

import numpy as np
import pytest

from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.search.knowledge.failing_branches import FREE_TRIES, SHARE, FailingBranches, FurtherTries

NOTHING = np.empty(0, np.intp)


def run(kind: ExitKind, *ids: int) -> Path:
    return Path(b"", np.array(ids, np.uint32), np.zeros(0, CONSTRAINT_DTYPE), Exit(kind))


def cleared(failing: FailingBranches, path: Path, *new: int) -> list[int]:
    return [int(branch) for branch in failing.cleared(path, np.array(new, np.intp))]


@pytest.mark.parametrize("kind", [ExitKind.SIGNAL, ExitKind.TIMEOUT, ExitKind.MEMORY, ExitKind.ERROR])
def test_the_first_that_ends_well_is_told_once(kind: ExitKind) -> None:
    failing = FailingBranches(10)
    assert cleared(failing, run(kind, 2, 4, 6), 4, 6) == []
    assert cleared(failing, run(kind, 2, 4, 6)) == []
    assert cleared(failing, run(ExitKind.CODE, 6, 2, 6, 4)) == [4, 6]
    assert cleared(failing, run(ExitKind.CODE, 2, 4, 6)) == []


def test_what_another_run_covered_first_is_not_failing() -> None:
    failing = FailingBranches(10)
    assert cleared(failing, run(ExitKind.CODE, 2, 4), 2, 4) == []
    assert cleared(failing, run(ExitKind.SIGNAL, 2, 4)) == []
    assert cleared(failing, run(ExitKind.CODE, 2, 4)) == []


def test_a_run_that_was_cut_off_is_no_test_that_ends_well() -> None:
    failing = FailingBranches(10)
    cleared(failing, run(ExitKind.SIGNAL, 4), 4)
    assert cleared(failing, run(ExitKind.INPUTS, 4)) == []
    assert cleared(failing, run(ExitKind.CODE, 4, 99)) == [4]


def test_tries_in_vain_are_a_small_part_of_all_executions() -> None:
    tries = FurtherTries()
    for _ in range(FREE_TRIES):
        assert tries.are_worth_it(0)
        assert not tries.ended_well(run(ExitKind.SIGNAL, 4))
    assert not tries.are_worth_it(SHARE - 1)
    assert tries.are_worth_it(SHARE)


def test_tries_that_end_well_cost_nothing() -> None:
    tries = FurtherTries()
    for _ in range(FREE_TRIES + 1):
        assert tries.ended_well(run(ExitKind.CODE, 4))
    assert tries.are_worth_it(0)
