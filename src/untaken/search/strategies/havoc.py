"""Havoc, after AFL: inputs that covered something are changed at random, thousands a second, and nothing is solved.

What a solver cannot help with is decided by chance: counts that must add up before the program goes on, tables that are
filled by the input and looked up much later, conditions that no constraint reaches. One change in a thousand may do,
and to run the program without expressions and without reading its path costs a fraction of what a flip does. So many
inputs are run at once, and of them only those are looked at that pass what none has passed. From there the strategies
that solve go on.

As in AFL later finds are preferred, since what they reach was not looked at for long. But of a large program most is
left uncovered beside the paths of earlier ones: so each condition with an uncovered side has its turn, too, with the
latest input that came to it. As in AFL, an input that passed something as often as none before it is one to go on from
(search/knowledge/pass_counts.py). Unlike there, every second change is not one of bytes: pieces that the program took
as one thing are exchanged for others of their kind (search/pieces/variants.py). The strategy `pieces` does the same and
reads every path, which takes ten times as long.
"""

from __future__ import annotations

from random import Random

from untaken.model.burst import BurstStart, ChangedInputs
from untaken.search.attempts import Count, Steps
from untaken.search.coverage import Coverage
from untaken.search.declaration import declares
from untaken.search.knowledge.corpus import NONE, CoveringInputs
from untaken.search.knowledge.pass_counts import PassCounts
from untaken.search.pieces.variants import Variants
from untaken.search.view import SearchView

_FEW = 2  # inputs of the first burst: a short campaign has no executions to spare
_GROWTH = 100  # executions after which there is one more
_COPIES = 8  # that are made of an input, where executions are not counted: to choose it takes as long as to run them
_OF_PIECES = 0.5  # how often pieces are exchanged, instead of bytes changed
_BESIDE = 0.3  # how often what is changed came to a condition of which no run has taken the other side
_OFTEN_PASSED = 0.5  # how often what else is changed passed something oftener than others, instead of covering it


@declares(flips=False, asks_for_words=True)
def havoc(search: SearchView, *, burst: Count = 32) -> Steps:
    """Changes inputs that covered something at random, bytes and whole pieces, and looks only at what is new.

    In the course of the campaign up to `burst` of them are changed at once, each several times.
    """
    search.words.wanted = True
    changes = RandomChanges(search)
    yield search.initial()
    while search.corpus.inputs:
        size = min(burst, _FEW + search.tally.iterations // _GROWTH)
        yield search.burst(changes.some(size, copies=1 if search.tally.counts_glances else _COPIES))
    return None


class RandomChanges:
    """Inputs to be changed at random."""

    def __init__(self, search: SearchView) -> None:
        self._rng = search.rng
        self._words = search.words
        self._bases = Bases(search.corpus, search.analyses.counts, search.coverage, search.rng)
        self._variants = Variants(search.analyses.stock, search.rng)

    def some(self, count: int, copies: int) -> ChangedInputs:
        """So many, each from another start."""
        starts = [self._one() for _ in range(count)]
        return ChangedInputs(starts, copies, self._words.some(self._rng), self._rng.getrandbits(64))

    def _one(self) -> BurstStart:
        of_pieces = self._variants.next() if self._rng.random() < _OF_PIECES else None
        return self._bases.next() if of_pieces is None else of_pieces


class Bases:
    """Chooses what is changed: an input that came to a condition with an uncovered side, that covered something, or
    that passed something as often as none before it."""

    def __init__(self, corpus: CoveringInputs, counts: PassCounts, coverage: Coverage, rng: Random) -> None:
        self._corpus = corpus
        self._counts = counts
        self._coverage = coverage
        self._rng = rng
        self._beside: list[int] = []
        self._known = -1  # what was covered when that was found out

    def next(self) -> BurstStart:
        """An input and its fields; where nothing else counts, the later it was found, the likelier."""
        kept, corpus = self._counts.kept, self._corpus
        if self._rng.random() < _BESIDE and (beside := self._beside_uncovered()):
            number = beside[self._rng.randrange(len(beside))]
            return BurstStart(corpus.inputs[number], corpus.fields[number])
        if kept and self._rng.random() < _OFTEN_PASSED:
            return BurstStart(*kept[self._late(len(kept))])
        number = self._late(len(corpus.inputs))
        return BurstStart(corpus.inputs[number], corpus.fields[number])

    def _beside_uncovered(self) -> list[int]:
        """For each side that no run has taken, the number of the latest input that came to its condition."""
        if self._known != self._coverage.count:
            self._known = self._coverage.count
            latest = self._corpus.latest[self._coverage.uncovered() ^ 1]
            self._beside = latest[latest != NONE].tolist()
        return self._beside

    def _late(self, count: int) -> int:
        return max(self._rng.randrange(count), self._rng.randrange(count))
