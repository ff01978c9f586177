"""Algorithm 2 of the ParaDySE paper, to the letter: find, check, refine, until the checked average falls.

A round whose best average equals the best so far is no end: the paper goes on until it is less. Only where rounds are
equal again and again, because all that can be covered is, we stop: there the paper's loop has no end. Campaigns of one
step of one round share their seeds, so that no weights are luckier than others; no two steps and no two rounds do.

What is tuned is the search that `untaken tune --strategy` names; `parametric:later=yes:restart=none:found=no` is the
paper's own.
"""

from __future__ import annotations

from random import Random

from untaken.learn.ledger import Ledger, Round, best_first
from untaken.learn.weight_space import WeightSpace

TOP = 10  # samples that are checked
TRIALS_OF_A_ROUND = 100  # numbers of trials, of which finding takes the first and checking the next ones
MOST_TIES = 5  # rounds in a row


def paper(ledger: Ledger, rng: Random, samples: int) -> Round:
    """The best weights of the rounds before the first that is worse."""
    space = WeightSpace()
    best: Round | None = None
    ties = 0
    while best is None or ties < MOST_TIES:
        number = len(ledger.rounds) + 1
        find = number * TRIALS_OF_A_ROUND
        found = [space.sample(rng) for _ in range(samples)]
        top = best_first(found, ledger.scores(f"round {number}: find", found, find))[:TOP]
        averages = ledger.averages(f"round {number}: check", top, first=find + 1)
        first, second = best_first(top, averages)[:2]
        space = space.refined(first, second)
        average = max(averages)
        if best is not None and average < best.average:
            ledger.close_round(best.weights, best.average)
            return best
        ties = ties + 1 if best is not None and average == best.average else 0
        best = ledger.close_round(first, average)
    return best
