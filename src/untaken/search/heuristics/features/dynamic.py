"""Features 13 to 40: what a branch is on this path, at this moment of the campaign. All are false on the first path.

Each takes the moment and gives one flag for each kind of decision on the path, or a stretch of the path. Constants are
those of the paper.

The paper's table has a few words for each feature. Where its public implementation means something else, that counts,
for figures in the literature were obtained with it, and so were our weights:

    18      "right after the just negated branch": all from there on
    28, 29  "failed to be negated": no input was found that takes this branch, or the opposite one
    32-34   "negated in the last N executions": among the last N branches that were negated
    36-39   "belongs to unreached functions": within two steps of one

What is plainly a fault of that implementation is not imitated, and of the largest functions 36 to 38 take the text's
10, 20 and 30 %.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from untaken.model.path import Path
from untaken.search.heuristics.features.history import CONTEXTS, LARGE, History
from untaken.search.program.graph import Flags, Ints

END = 0.1  # share of the path that is its beginning, or its end
NEAR = 0.2  # share of the path, to either side
NOVEL_RUNS = 10
FAILURES = 10
NOWHERE = slice(0, 0)


@dataclass(eq=False)
class Moment:
    """A path about to be scored. `flipped` is the number of the decision whose flip led to it; None after a restart.

    Decisions at the same place in the same contexts are of one kind. A long path has few kinds, each many times, and
    most features are those of the kind: they are computed once for each, and `which` says the kind of each decision.
    """

    history: History
    path: Path
    flipped: int | None = None
    which: Ints = field(init=False)
    # Of each kind:
    contexts: Ints = field(init=False)  # the longest one, which says the others
    known: Flags = field(init=False)  # one row a length: whether its context was negated before
    places: Ints = field(init=False)
    opposite: Ints = field(init=False)  # the other branch; 0, which is none, for decisions of libraries

    def __post_init__(self) -> None:
        history = self.history
        history.surroundings.update()
        self.contexts, self.which = history.contexts.distinct(history.contexts.of(self.path, self.path.symbolic))
        self.places = history.contexts.places(self.contexts)
        self.known = history.known(self.contexts)
        self.opposite = history.opposite.take(self.places)

    def __len__(self) -> int:
        return len(self.which)

    @cached_property
    def times(self) -> Ints:
        """So often the path has the place of each kind."""
        of_kinds = np.bincount(self.which, minlength=len(self.places))
        return np.bincount(self.places, of_kinds)[self.places].astype(np.intp)

    @cached_property
    def functions(self) -> Ints:
        """The function in which each kind of decision stands."""
        return self.history.function_of.take(self.places)

    def place(self, index: int) -> int:
        """The place in the program of one decision of the path."""
        return int(self.places[self.which[index]])

    def context(self, index: int) -> int:
        """Of a decision, the longest."""
        return int(self.contexts[self.which[index]])


DynamicFeature = Callable[[Moment], Flags | slice]

# ---- features of a decision's position: a stretch of the path


def first_tenth(moment: Moment) -> slice:
    """In the first 10 % of the path."""
    return slice(0, int(END * len(moment)))


def last_tenth(moment: Moment) -> slice:
    """In the last 10 % of the path."""
    return slice(len(moment) - int(END * len(moment)), len(moment))


def after_negated(moment: Moment) -> slice:
    """At or after the branch that was just negated."""
    return NOWHERE if moment.flipped is None else slice(moment.flipped, len(moment))


def near_negated(moment: Moment) -> slice:
    """Near the branch that was just negated: within 20 % of the path to either side."""
    if moment.flipped is None:
        return NOWHERE
    width = int(NEAR * len(moment))
    return slice(max(0, moment.flipped - width), moment.flipped + width + 1)


# ---- features of a kind: its contexts


def context_known(length: int) -> DynamicFeature:
    """Features 19 to 23: its context of this length was negated before."""

    def feature(moment: Moment) -> Flags:
        known: Flags = moment.known[length - 1]
        return known

    return feature


# ---- features of a kind: its place


def most_frequent(moment: Moment) -> Flags:
    """The branch that the path takes most often."""
    times = moment.times
    flags: Flags = times == times.max(initial=0)
    return flags


def least_frequent(moment: Moment) -> Flags:
    """The branch that the path takes least often."""
    times = moment.times
    flags: Flags = times == times.min(initial=len(moment))
    return flags


def newly_covered(moment: Moment) -> Flags:
    """Covered for the first time by the last execution."""
    flags: Flags = moment.history.new[moment.opposite ^ 1] & (moment.opposite > 0)
    return flags


def negated_more_than(times: int) -> DynamicFeature:
    """Features 24 to 26: the branch was negated more often than this."""

    def feature(moment: Moment) -> Flags:
        return moment.history.negated[moment.places] > times

    return feature


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
    """Features 32 to 34: the branch is among the last so many that were negated."""

    def feature(moment: Moment) -> Flags:
        return moment.history.negated_last[moment.places] > moment.history.negations - count

    return feature


def least_covered_function(moment: Moment) -> Flags:
    """In the function of this path that has the most uncovered branches."""
    uncovered = moment.history.surroundings.uncovered_in
    mine = uncovered[moment.functions]
    most = mine.max(initial=0)
    flags: Flags = (mine == most) & (most > 0)
    # Functions without decisions of the input on this path may have more; seldom does one have to be looked for.
    rivals = np.flatnonzero(moment.history.surroundings.reached & (uncovered > most))
    if len(rivals) and moment.history.functions.on(moment.path)[rivals].any():
        flags[:] = False
    return flags


def near_largest_unreached(percent: int) -> DynamicFeature:
    """Features 36 to 38: the other side is within two steps of one of the largest unreached functions."""

    def feature(moment: Moment) -> Flags:
        return moment.history.surroundings.near_largest(percent / 100)[moment.opposite]

    return feature


def near_large_unreached(moment: Moment) -> Flags:
    """The opposite branch is within two steps of an unreached function of at least 10 branches."""
    return moment.history.surroundings.near_large[moment.opposite]


def in_novel_function(moment: Moment) -> Flags:
    """In a function of at least 10 branches that was reached first within the last 10 executions."""
    functions = moment.history.functions
    novel = (functions.sizes >= LARGE) & (functions.reached_in > moment.history.runs - NOVEL_RUNS)
    return novel[moment.functions]


CONTEXT_LENGTHS = range(1, CONTEXTS + 1)
