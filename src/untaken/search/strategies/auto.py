"""The strategy for those who do not want to choose: several strategies side by side, and a bandit that shares out.

Each strategy is a generator, suspended at its next attempt. The bandit gives the next attempt to the one that seems
to bring most new branches for its cost. New branches over cost is the rate of a Poisson process, so the bandit is
Thompson sampling with Gamma posteriors: draw a rate for each strategy from what is believed of it, take the highest.
That explores as much as the evidence is thin, needs no tuning to the size of the reward, and takes attempts of unequal
cost as they are. Since branches get harder to find, and strategies get stuck and free again, old evidence fades. What
lasts longer of it is the prior: where nobody has found anything lately, a strategy that was of use before is asked more
often than one that never was; and until there is such a record, the rate of the campaign as a whole stands for it.

Most of a long campaign is drought. There a dozen strategies would share alike, and one that needs a thousand attempts
of its own would have them after twelve thousand. Two things tell strategies apart before anything is found. Only a run
on a path that none has taken can find something: what is believed of a strategy without finds is in proportion to how
many such runs it makes for its cost (of one that begins again and again, soon none). And a run that comes to a state
that none has come to (search/knowledge/witnesses.py) is rewarded as a new branch is: so a strategy that is on its way
through the steps of a protocol gets there before it has covered anything.

The cost is Tally.cost: executions, queries, and the length of traces; never seconds, so the same seed gives the same
tests. All share coverage; each begins, and begins again, from inputs that were first to cover something, the latest
preferred, or from random ones. A few cheap random inputs come first. In the first drought those that go through the
tree of paths begin again at its root, the first input, where they are at their best: what is decided there may be all
that keeps a program from the rest, as the characters of a text are that `sscanf` takes apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log
from random import Random
from typing import Any, NamedTuple

from untaken.model.path import ExitKind, Path
from untaken.search.attempts import Attempt, Finish, Steps
from untaken.search.declaration import Options, declares
from untaken.search.heuristics.heuristic_files import heuristic_by_hand
from untaken.search.independence.pair_coverage import PairCoverage
from untaken.search.inputs import FoundStarts
from untaken.search.knowledge.witnesses import EarliestWitnesses
from untaken.search.strategies.bfs import bfs
from untaken.search.strategies.cfg import cfg
from untaken.search.strategies.cgs import cgs
from untaken.search.strategies.dfs import dfs
from untaken.search.strategies.earliest import earliest
from untaken.search.strategies.frequencies import frequencies
from untaken.search.strategies.frontier import frontier
from untaken.search.strategies.generational import generational
from untaken.search.strategies.havoc import havoc
from untaken.search.strategies.hybrid.algorithm import INPUTS_PER_SEARCH, SATURATION, hybrid
from untaken.search.strategies.openings import openings
from untaken.search.strategies.pairs import pairs
from untaken.search.strategies.parametric import parametric
from untaken.search.strategies.pieces import pieces
from untaken.search.strategies.random_branch import random_branch
from untaken.search.strategies.records import records
from untaken.search.strategies.stores import stores
from untaken.search.strategies.words import words
from untaken.search.view import SearchView

_MEMORY = 200.0  # cost after which evidence counts 1/e
_DRAWS_FOR_HYBRID = 4  # its attempts cost little, and what it may find is deep
_LONG_MEMORY = 2_000.0  # the same for what an arm, or the whole campaign, was worth before
_LITTLE = 0.01  # of a branch
_TRUST = 4.0  # branches that an arm is taken to have found at the price of the campaign
_DROUGHT = 200.0  # cost without a new branch, after which trees of paths are gone through from their root
_TRUSTED_PATHS = 5.0  # new paths that it is taken to have run, likewise


def _refused(options: Options) -> str | None:
    left_out = set(_named(options.get("without", "")))
    if unknown := left_out.difference(PARTS, _FOR_SOME):
        return f"has no part {min(unknown)!r}; it has: {', '.join((*PARTS, *_FOR_SOME))}"
    return "needs a part that is not left out" if left_out.issuperset(PARTS) else None


def _named(names: str) -> list[str]:
    return names.split("+") if names else []


@declares(scores=True, wanders=True, asks_for_words=True, refuses=_refused)
def auto(
    search: SearchView,
    *,
    warmup: int = 20,
    saturation: int = SATURATION,
    inputs_per_search: int = INPUTS_PER_SEARCH,
    without: str = "",
) -> Steps:
    """Runs several strategies side by side and favours those that lately brought most for their cost.

    `warmup` random inputs come first. Parts that `without` names, with + between them, take no part. The other options
    are those of hybrid, which takes part if the program asks for more inputs than a run may have.
    """
    search.known_runs.wanted = True
    witnesses = search.analyses.earliest
    search.analyses.stock  # noqa: B018 - from now on runs are looked at
    search.analyses.records  # noqa: B018
    search.analyses.openings  # noqa: B018
    search.analyses.bounds  # noqa: B018
    path: Path = yield search.initial()
    first, asks_on = path.input, path.exit.kind is ExitKind.INPUTS
    for _ in range(warmup):
        path = yield search.run(search.inputs.mixed(0.5))
        asks_on |= path.exit.kind is ExitKind.INPUTS
    found = partial(FoundStarts, search.inputs, search.corpus.inputs, lambda: witnesses.beside(search.coverage))
    parts = dict(PARTS)
    if isinstance(search.coverage, PairCoverage):
        parts["pairs"] = Participant(pairs)
    if asks_on and search.can_wander:
        deep = partial(hybrid, saturation=saturation, inputs_per_search=inputs_per_search)
        parts["hybrid"] = Participant(deep, Hope(draws=_DRAWS_FOR_HYBRID))
    taking = [part for name, part in parts.items() if name not in _named(without)]
    arms = [Arm(search, found(), len(parts) + 1, part.strategy) for part in taking]
    trees, dry = [arm for arm, part in zip(arms, taking, strict=True) if part.is_of_trees], 0.0
    bandit = Bandit(search.rng, [part.hope for part in taking])
    before = _books(search, witnesses)
    while True:
        chosen = bandit.choose()
        attempt = arms[chosen].attempt()
        if attempt is None:
            return Finish.EXHAUSTED
        arms[chosen].send((yield attempt))
        now = _books(search, witnesses)
        gain, before = now.since(before), now
        bandit.learn(chosen, gain)
        dry = 0.0 if gain.branches else dry + gain.cost
        if dry > _DROUGHT:
            while trees:
                trees.pop().begin_at(first)


class Gain(NamedTuple):
    """What attempts brought, and what they cost: of one of them, or of all so far."""

    branches: int
    states: int
    fresh: float  # runs on paths that none took before
    cost: float

    def since(self, before: Gain) -> Gain:
        """What was added to an earlier state of the books."""
        branches, states, fresh, cost = before
        return Gain(self.branches - branches, self.states - states, self.fresh - fresh, self.cost - cost)

    @property
    def reward(self) -> int:
        """What it is worth, counted in branches."""
        return self.branches + (self.states > 0)


def _books(search: SearchView, witnesses: EarliestWitnesses) -> Gain:
    """All that the search has by itself brought so far."""
    tally = search.tally
    return Gain(search.own_count, len(witnesses.ways), tally.fresh, tally.own_cost)


@dataclass(frozen=True, slots=True)
class Hope:
    """What is expected of a strategy before it has shown anything."""

    worth: float = 1.0  # its rate as a multiple of the campaign's
    draws: int = 1  # of its rate: the best of several counts


def _patient_random_branch(search: SearchView) -> Steps:
    return random_branch(search, restart=300)


def _impatient_cfg(search: SearchView) -> Steps:
    """What others have covered need not be covered again."""
    return cfg(search, patience=300, forget=False)


def _learned_parametric(search: SearchView) -> Steps:
    """With the weights that were learned for the program, or else the general ones."""
    return parametric(search, restart=150)


def _parametric_by_hand(search: SearchView) -> Steps:
    return parametric(search.scored_by(heuristic_by_hand()), restart=300)


class Participant(NamedTuple):
    """A strategy that takes part."""

    strategy: Callable[[SearchView], Steps]
    hope: Hope = Hope()
    is_of_trees: bool = False  # goes through all paths from where it begins


PARTS: dict[str, Participant] = {
    "words": Participant(words),
    "pieces": Participant(pieces),
    "records": Participant(records, Hope(0.3)),
    "openings": Participant(openings),
    "stores": Participant(stores),
    "havoc": Participant(havoc, Hope(0.3)),
    "frequencies": Participant(frequencies, Hope(0.5)),
    "random-branch": Participant(_patient_random_branch, Hope(0.2)),
    "cfg": Participant(_impatient_cfg),
    "cgs": Participant(cgs),
    "bfs": Participant(bfs, Hope(0.2), is_of_trees=True),
    "generational": Participant(generational, is_of_trees=True),
    "dfs": Participant(dfs, is_of_trees=True),
    "frontier": Participant(frontier),
    "earliest": Participant(earliest),
    "parametric": Participant(_learned_parametric, Hope(0.5)),
    "parametric-by-hand": Participant(_parametric_by_hand),
}
_FOR_SOME = ("pairs", "hybrid")  # where independence pairs are looked for; where programs ask for ever more inputs


class Arm:
    """A strategy, begun again whenever it runs dry."""

    def __init__(
        self, search: SearchView, starts: FoundStarts, among: int, strategy: Callable[[SearchView], Steps]
    ) -> None:
        self._search = search.shared(starts, among)
        self._starts = starts
        self._strategy = strategy
        self._steps = strategy(self._search)
        self._begun = False
        self._result: Any = None

    def attempt(self) -> Attempt | None:
        """What it wants tried next; None if it has proved that nothing is left."""
        try:
            return self._steps.send(self._result) if self._begun else self._begin()
        except StopIteration as end:
            if end.value is Finish.EXHAUSTED and not self._search.tally.incomplete:
                return None
            self._steps = self._strategy(self._search)
            return self._begin()

    def begin_at(self, input: bytes) -> None:
        """Whatever it was about, it begins again there."""
        self._starts.first = input
        self._steps.close()
        self._steps = self._strategy(self._search)
        self._begun = False

    def send(self, result: Any) -> None:
        """Takes the result of the attempt that this arm asked for."""
        self._result = result

    def _begin(self) -> Attempt:
        self._begun = True
        return next(self._steps)


@dataclass(slots=True)
class Evidence:
    """What was found, runs on new paths, and their cost, all fading."""

    found: float = 0.0
    fresh: float = 0.0
    cost: float = 0.0

    def add(self, gain: Gain) -> None:
        self.found += gain.reward
        self.fresh += gain.fresh
        self.cost += gain.cost


class Bandit:
    """Thompson sampling over rates: one belief for each arm, from which so many rates are drawn as its hope says.

    The best of several draws counts, so an arm with more of them is hoped of more, and chosen more often.
    """

    def __init__(self, rng: Random, hopes: Sequence[Hope]) -> None:
        self._rng = rng
        self._worths = [hope.worth for hope in hopes]
        self._further_draws = [(arm, hope.draws - 1) for arm, hope in enumerate(hopes) if hope.draws > 1]
        self._recent = [Evidence() for _ in hopes]
        self._lasting = [Evidence() for _ in hopes]
        self._all = Evidence(found=1.0, fresh=1.0, cost=1.0)

    def choose(self) -> int:
        """The arm with the highest rate drawn."""
        prices = self._prices()
        rates = [
            self._drawn(recent.found) / (price + recent.cost)
            for recent, price in zip(self._recent, prices, strict=True)
        ]
        for arm, further in self._further_draws:
            recent = self._recent[arm]
            best = max(self._drawn(recent.found) for _ in range(further))
            rates[arm] = max(rates[arm], best / (prices[arm] + recent.cost))
        return rates.index(max(rates))

    def _drawn(self, found: float) -> float:
        """From the Gamma distribution of what was found; if that is next to nothing, from the exponential one, which is
        nearly the same and takes a third of the time."""
        return self._rng.gammavariate(1.0 + found, 1.0) if found > _LITTLE else -log(1.0 - self._rng.random())

    def learn(self, chosen: int, gain: Gain) -> None:
        """The attempt of the chosen arm brought this."""
        later = exp(-gain.cost / _LONG_MEMORY)
        _fade(self._recent, exp(-gain.cost / _MEMORY))
        _fade(self._lasting, later)
        _fade((self._all,), later)
        for evidence in (self._recent[chosen], self._lasting[chosen], self._all):
            evidence.add(gain)

    def _prices(self) -> list[float]:
        """What a branch costs each arm: as was hoped, until it is known better. What was hoped is what it costs the
        campaign, by as much dearer as new paths are dearer for this arm. In one loop, since it is asked so often."""
        cost, found = self._all.cost, self._all.found
        path = cost / max(self._all.fresh, 1e-9)
        trusted, prices = _TRUSTED_PATHS * path, []
        for lasting, worth in zip(self._lasting, self._worths, strict=True):
            own_path = (lasting.cost + trusted) / (lasting.fresh + _TRUSTED_PATHS)
            hoped = cost / max(found * worth, 1e-9) * own_path / path
            prices.append((lasting.cost + _TRUST * hoped) / (lasting.found + _TRUST))
        return prices


def _fade(evidence: Sequence[Evidence], factor: float) -> None:
    """After each attempt, of all arms: one loop takes half the time of as many calls."""
    for each in evidence:
        each.found *= factor
        each.fresh *= factor
        each.cost *= factor
