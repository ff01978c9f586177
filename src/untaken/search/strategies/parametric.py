"""A parametric heuristic (ParaDySE paper, section 3): flip the branch of the last path that scores highest.

Each decision of the last path is a vector of 40 features; its score is the product with the weights of a learned
heuristic. The highest score is flipped; if that cannot be, the next. The new path counts, whether or not it went where
it should. If nothing works the search begins again, and remembers everything. As in the paper's implementation,
branches that failed more than 70 times are not asked for any more, and no flip leads to an input that was run before.

Where we differ: equals are drawn from at random, where the paper's implementation takes the latest and the paper says
nothing; the search also begins again after some runs in vain, rather where something was found than anywhere; and the
nearer it is to that, the likelier its next decision is drawn from all. Without these one campaign is much like another,
and even good weights soon go round in circles; `later=yes:restart=none:found=no` is the paper's search. Decisions
inside library functions are scored too (search/heuristics/features/static.py). Features are those of the paper's
implementation, its known faults mended, where the table of the paper is too short to tell or means another thing:
search/heuristics/features/dynamic.py says where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import numpy as np

from untaken.model.path import Path
from untaken.search.attempts import Outcome, Part, Steps, Verdict
from untaken.search.declaration import declares
from untaken.search.heuristics.features.dynamic import Moment
from untaken.search.heuristics.features.history import History
from untaken.search.heuristics.features.matrix import Scorer, Scores
from untaken.search.heuristics.heuristic_files import general_heuristic
from untaken.search.inputs import FoundStarts
from untaken.search.program.graph import Ints
from untaken.search.strategies.random_branch import draws
from untaken.search.view import SearchView, StartSource

_MOST_FAILURES = 70
_FAILED = (Verdict.INFEASIBLE, Verdict.UNKNOWN)
_Candidate = tuple[int, int, Callable[[], int]]  # a decision's number on the path, its place, what tells its context


@declares(scores=True)
def parametric(
    search: SearchView, *, restart: int | None = 50, fresh: bool = False, found: bool = True, later: bool = False
) -> Steps:
    """Flips the branch of the last path whose features a learned heuristic scores highest (--heuristic FILE).

    Begins again when no branch can be flipped, and after `restart` runs without a new branch: on an input that covered
    something first if `found`, else on a random one; up to then, the longer there was no new branch, the more often any
    one is flipped. With `fresh`, input that a flip does not depend on is random. Of branches that score the same any
    may be next; with `later`, the last on the path.
    """
    scoring = _Scoring(search, fresh, later)
    starts: StartSource = FoundStarts(search.inputs, search.corpus.inputs) if found else search.starts
    beginning = search.initial()
    while True:
        scoring.begin()
        path: Path | None = yield beginning
        begun = search.tally.iterations
        while path is not None:
            scoring.note(path)
            weariness = _weariness(search, begun, restart)
            path = None if weariness >= 1 else (yield from scoring.flip(path, weariness))
        beginning = search.run(starts.next())


def _weariness(search: SearchView, begun: int, restart: int | None) -> float:
    """0 just after a new branch; 1 when the search is to begin again."""
    still = search.tally.iterations - max(search.tally.last_new, begun)
    return 0.0 if restart is None else still / max(1, restart)


class _Scoring:
    """The current path's scores, and what the features remember."""

    def __init__(self, search: SearchView, fresh: bool, later: bool) -> None:
        self._search = search
        self._fresh = fresh
        self._rng = None if later else search.rng
        self._scorer = Scorer(search.program, (search.heuristic or general_heuristic()).vector)
        self.history = History(search)
        self._ran: set[bytes] = set()
        self._flipped: int | None = None

    def begin(self) -> None:
        """The next path is one that no flip leads to."""
        self.history.about_to_run()
        self._flipped = None

    def note(self, path: Path) -> None:
        """The program took this path, after the flip that was made last or after a restart."""
        self._ran.add(path.input)
        self.history.ran(path)

    def flip(self, path: Path, weariness: float) -> Part[Path | None]:
        """Flips the best decision that can be flipped, or any if weary; the path that came of it, or None."""
        weary = weariness > 0 and self._search.rng.random() < weariness
        for index, place, context in self._any(path) if weary else self._best(path):
            if self.history.failed[place] > _MOST_FAILURES:
                continue
            self.history.about_to_run()
            outcome: Outcome = yield self._search.force(path, path.symbolic[index], fresh=self._fresh, unless=self._ran)
            if outcome.path is not None:
                self.history.negates(place, context())
                self._flipped = index
                return outcome.path
            if outcome.verdict in _FAILED:
                self.history.fails(place)
        return None

    def _best(self, path: Path) -> Iterator[_Candidate]:
        moment = Moment(self.history, path, self._flipped)
        hopeless = self.history.failed[moment.places] > _MOST_FAILURES
        scores = self._scorer.of(moment, first=self.history.runs == 1, hopeless=hopeless)
        for index in best_first(scores, self._rng):
            yield index, moment.place(index), partial(moment.context, index)

    def _any(self, path: Path) -> Iterator[_Candidate]:
        contexts = self.history.contexts
        for index in draws(self._search.rng, len(path.symbolic)):
            constraint = int(path.symbolic[index])
            yield index, contexts.place(path, constraint), partial(contexts.one, path, constraint)


def best_first(scores: Scores, rng: Random | None) -> Iterator[int]:
    """Positions by falling score, without those that score minus infinity; the later first among equals, or any.

    Nearly always one of the first is taken, so they are not sorted but looked for as they are asked for.
    """
    best = scores.max(initial=-np.inf)
    while best > -np.inf:
        equals = (scores == best).nonzero()[0][::-1]
        yield from equals.tolist() if rng is None else _drawn(equals, rng)
        best = scores.max(initial=-np.inf, where=scores < best)


def _drawn(items: Ints, rng: Random) -> Iterator[int]:
    """In random order; nothing is drawn that is not asked for."""
    for last in range(len(items) - 1, -1, -1):
        place = rng.randrange(last + 1)
        items[place], items[last] = items[last], items[place]
        yield int(items[last])
