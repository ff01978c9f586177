"""When a campaign has what it was to find: the endings that are no matter of the budget."""

from __future__ import annotations

import sys

from untaken.campaign.books import Books
from untaken.campaign.config import Config
from untaken.search.budget import Ending
from untaken.search.view import SearchView


class StoppingRule:
    """Tells after each run whether what was asked for has been found."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._pending = 0  # the last iteration after which something was left to reach

    def ending(self, search: SearchView, books: Books, *, is_done: bool) -> Ending | None:
        """Full coverage ends the campaign, after some more runs in search of faults; and so does what was asked for.

        `is_done`: all is covered, and no code behind an assumption is still to be reached."""
        config, coverage = self._config, search.coverage
        if config.coverage is not None and 100 * coverage.count >= config.coverage * coverage.total:
            return Ending.ENOUGH
        if config.first_finding and books.sightings.confirmed:
            return Ending.FINDING
        if not is_done:
            self._pending = books.iterations
            return None
        return Ending.FULL_COVERAGE if self._left(books) <= 0 else None

    def executions_left(self, books: Books, *, is_done: bool) -> int:
        """How many there may be, at least, before full coverage ends the campaign."""
        return max(1, self._left(books)) if is_done else sys.maxsize

    def _left(self, books: Books) -> int:
        last = max(books.pace.new_branch, books.pace.new_finding, self._pending)
        return last + self._config.after_coverage - books.iterations
