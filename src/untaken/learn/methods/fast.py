"""Past the paper: the same search with at most a fifth of its executions.

Three savings. Hopeless samples are stopped early: all run for a ninth of a campaign, the best third of them for a
third, the best third of those to the end (successive halving). Evaluations are used again: a whole campaign of a sample
is the first trial of its check, and what was checked in one generation is not run again in the next. And samples are
drawn near good ones: children of the best so far, each weight from either parent, some of them moved.

The budget is a fifth of what the paper's algorithm spends at the least, in two rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from untaken.learn.ledger import CHECK_TRIALS, Ledger, Round, best_first
from untaken.learn.methods.paper import TOP
from untaken.learn.objective import Weights
from untaken.learn.space import Space
from untaken.learn.surrogate import Surrogate
from untaken.search.general import general_heuristic
from untaken.search.heuristic import DIGITS, LARGEST

BROOD, SMALL_BROOD = 27, 9  # samples of a generation; the small one for budgets that allow no two of the other
SHARES = (1 / 9, 1 / 3)
KEPT = 1 / 3  # of the samples go on from each share to the next
PARENTS = 5
TRIALS = 3  # of those that may become parents
FINALISTS = 3
STRANGERS = 1 / 9  # of the children have no parents
MOVED = 0.25  # of a child's weights
REACH = 4.0  # standard deviation of a move
LITTER = 8  # children are thought of for each that is tried
FEWEST = 2  # generations


def budget(samples: int) -> int:
    """In campaigns: a fifth of the paper's two rounds."""
    return 2 * (samples + TOP * CHECK_TRIALS) // 5


def fast(ledger: Ledger, rng: Random, samples: int) -> Round:
    """The best of the finalists, checked as the paper does."""
    whole = ledger.objective.executions
    last = (budget(samples) - FINALISTS * (CHECK_TRIALS - TRIALS)) * whole
    size = BROOD if FEWEST * (BROOD * KEPT + PARENTS * (TRIALS - 1)) * whole <= last else SMALL_BROOD
    space, generation = Space(), 0
    brood = [general_heuristic().vector, *(space.sample(rng) for _ in range(size - 1))]
    adults: dict[Weights, None] = {}
    surrogate = Surrogate()
    parents: list[Weights] = []
    before = spent = 0
    while generation < FEWEST or ledger.executions + spent <= last:
        generation += 1
        name = f"generation {generation}"
        adults |= dict.fromkeys(_survivors(ledger, name, brood, surrogate))
        parents, average = _parents(ledger, name, list(adults))
        ledger.close_round(parents[0], average, TRIALS)
        brood = _brood(rng, parents, space, surrogate, size)
        spent, before = ledger.executions - before, ledger.executions
    finalists = parents[:FINALISTS]
    averages = ledger.averages("check", finalists)
    return ledger.close_round(best_first(finalists, averages)[0], max(averages))


def _survivors(ledger: Ledger, name: str, brood: Sequence[Weights], surrogate: Surrogate) -> list[Weights]:
    """Those that went on to the end of a whole campaign."""
    left = list(brood)
    for share in SHARES:
        scores = ledger.scores(f"{name}: {share:.0%} of a campaign", left, 1, share)
        surrogate.learn(left, scores)
        left = best_first(left, scores)[: max(1, round(KEPT * len(left)))]
    surrogate.learn(left, ledger.scores(f"{name}: whole campaigns", left, 1))
    return left


def _parents(ledger: Ledger, name: str, adults: list[Weights]) -> tuple[list[Weights], float]:
    """The best by one trial, then the order of those by several."""
    chosen = best_first(adults, ledger.scores(f"{name}: parents", adults, 1))[:PARENTS]
    averages = ledger.averages(f"{name}: parents", chosen, TRIALS)
    return best_first(chosen, averages), max(averages)


def _brood(rng: Random, parents: Sequence[Weights], space: Space, surrogate: Surrogate, size: int) -> list[Weights]:
    """The most promising of many children."""
    born = [_child(rng, parents, space) for _ in range(LITTER * size)]
    return best_first(born, surrogate.guesses(born))[:size]


def _child(rng: Random, parents: Sequence[Weights], space: Space) -> Weights:
    if rng.random() < STRANGERS:
        return space.sample(rng)
    mother, father = rng.choice(parents), rng.choice(parents)
    return tuple(_weight(rng, rng.choice(pair)) for pair in zip(mother, father, strict=True))


def _weight(rng: Random, inherited: float) -> float:
    moved = rng.gauss(inherited, REACH) if rng.random() < MOVED else inherited
    return round(max(-LARGEST, min(LARGEST, moved)), DIGITS)
