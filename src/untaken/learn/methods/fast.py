"""Past the paper: its loop of find and check, for a fifth of the executions that it takes.

To look for good weights costs little: samples run for a third of a campaign, which tells nearly as much as a whole one,
and where to look is guessed from all that was tried (learn/surrogate.py). The first samples are drawn at random; with
them is the general heuristic, which was good elsewhere. The others come in generations: many children of the best so
far are thought of, each weight from either parent and some of them moved; from the one that may well be best a line of
thought goes on, step by step, to what may be better still, and its end is tried.

Then those that may well be the best of all run whole campaigns, one each, again and again: who falls back gets no more
of them. They are the first of the ten campaigns of a check, which the one that is believed to be best completes. What
is believed of weights is never their own luck alone, since those that are like them count as well. So it decides what
is best, and not the checked average, which promises too much of the luckiest of many.

All this is done twice: the second time it is shorter, and knows more. The budget is a fifth of four rounds of the
paper's algorithm, which takes four or five on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

from untaken.learn.ledger import CHECK_TRIALS, Ledger, Round, best_first
from untaken.learn.methods.paper import TOP
from untaken.learn.objective import Question, Weights
from untaken.learn.surrogate import Surrogate
from untaken.learn.weight_space import WeightSpace
from untaken.search.heuristics.heuristic import DIGITS, LARGEST
from untaken.search.heuristics.heuristic_files import general_heuristic

COST = 5  # rounds for the executions of one of the paper's
ROUNDS = 4
FIRST = 3  # of them are over when something is checked
SHARE = 1 / 3  # of a campaign, that samples run for
TRIED = 0.65  # of a round's executions go to samples
GENERATIONS = 3  # in a round
PARENTS = 12
STRANGERS = 0.1  # of the children have no parents
MOVED = 0.25  # of a child's weights
REACH = 4.0  # standard deviation of a move
LITTER = 60  # children are thought of for each that is tried
STEPS = 5  # from the best of them to what is tried
NEIGHBOURS = 30  # that are thought of in a step
NUDGED = 0.15  # of a neighbour's weights
NUDGE = 3.0  # standard deviation of a nudge
OPTIMISM = 2.0  # standard deviations by which what is tried may be better than is guessed
RIVALS = 5  # that run whole campaigns at a time
MOST_TRIALS = 2 * CHECK_TRIALS  # of a rival: even those that were checked may have been lucky
HOPE = 1.0  # standard deviations by which a rival may be better than is guessed


def budget(samples: int) -> int:
    """Of a round, in campaigns."""
    return (samples + TOP * CHECK_TRIALS) // COST


def fast(ledger: Ledger, rng: Random, samples: int) -> Round:
    """The one that is believed to be best in the end."""
    return fast_from([general_heuristic().vector], ledger, rng, samples)


def fast_from(known: Sequence[Weights], ledger: Ledger, rng: Random, samples: int) -> Round:
    """The same, from weights that are known to be good elsewhere, or from none."""
    search = _Search(ledger, rng)
    executions = budget(samples) * ledger.objective.executions
    search.begin(known, FIRST * executions)
    search.check(FIRST * executions)
    search.look((ROUNDS - FIRST) * executions)
    return search.check(ROUNDS * executions)


class _Search:
    """What was tried, and what is thought of it."""

    def __init__(self, ledger: Ledger, rng: Random) -> None:
        self._ledger = ledger
        self._rng = rng
        self._surrogate = Surrogate()
        self._trials: dict[Weights, int] = {}  # of each that was tried: how many whole campaigns it has run
        self._broods = 0
        self._whole = ledger.objective.executions
        self._short = max(1, round(SHARE * self._whole))
        self._spent = 0  # executions, as if every campaign took as many as it may

    def begin(self, known: Sequence[Weights], executions: int) -> None:
        """At first, half of the samples have no parents."""
        strangers = self._samples(executions) // 2
        self._try([*known, *(WeightSpace().sample(self._rng) for _ in range(strangers - len(known)))])
        self.look(executions // 2, FIRST * GENERATIONS)

    def look(self, executions: int, generations: int = GENERATIONS) -> None:
        """Tries the most promising of many children, for the part of these executions that is for samples."""
        size = self._samples(executions) // generations
        for _ in range(generations):
            parents = self._best_of(list(self._trials))[:PARENTS]
            self._try(promising(self._surrogate, parents, size, self._rng))

    def check(self, limit: int) -> Round:
        """Whole campaigns, for so many executions in all; then the best of those that are checked."""
        while True:
            best = self._best_of(list(self._trials))[0]
            missing = CHECK_TRIALS - self._trials[best]
            left = (limit - self._spent) // self._whole
            reserve = missing if self._checked() else CHECK_TRIALS  # something has to be checked
            if left >= RIVALS + max(0, reserve):
                unsure = [each for each, trials in self._trials.items() if trials < MOST_TRIALS]
                self._run(self._best_of(unsure, HOPE)[:RIVALS])
            elif 0 < missing <= left:
                self._run([best], missing)
            else:
                return self._closed()

    def _closed(self) -> Round:
        best = self._best_of(self._checked())[0]
        trials = self._trials[best]
        return self._ledger.close_round(best, self._ledger.averages("check", [best], trials)[0], trials)

    def _checked(self) -> list[Weights]:
        return [each for each, trials in self._trials.items() if trials >= CHECK_TRIALS]

    def _samples(self, executions: int) -> int:
        """How many there are for their part of so many executions."""
        return int(TRIED * executions / self._short)

    def _try(self, brood: list[Weights]) -> None:
        self._broods += 1
        # Seeds that no check has: what was only lucky here is not lucky there for the same reason.
        trial = MOST_TRIALS + self._broods
        self._surrogate.learn(brood, self._ledger.scores(f"generation {self._broods}", brood, trial, SHARE), SHARE)
        self._trials = dict.fromkeys(brood, 0) | self._trials
        self._spent += self._short * len(brood)

    def _run(self, chosen: list[Weights], times: int = 1) -> None:
        """So many more whole campaigns of each."""
        asked = [Question(each, self._trials[each] + more) for each in chosen for more in range(1, times + 1)]
        answers = self._ledger.ask(f"whole campaigns of {len(chosen)}", asked)
        self._surrogate.learn([each.weights for each in asked], [answer.score for answer in answers], 1.0)
        self._trials |= {each: self._trials[each] + times for each in chosen}
        self._spent += self._whole * len(asked)

    def _best_of(self, weights: list[Weights], optimism: float = 0.0) -> list[Weights]:
        return best_first(weights, self._surrogate.guesses(weights, optimism))


def promising(surrogate: Surrogate, parents: Sequence[Weights], count: int, rng: Random) -> list[Weights]:
    """What to try next. Each is the end of a line of its own, so that they are not all alike."""
    lines = _fittest(surrogate, [[_child(rng, parents) for _ in range(LITTER)] for _ in range(count)])
    for _ in range(STEPS):
        families = [[each, *(_moved(rng, each, NUDGED, NUDGE) for _ in range(NEIGHBOURS))] for each in lines]
        lines = _fittest(surrogate, families)
    return list(dict.fromkeys(lines))


def _fittest(surrogate: Surrogate, families: Sequence[Sequence[Weights]]) -> list[Weights]:
    """Of each family the one that may well be best."""
    guesses = iter(surrogate.guesses([each for family in families for each in family], OPTIMISM))
    return [best_first(family, list(islice(guesses, len(family))))[0] for family in families]


def _child(rng: Random, parents: Sequence[Weights]) -> Weights:
    if rng.random() < STRANGERS:
        return WeightSpace().sample(rng)
    mother, father = rng.choice(parents), rng.choice(parents)
    return _moved(rng, [rng.choice(pair) for pair in zip(mother, father, strict=True)], MOVED, REACH)


def _moved(rng: Random, weights: Sequence[float], share: float, reach: float) -> Weights:
    """With this share of them changed."""
    return tuple(_within(rng.gauss(each, reach)) if rng.random() < share else each for each in weights)


def _within(weight: float) -> float:
    return round(max(-LARGEST, min(LARGEST, weight)), DIGITS)
