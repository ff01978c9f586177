"""How often runs passed each id: numbers are told apart roughly, and a run that shows a new one is kept."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.search.knowledge.pass_counts import MOST_KEPT, PassCounts

IDS = 10


def passing(*ids: int, input: bytes = b"") -> Path:
    return Path(input, np.array(ids, np.uint32), np.zeros(0, CONSTRAINT_DTYPE), Exit(ExitKind.CODE))


@pytest.mark.parametrize(("times", "is_new"), [(4, False), (7, False), (8, True), (3, True), (300, True)])
def test_numbers_are_told_apart_roughly(times: int, is_new: bool) -> None:
    counts = PassCounts(Random(1), IDS)
    assert counts.is_new(passing(*[2] * 5).events)
    assert counts.is_new(passing(*[2] * times).events) is is_new


def test_more_than_ever_is_one_sort() -> None:
    counts = PassCounts(Random(1), IDS)
    assert counts.is_new(passing(*[2] * 200).events)
    assert not counts.is_new(passing(*[2] * 1000).events)


def test_another_id_as_often_is_new() -> None:
    counts = PassCounts(Random(1), IDS)
    assert counts.is_new(passing(2, 2).events)
    assert counts.is_new(passing(2, 2, 4).events)
    assert not counts.is_new(passing(4, 2, 2).events), "in another order"


def test_what_is_seen_is_kept_once() -> None:
    counts = PassCounts(Random(1), IDS)
    counts.observe(passing(2, input=b"a"))
    counts.observe(passing(2, input=b"b"))
    counts.observe(passing(2, 2, input=b"c"))
    counts.observe(replace(passing(4, input=b"d"), snapshot=1))
    counts.observe(replace(passing(6, input=b"e"), exit=Exit(ExitKind.TIMEOUT)))
    assert [input for input, _ in counts.kept] == [b"a", b"c"]


def test_a_run_of_a_library_that_the_map_lacks_is_no_fault() -> None:
    counts = PassCounts(Random(1), IDS)
    assert counts.is_new(passing(IDS + 5).events)
    assert not counts.is_new(passing(IDS + 7).events)
    assert not counts.is_new(np.zeros(0, np.uint32))


def test_no_more_are_kept_than_there_is_room_for() -> None:
    counts = PassCounts(Random(1), IDS)
    for number in range(MOST_KEPT + 5):
        counts.keep(passing(2, input=number.to_bytes(4, "little")))
    assert len(counts.kept) == MOST_KEPT
    assert counts.kept[-1][0] == (MOST_KEPT + 4).to_bytes(4, "little")
