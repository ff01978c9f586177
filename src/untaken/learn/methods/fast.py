"""Past the paper: the same search with at most a fifth of its executions.

Samples run for a third of a campaign, which tells nearly as much as a whole one. Half of them are drawn at random; with
them is the general heuristic, which was good elsewhere. Then, in generations, where to look is guessed from all that
was tried (learn/surrogate.py): many children of the best so far are thought of, each weight from either parent and some
of them moved, and those are tried that may well be best. The few that are believed to be best in the end run two whole
campaigns each, which are the first of the check of one of them.

What is believed of weights is never their own luck alone, since those that are like them count as well. The budget is a
fifth of what the paper's algorithm spends at the least, in two rounds.
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

SHARE = 1 / 3  # of a campaign, that samples run for
GENERATIONS = 6
PARENTS = 6
STRANGERS = 0.1  # of the children have no parents
MOVED = 0.25  # of a child's weights
REACH = 4.0  # standard deviation of a move
LITTER = 60  # children are thought of for each that is tried
OPTIMISM = 4.0  # standard deviations by which a child may be better than is guessed
LOOK = 3  # after so many generations the best runs a whole campaign, to see how far it is
FINALISTS = 5
FINAL_TRIALS = 2


def budget(samples: int) -> int:
    """In campaigns: a fifth of the paper's two rounds."""
    return 2 * (samples + TOP * CHECK_TRIALS) // 5


def fast(ledger: Ledger, rng: Random, samples: int) -> Round:
    """The one that is believed to be best in the end, checked as the paper does."""
    return fast_from([general_heuristic().vector], ledger, rng, samples)


def fast_from(known: Sequence[Weights], ledger: Ledger, rng: Random, samples: int) -> Round:
    """The same, from weights that are known to be good elsewhere, or from none."""
    whole, search = ledger.objective.executions, _Search(ledger, rng)
    kept = FINALISTS * FINAL_TRIALS + CHECK_TRIALS - FINAL_TRIALS
    looks = 1 + GENERATIONS // LOOK
    tries = (budget(samples) - kept - looks) * whole // max(1, round(SHARE * whole))
    size = tries // (2 * GENERATIONS)
    search.begin(known, tries - GENERATIONS * size)
    search.test(1, 1)
    for generation in range(1, GENERATIONS + 1):
        search.next(size)
        if generation % LOOK == 0:
            search.test(1, 1)
    best = search.test(FINALISTS, FINAL_TRIALS)
    return ledger.close_round(best, ledger.averages("check", [best])[0])


class _Search:
    """What was tried, and what is thought of it."""

    def __init__(self, ledger: Ledger, rng: Random) -> None:
        self._ledger = ledger
        self._rng = rng
        self._space = Space()
        self._surrogate = Surrogate()
        self._trials: dict[Weights, int] = {}  # of each that was tried: how many whole campaigns it has run
        self._number = 0

    def begin(self, known: Sequence[Weights], size: int) -> None:
        """The first have no parents."""
        self._try([*known, *(self._space.sample(self._rng) for _ in range(size - len(known)))])

    def next(self, size: int) -> None:
        """The most promising of many children."""
        parents = self._best_of(list(self._trials))[:PARENTS]
        born = [_child(self._rng, parents, self._space) for _ in range(LITTER * size)]
        self._try(best_first(born, self._surrogate.guesses(born, OPTIMISM))[:size])

    def test(self, count: int, trials: int) -> Weights:
        """The best of so many, after so many whole campaigns of each."""
        chosen = self._best_of(list(self._trials))[:count]
        for trial in range(1, trials + 1):
            new = [each for each in chosen if self._trials[each] < trial]
            self._surrogate.learn(new, self._ledger.scores(f"whole campaigns of {count}", new, trial), 1.0)
            self._trials |= dict.fromkeys(new, trial)
        best = self._best_of(chosen)[0]
        known = self._trials[best]
        self._ledger.close_round(best, self._ledger.averages("whole campaigns", [best], known)[0], known)
        return best

    def _try(self, brood: list[Weights]) -> None:
        self._number += 1
        # Seeds that no check has: what was only lucky here is not lucky there for the same reason.
        trial = CHECK_TRIALS + self._number
        self._surrogate.learn(brood, self._ledger.scores(f"generation {self._number}", brood, trial, SHARE), SHARE)
        self._trials = dict.fromkeys(brood, 0) | self._trials

    def _best_of(self, weights: list[Weights]) -> list[Weights]:
        return best_first(weights, self._surrogate.guesses(weights))


def _child(rng: Random, parents: Sequence[Weights], space: Space) -> Weights:
    if rng.random() < STRANGERS:
        return space.sample(rng)
    mother, father = rng.choice(parents), rng.choice(parents)
    return tuple(_weight(rng, rng.choice(pair)) for pair in zip(mother, father, strict=True))


def _weight(rng: Random, inherited: float) -> float:
    moved = rng.gauss(inherited, REACH) if rng.random() < MOVED else inherited
    return round(max(-LARGEST, min(LARGEST, moved)), DIGITS)
