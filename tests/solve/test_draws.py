"""What solvers draw at random: the same everywhere, spread over what it is drawn from."""

from __future__ import annotations

import numpy as np

from untaken.solve.values.draws import Draws

WORDS = ["0x6bc2df6974eb4a88", "0xb7f7a16efc8541e2", "0x415115e926ae2e04"]
FRACTIONS = [0.20325758278388828, 0.6998885123414595]


def test_draws_are_the_same_on_every_machine_and_with_every_numpy() -> None:
    draws = Draws(7)
    assert [hex(word) for word in draws.words(3).tolist()] == WORDS
    assert draws.fractions(2).tolist() == FRACTIONS


def test_the_second_draw_is_another() -> None:
    draws = Draws(-3)
    assert not set(draws.words(100).tolist()) & set(draws.words(100).tolist())


def test_fractions_are_spread_over_their_range() -> None:
    fractions = Draws(1).fractions(10_000)
    assert 0 <= fractions.min() < 0.001
    assert 0.999 < fractions.max() < 1
    counts = np.histogram(fractions, bins=10, range=(0, 1))[0]
    assert all(900 < count < 1100 for count in counts.tolist())


def test_magnitudes_are_of_all_sizes() -> None:
    sizes = Draws(2).magnitudes(-10, 40, 1000)
    assert 2**-10 <= sizes.min() < 2**-8
    assert 2**38 < sizes.max() < 2**40


def test_every_member_of_a_pool_is_chosen() -> None:
    assert set(Draws(3).chosen(np.array([1.5, 2.5, 3.5]), 100).tolist()) == {1.5, 2.5, 3.5}
