"""Guesses at how good weights are: what they follow, what they ignore, and how sure they are."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.learn.objectives import zeros
from untaken.learn.objective import Weights
from untaken.learn.surrogate import Surrogate
from untaken.learn.weight_space import WeightSpace


def slope(weights: Weights) -> float:
    """A score that follows the direction: how far it points along the first weight and against the second."""
    return 100.0 * (weights[0] - weights[1]) / float(np.linalg.norm(weights))


def taught(count: int = 60, noise: float = 0.0) -> Surrogate:
    rng, surrogate = Random(3), Surrogate()
    samples = [WeightSpace().sample(rng) for _ in range(count)]
    surrogate.learn(samples, [slope(each) + rng.gauss(0, noise) for each in samples], 1.0)
    return surrogate


def unseen(count: int = 200) -> list[Weights]:
    rng = Random(4)
    return [WeightSpace().sample(rng) for _ in range(count)]


def agreement(surrogate: Surrogate, weights: list[Weights]) -> float:
    return float(np.corrcoef(surrogate.guesses(weights), [slope(each) for each in weights])[0, 1])


def test_guesses_follow_what_was_tried() -> None:
    assert agreement(taught(), unseen()) > 0.7


def test_guesses_follow_through_noise() -> None:
    """As much noise as there is to learn: the scores have a standard deviation of about 22."""
    assert agreement(taught(noise=22.0), unseen()) > 0.4


def test_only_the_direction_counts() -> None:
    weights = unseen(5)
    halves = [tuple(weight / 2 for weight in each) for each in weights]
    assert taught().guesses(weights) == taught().guesses(halves)


def test_no_weights_at_all_are_guessed_at_too() -> None:
    surrogate = taught(10)
    surrogate.learn([zeros()], [-50.0], 1.0)
    assert surrogate.guesses([zeros()])[0] < max(surrogate.guesses(unseen(20)))


def test_campaigns_of_other_lengths_are_on_their_own_level() -> None:
    """The whole campaigns of weights that are bad cover more than a third of those that are good."""
    surrogate, samples = taught(), unseen(20)
    surrogate.learn(samples, [500.0 + slope(each) for each in samples], 1 / 3)
    assert agreement(surrogate, unseen(100)[20:]) > 0.7


def test_optimism_favours_what_is_unknown() -> None:
    surrogate = taught(10)
    known, unknown = unseen(1)[0], tuple(-weight for weight in unseen(1)[0])
    surrogate.learn([known] * 10, [0.0] * 10, 1.0)
    gain = [surrogate.guesses([each], 2.0)[0] - surrogate.guesses([each])[0] for each in (known, unknown)]
    assert 0 <= gain[0] < gain[1]


def test_equal_scores_say_nothing() -> None:
    surrogate = Surrogate()
    surrogate.learn(unseen(5), [7.0] * 5, 1.0)
    assert len(set(surrogate.guesses(unseen(9)))) == 1
