"""Words and sentences that the display, the closing words and the page have in common."""

from __future__ import annotations

import os

from untaken.search.budget import Ending

ENDINGS = {
    Ending.ITERATIONS.value: "the budget of iterations is used up",
    Ending.SECONDS.value: "the time is up",
    Ending.STALE.value: "nothing new was covered for as long as was asked",
    Ending.FULL_COVERAGE.value: "every {item}{where} is covered",
    Ending.ENOUGH.value: "as many branches are covered as was asked",
    Ending.FINDING.value: "something was found",
    Ending.SEEN.value: "who watched it had seen enough",
    Ending.EXHAUSTED.value: "the path space is exhausted, there is no other path",
    Ending.ALL_OF_INPUT.value: "every path that an input leads to was taken",
    Ending.PRUNED.value: "the path space is exhausted but for paths that cannot lead to anything uncovered",
    Ending.STUCK.value: "the strategy has nothing left to try",
    Ending.STOPPED.value: "interrupted; everything found so far is kept",
    Ending.FAULT.value: "something went wrong in untaken itself; everything found so far is kept",
}

# What a value was lost to, and what helps; docs/reference/limits.md says more.
CONCRETISED = {
    "float": "floating point that has no expression: some functions (frexp, sinl), long fractions, another rounding",
    "wide": "an operation on an integer of more than 128 bits that is not followed",
    "vector": "a vector instruction: build with less optimisation, or -fno-vectorize -fno-slp-vectorize",
    "asm": "inline assembly: many projects can be built without it",
    "overwrite": "memory that code which is not instrumented wrote to: build that code with untaken cc, too",
    "undefined": "a result that C leaves undefined, or that was optimised away: -fsanitize=undefined shows where",
    "other": "an operation that has no expression",
}
# The same of places that are told in other ways.
LOST_TO_A_CALL = "a call of {name}, which has no model"
LOST_TO_A_PIN = "an address or a size that depends on the input: it was explored with the value that it had"


def clock(seconds: float) -> str:
    """Seconds as a clock shows them: 90 s as 1:30."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def count(number: int, noun: str) -> str:
    """With an s where it belongs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def shown(place: str) -> str:
    """A path relative to where we are, if that is shorter."""
    file, colon, line = place.rpartition(":")
    if not colon or not os.path.isabs(file):
        return place
    relative = os.path.relpath(file)
    return f"{relative if len(relative) < len(file) else file}:{line}"
