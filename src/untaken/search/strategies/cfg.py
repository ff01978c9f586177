"""Control-flow directed search (CREST paper, section 4.3).

Of the current path, a branch is flipped whose other side has the least UncoveredDistance + tries, ties broken at
random; from there SearchAlongPath tries all static paths of at most that weight. If that covers something, the new
path becomes the current one and tries are reset; if not, the branch has had one try more. Each place of a path is
picked at most once, as the paper has it; when all were picked the search ends, and is restarted. The paper does not say
that CREST forgets what is covered at each restart, but it does (search/knowledge/novelty.py).

Where we differ: flips that fail also push a branch back, in a count of their own that does not lengthen static paths
(else each occurrence of an infeasible branch in a loop would be asked for in turn); calls through pointers are in the
graph once they were seen (CREST has none); a decision inside a library function is as far as the place it is made at.
"""

from __future__ import annotations

import numpy as np

from untaken.model.path import ConstraintKind, Path
from untaken.search.attempts import Count, Outcome, Part, Steps
from untaken.search.knowledge.novelty import CampaignNovelty, Novelty, NoveltySince
from untaken.search.program.distance import FAR
from untaken.search.program.graph import Ints
from untaken.search.strategies.search_along_path import search_along_path
from untaken.search.view import SearchView

_NONE_LEFT = 2 * FAR  # the score of a branch whose places were all picked


def cfg(search: SearchView, *, patience: Count | None = 100, forget: bool = True) -> Steps:
    """Flips branches that have a short static path to an uncovered one, and follows that path.

    Begins again on new inputs after `patience` runs without a new branch, and with `forget` as if nothing were covered.
    """
    first: Path = yield search.initial()
    novelty = NoveltySince(search, first) if forget else CampaignNovelty(search)
    path: Path | None = first
    while path is not None:
        path = yield from _Round(search, novelty, path, patience).run()
    return None


class _Round:
    """From one current path until something new is covered."""

    def __init__(self, search: SearchView, novelty: Novelty, path: Path, patience: int | None) -> None:
        self._search = search
        self._novelty = novelty
        self._path = path
        self._last_run = None if patience is None else search.tally.iterations + patience
        places = np.bincount(ids := _wanted(path), minlength=search.program.id_count)  # of each branch, by id
        self._branches = places.nonzero()[0]
        self._left = places[self._branches]  # places that were not picked, of each branch
        self._wanted = _numbers(self._branches, len(places))[ids]
        self._unpicked = np.ones(len(ids), np.bool_)
        self._tries = np.zeros(len(self._branches), np.intp)
        self._failures = np.zeros(len(self._branches), np.intp)
        self._distances = novelty.distances()  # those of the scores
        self._scores = self._distances[self._branches]

    def run(self) -> Part[Path | None]:
        """A path that covered something new, or None."""
        for _ in range(len(self._wanted)):
            if self._tired():
                break
            picked = self._pick()
            branch = int(self._wanted[picked])
            weight = int(self._distances[self._branches[branch]] + self._tries[branch])
            outcome: Outcome = yield self._search.force(self._path, self._path.symbolic[picked])
            if self._novelty.is_in(outcome):
                return outcome.path
            if not outcome.held or outcome.path is None:
                self._push_back(branch, self._failures)
                continue
            found = yield from self._follow(outcome.path, picked, weight)
            if found is not None:
                return found
            self._push_back(branch, self._tries)
        return None

    def _push_back(self, branch: int, counts: Ints) -> None:
        counts[branch] += 1
        self._scores[branch] += 1

    def _pick(self) -> int:
        """A random one of the unpicked places with least distance + tries. A path has many places of few branches."""
        if (distances := self._novelty.distances()) is not self._distances:
            self._distances = distances
            self._scores = distances[self._branches] + self._tries + self._failures
            self._scores[self._left == 0] = _NONE_LEFT
        is_least = self._scores == self._scores.min()
        places = (is_least[self._wanted] & self._unpicked).nonzero()[0]
        picked = int(places[self._search.rng.randrange(len(places))])
        branch = self._wanted[picked]
        self._unpicked[picked] = False
        self._left[branch] -= 1
        if not self._left[branch]:
            self._scores[branch] = _NONE_LEFT
        return picked

    def _follow(self, path: Path, picked: int, weight: int) -> Part[Path | None]:
        index = self._path.symbolic[picked]
        if weight >= FAR or index >= len(path.constraints):  # where a run died of the flip, nothing lies beyond
            return None
        flipped = path.constraints[index]
        beyond = int(flipped["position"]) + int(flipped["kind"] == ConstraintKind.BRANCH)
        return (yield from search_along_path(self._search, self._novelty, path, beyond, weight))

    def _tired(self) -> bool:
        return self._last_run is not None and self._search.tally.iterations >= self._last_run


def _wanted(path: Path) -> Ints:
    """For each place that may be flipped, the branch that it would take: the paired one. A decision of a library
    function has none: the event before it stands for the place."""
    constraints = path.constraints[path.symbolic]
    branch = constraints["id"].astype(np.intp) ^ 1
    library = (constraints["kind"] != int(ConstraintKind.BRANCH)).nonzero()[0]
    if len(library):
        branch[library] = path.events_before(constraints[library])
    return branch


def _numbers(ids: Ints, count: int) -> Ints:
    """The place of each of these ids among them, by id; of others nothing is said."""
    numbers = np.empty(count, np.intp)
    numbers[ids] = np.arange(len(ids))
    return numbers
