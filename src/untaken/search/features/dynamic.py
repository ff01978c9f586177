"""Features 13 to 40: what a branch is on this path, at this moment of the campaign. All are false on the first path.

Each takes the moment and gives one flag for each decision of the path, or for each place on it. Constants are those of
the paper.
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
    """A path about to be scored. `flipped` is the number of the decision whose flip led to it; None after a restart.

    A long path has few places, each many times, and most features are those of the place: they are computed once for
    each of `kinds`, the distinct places in ascending order, and `which` says the kind of each decision.
    """

    history: History
    path: Path
    flipped: int | None = None
    places: Ints = field(init=False)
    kinds: Ints = field(init=False)
    which: Ints = field(init=False)
    times: Ints = field(init=False)  # so often the path has each kind
    opposite: Ints = field(init=False)  # of each kind the other branch; 0, which is none, for decisions of libraries
    function: Ints = field(init=False)  # of each kind
    contexts: Hashes = field(init=False)
    known: Flags = field(init=False)

    def __post_init__(self) -> None:
        history = self.history
        history.surroundings.update()
        self.places = history.places(self.path)
        counts = np.bincount(self.places)
        self.kinds = np.flatnonzero(counts)
        self.times = counts[self.kinds]
        numbers = np.empty(len(counts), np.intp)
        numbers[self.kinds] = np.arange(len(self.kinds))
        self.which = numbers.take(self.places)
        library = self.kinds >= history.id_count
        self.opposite = np.where(library, 0, self.kinds ^ 1)
        self.function = history.functions.of[np.where(library, self.kinds - history.id_count, self.kinds)]
        self.contexts, self.known = history.contexts(self.path)

    def __len__(self) -> int:
        return len(self.places)

    def flagged(self, chosen: list[int]) -> Flags:
        """The kinds that are among these places."""
        flags = np.zeros(2 * self.history.id_count, np.bool_)
        flags[chosen] = True
        return flags[self.kinds]

    def none(self) -> Flags:
        """No decision."""
        return np.zeros(len(self), np.bool_)


DynamicFeature = Callable[[Moment], Flags]

# ---- features of a decision's position on the path: one flag for each decision


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


def after_negated(moment: Moment) -> Flags:
    """At or after the branch that was just negated."""
    flags = moment.none()
    if moment.flipped is not None:
        flags[moment.flipped :] = True
    return flags


def near_negated(moment: Moment) -> Flags:
    """Near the branch that was just negated: within 20 % of the path to either side."""
    flags = moment.none()
    if moment.flipped is not None:
        width = int(NEAR * len(moment))
        flags[max(0, moment.flipped - width) : moment.flipped + width + 1] = True
    return flags


def context_known(length: int) -> DynamicFeature:
    """Features 19 to 23."""

    def feature(moment: Moment) -> Flags:
        known: Flags = moment.known[length - 1]
        return known

    return feature


# ---- features of a place: one flag for each kind


def most_frequent(moment: Moment) -> Flags:
    """The branch that the path takes most often."""
    flags: Flags = moment.times == moment.times.max(initial=0)
    return flags


def least_frequent(moment: Moment) -> Flags:
    """The branch that the path takes least often."""
    flags: Flags = moment.times == moment.times.min(initial=len(moment))
    return flags


def newly_covered(moment: Moment) -> Flags:
    """Covered for the first time by the last execution."""
    flags: Flags = moment.history.new[moment.opposite ^ 1] & (moment.opposite > 0)
    return flags


def negated_more_than(times: int) -> DynamicFeature:
    """Features 24 to 26."""

    def feature(moment: Moment) -> Flags:
        return moment.history.negated[moment.kinds] > times

    return feature


def failed(moment: Moment) -> Flags:
    """More than 10 times no input was found that would take this branch."""
    history = moment.history
    return (history.failed[moment.opposite] > FAILURES) & (moment.opposite > 0)


def opposite_failed(moment: Moment) -> Flags:
    """More than 10 times no input was found that would take the opposite branch."""
    return moment.history.failed[moment.kinds] > FAILURES


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
    mine = uncovered[moment.function]
    most = mine.max(initial=0)
    flags: Flags = (mine == most) & (most > 0)
    # Functions without decisions of the input on this path may have more; seldom does one have to be looked for.
    rivals = np.flatnonzero(moment.history.surroundings.reached & (uncovered > most))
    if len(rivals) and moment.history.functions.on(moment.path)[rivals].any():
        flags[:] = False
    return flags


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
