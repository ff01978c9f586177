"""Features 13 to 40: what a branch is on this path, at this moment of the campaign. All are false on the first path.

Each takes the moment and gives one flag for each decision of the path. Constants are those of the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from untaken.model.path import Path
from untaken.search.features.history import CONTEXTS, LARGE, History
from untaken.search.features.seen import Hashes
from untaken.search.graph import Ints

Flags = NDArray[np.bool_]
END = 0.1  # share of the path that is its beginning, or its end
NEAR = 0.2  # share of the path, to either side
NOVEL_RUNS = 10
FAILURES = 10


@dataclass(slots=True, eq=False)
class Moment:
    """A path about to be scored. `flipped` is the number of the decision whose flip led to it; None after a restart."""

    history: History
    path: Path
    flipped: int | None = None
    places: Ints = field(init=False)
    opposite: Ints = field(init=False)  # the other branch; 0, which is none, for decisions of libraries
    function: Ints = field(init=False)
    contexts: Hashes = field(init=False)
    known: Flags = field(init=False)

    def __post_init__(self) -> None:
        history = self.history
        history.surroundings.update()
        self.places = history.places(self.path)
        ids = np.where(self.places < history.id_count, self.places, self.places - history.id_count)
        self.opposite = np.where(self.places < history.id_count, self.places ^ 1, 0)
        self.function = history.functions.of[ids]
        self.contexts = history.contexts(self.path)
        self.known = history.known_contexts(self.contexts)

    def __len__(self) -> int:
        return len(self.places)

    def flagged(self, chosen: Ints | list[int]) -> Flags:
        """The decisions at these places."""
        flags = np.zeros(2 * self.history.id_count, np.bool_)
        flags[chosen] = True
        return flags[self.places]

    def none(self) -> Flags:
        return np.zeros(len(self), np.bool_)


DynamicFeature = Callable[[Moment], Flags]


def first_tenth(moment: Moment) -> Flags:
    """In the first 10 % of the path."""
    flags = moment.none()
    flags[: int(END * len(moment))] = True
    return flags


def last_tenth(moment: Moment) -> Flags:
    """In the last 10 % of the path."""
    flags = moment.none()
    flags[len(moment) - int(END * len(moment)) :] = True
    return flags


def most_frequent(moment: Moment) -> Flags:
    """The branch that the path takes most often."""
    times = _times(moment)
    flags: Flags = times == times.max(initial=0)
    return flags


def least_frequent(moment: Moment) -> Flags:
    """The branch that the path takes least often."""
    times = _times(moment)
    flags: Flags = times == times.min(initial=len(moment))
    return flags


def _times(moment: Moment) -> Ints:
    """How often each decision's place occurs on the path."""
    counts = np.bincount(moment.places, minlength=1)
    times: Ints = counts[moment.places]
    return times


def newly_covered(moment: Moment) -> Flags:
    """Covered for the first time by the last execution."""
    flags: Flags = moment.history.new[moment.opposite ^ 1] & (moment.opposite > 0)
    return flags


def after_negated(moment: Moment) -> Flags:
    """At or after the branch that was just negated."""
    flags = moment.none()
    if moment.flipped is not None:
        flags[moment.flipped :] = True
    return flags


def context_known(length: int) -> DynamicFeature:
    """Features 19 to 23."""

    def feature(moment: Moment) -> Flags:
        known: Flags = moment.known[length - 1]
        return known

    return feature


def negated_more_than(times: int) -> DynamicFeature:
    """Features 24 to 26."""

    def feature(moment: Moment) -> Flags:
        return moment.history.negated[moment.places] > times

    return feature


def near_negated(moment: Moment) -> Flags:
    """Near the branch that was just negated: within 20 % of the path to either side."""
    flags = moment.none()
    if moment.flipped is not None:
        width = int(NEAR * len(moment))
        flags[max(0, moment.flipped - width) : moment.flipped + width + 1] = True
    return flags


def failed(moment: Moment) -> Flags:
    """More than 10 times no input was found that would take this branch."""
    history = moment.history
    return (history.failed[moment.opposite] > FAILURES) & (moment.opposite > 0)


def opposite_failed(moment: Moment) -> Flags:
    """More than 10 times no input was found that would take the opposite branch."""
    return moment.history.failed[moment.places] > FAILURES


def opposite_uncovered(moment: Moment) -> Flags:
    """The opposite branch is not covered."""
    return moment.history.surroundings.uncovered[moment.opposite]


def opposite_lonely(moment: Moment) -> Flags:
    """Neither the opposite branch is covered nor any branch one step behind it."""
    return moment.history.surroundings.lonely[moment.opposite]


def among_last_negated(count: int) -> DynamicFeature:
    """Features 32 to 34."""

    def feature(moment: Moment) -> Flags:
        return moment.flagged(list(moment.history.recent)[-count:])

    return feature


def least_covered_function(moment: Moment) -> Flags:
    """In the function of this path that has the most uncovered branches."""
    uncovered = moment.history.surroundings.uncovered_in
    events = moment.path.events
    on_path = np.zeros(len(uncovered), np.bool_)
    on_path[moment.history.functions.of[events[events < moment.history.id_count]]] = True
    most = (uncovered * on_path).max(initial=0)
    chosen: Flags = on_path & (uncovered == most) & (most > 0)
    return chosen[moment.function]


def near_largest_unreached(share: int) -> DynamicFeature:
    """Features 36 to 38; `share` is a number of one of the shares of history.py."""

    def feature(moment: Moment) -> Flags:
        return moment.history.surroundings.near_largest[share][moment.opposite]

    return feature


def near_large_unreached(moment: Moment) -> Flags:
    """The opposite branch is within two steps of an unreached function of at least 10 branches."""
    return moment.history.surroundings.near_large[moment.opposite]


def in_novel_function(moment: Moment) -> Flags:
    """In a function of at least 10 branches that was reached first within the last 10 executions."""
    functions = moment.history.functions
    novel = (functions.sizes >= LARGE) & (functions.reached_in > moment.history.runs - NOVEL_RUNS)
    return novel[moment.function]


CONTEXT_LENGTHS = range(1, CONTEXTS + 1)
