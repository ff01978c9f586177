"""Questions about a few bytes, which most paths ask again, of other inputs: what is known of each is kept."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.solve.answers import Answer
from untaken.solve.query import FEW, FewAssertions, FlipQuery, Query

REMEMBERED = 4096  # questions; then they are forgotten
SHORT = 256  # assertions: of longer questions nothing is remembered


@dataclass(slots=True)
class Recurring:
    """One such question, with no old input or with that of the first who asked."""

    query: Query
    settled: Answer | None = None  # what is the answer whatever the old input is
    was_tried: bool = False  # whether that was looked for


class RecurringQuestions:
    """Over one generation of the node table."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Recurring] = {}

    def of(self, query: Query, rows: NDArray[np.intp]) -> Recurring:
        """The question that asks for these rows of the query, which include the last."""
        if len(rows) > SHORT:
            return Recurring(query.select(rows))
        if len(rows) <= FEW and isinstance(query, FlipQuery):
            told = query.few(rows)
            return self._known.get(told) or self._kept(FewAssertions.of_rows(told))
        selected = query.select(rows)
        return self._known.get(selected.identity) or self._kept(selected.prepared())

    def _kept(self, query: Query) -> Recurring:
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        known = self._known[query.identity] = Recurring(query)
        return known
