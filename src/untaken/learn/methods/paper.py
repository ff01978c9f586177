"""The paper's algorithm 2, to the letter: find, check, refine, until the checked average no longer rises."""

from __future__ import annotations

from random import Random

from untaken.learn.ledger import Ledger, Round, best_first
from untaken.learn.weight_space import WeightSpace

TOP = 10  # samples that are checked
FIND_TRIAL = 0  # its seed is none of those that samples are checked with


def paper(ledger: Ledger, rng: Random, samples: int) -> Round:
    """The best weights of the round before the first that brought nothing better."""
    space = WeightSpace()
    best: Round | None = None
    while True:
        number = len(ledger.rounds) + 1
        found = [space.sample(rng) for _ in range(samples)]
        scores = ledger.scores(f"round {number}: find", found, FIND_TRIAL)
        top = best_first(found, scores)[:TOP]
        averages = ledger.averages(f"round {number}: check", top)
        first, second = best_first(top, averages)[:2]
        space = space.refined(first, second)
        average = max(averages)
        if best is not None and average <= best.average:
            ledger.close_round(best.weights, best.average)
            return best
        best = ledger.close_round(first, average)
