"""Python's collector is turned down, and as it was afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from untaken.uncollected import OBJECTS, seldom_collected, uncollected


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_garbage_is_looked_for_seldom_inside() -> None:
    gc.set_threshold(700, 10, 10)
    with seldom_collected():
        assert gc.get_threshold() == (OBJECTS, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("young", [0, 2 * OBJECTS])
def test_whoever_collects_less_is_left_alone(young: int) -> None:
    gc.set_threshold(young, 5, 5)
    with seldom_collected():
        assert gc.get_threshold() == (young, 5, 5)


def test_nothing_is_collected_inside() -> None:
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_last_of_several_that_overlap_leaves_it_as_it_was() -> None:
    gc.set_threshold(700, 10, 10)
    first, second = seldom_collected(), seldom_collected()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == (OBJECTS, 10, 10)
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)
