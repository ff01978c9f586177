"""What is new to a search, and how far each branch is from something that would be.

To most searches it is what no run of the campaign has covered. CREST's own control-flow directed search forgets what is
covered whenever it begins again: what is left in the end is mostly out of reach, and a search that only knows of that
goes the same few ways for ever. One that has forgotten finds other ways through all of the program.
"""

from __future__ import annotations

from typing import Protocol

from untaken.model.path import ExitKind, Path
from untaken.search.attempts import Outcome
from untaken.search.program.distance import UncoveredDistance
from untaken.search.program.graph import Ints
from untaken.search.view import SearchView


class Novelty(Protocol):
    """As one search has it."""

    def distances(self) -> Ints:
        """How far each branch is from one that would be new, by id."""

    def is_in(self, outcome: Outcome) -> bool:
        """Whether the run of a flip covered something new; from then on it is not."""


class CampaignNovelty:
    """What no run of the campaign has covered."""

    def __init__(self, search: SearchView) -> None:
        self._search = search

    def distances(self) -> Ints:
        return self._search.analyses.distances.by_id()

    def is_in(self, outcome: Outcome) -> bool:
        return outcome.new_branches > 0


class NoveltySince:
    """What no run of one search has covered since it began, with the run on `path`."""

    def __init__(self, search: SearchView, path: Path) -> None:
        self._of_campaign = search.coverage
        self._coverage = search.coverage.anew()
        self._distances = UncoveredDistance(search.analyses.graph, self._coverage)
        self._add(path)

    def distances(self) -> Ints:
        return self._distances.by_id()

    def is_in(self, outcome: Outcome) -> bool:
        before = self._coverage.count
        if before == self._of_campaign.count:  # what no run of this search has covered, no run of the campaign has
            return False
        if outcome.path is not None:
            self._add(outcome.path)
        # Runs that only repaired an assumption may have covered something, too.
        return self._coverage.count > before or outcome.new_branches > 0

    def _add(self, path: Path) -> None:
        if path.exit.kind is not ExitKind.ASSUME:  # such a run is no test
            self._coverage.add_run(path)
