"""A parametric heuristic (ParaDySE paper, section 3): flip the branch of the last path that scores highest.

Each decision of the last path is a vector of 40 features; its score is the product with the weights of a learned
heuristic. The highest score is flipped, the later one among equals; if that cannot be, the next. The new path counts,
whether or not it went where it should. If nothing works the search begins again on a random input, and remembers
everything. As in the paper's implementation, branches that failed more than 70 times are not asked for any more, and
no input is run twice.

Where we differ: decisions inside library functions are scored too (features/static.py), and features are those of
the paper's text where its implementation has others.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from untaken.model.path import Path
from untaken.search.attempts import Outcome, Part, Steps, Verdict
from untaken.search.features.dynamic import Moment
from untaken.search.features.history import History
from untaken.search.features.matrix import FeatureMatrix, Matrix, scores
from untaken.search.general import general_heuristic
from untaken.search.space import Search

_MOST_FAILURES = 70
_FAILED = (Verdict.INFEASIBLE, Verdict.UNKNOWN)


def parametric(search: Search) -> Steps:
    """Flips the branch of the last path whose features a learned heuristic scores highest (--heuristic FILE)."""
    scoring = _Scoring(search)
    path: Path = yield search.initial()
    scoring.restarted(path)
    while True:
        found: Path | None = yield from scoring.flip_best(path)
        if found is None:
            scoring.history.about_to_run()
            found = yield search.initial()
            scoring.restarted(found)
        path = found


class _Scoring:
    """The current path's scores, and what the features remember."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._weights = (search.heuristic or general_heuristic()).vector
        self._matrix = FeatureMatrix(search.program)
        self.history = History(search)
        self._ran: set[bytes] = set()
        self._flipped: int | None = None

    def restarted(self, path: Path) -> None:
        """A path that no flip led to."""
        self._note(path, None)

    def flip_best(self, path: Path) -> Part[Path | None]:
        """Flips the best decision that can be flipped; the path that came of it, or None."""
        moment = Moment(self.history, path, self._flipped)
        matrix = self._matrix.of(moment, first=self.history.runs == 1)
        for index in _best_first(scores(self._weights, matrix)):
            place = int(moment.places[index])
            if self.history.failed[place] > _MOST_FAILURES:
                continue
            self.history.about_to_run()
            outcome: Outcome = yield self._search.force(path, path.symbolic[index], unless=self._ran)
            if outcome.path is not None:
                self.history.negates(place, moment.contexts[:, index])
                self._note(outcome.path, index)
                return outcome.path
            if outcome.verdict in _FAILED:
                self.history.fails(place)
        return None

    def _note(self, path: Path, flipped: int | None) -> None:
        self._ran.add(path.input)
        self._flipped = flipped
        self.history.ran(path)


def _best_first(values: Matrix) -> Iterator[int]:
    """Positions by falling score, the later first among equals; sorted only if the best is not enough."""
    if not len(values):
        return
    last = len(values) - 1
    best = last - int(values[::-1].argmax())
    yield best
    for position in last - np.argsort(-values[::-1], kind="stable"):
        if position != best:
            yield int(position)
