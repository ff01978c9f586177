"""The naive baseline of the paper: the best of many random vectors, by one campaign each."""

from __future__ import annotations

from random import Random

from untaken.learn.ledger import Ledger, Round, best_first
from untaken.learn.weight_space import WeightSpace

FIND_TRIAL = 0  # its seed is none of those that the best is checked with


def random_samples(ledger: Ledger, rng: Random, samples: int) -> Round:
    """Checked like the others, so that its average means the same."""
    space = WeightSpace()
    found = [space.sample(rng) for _ in range(samples)]
    best = best_first(found, ledger.scores("find", found, FIND_TRIAL))[0]
    return ledger.close_round(best, ledger.averages("check", [best])[0])
