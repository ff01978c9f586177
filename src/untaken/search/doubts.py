"""Why a claim about all paths of a program, "exhausted" say, would not be safe: one member for each reason.

Each doubt is a clause that the report puts behind "because".
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from untaken.model.gap import Gap
from untaken.search.attempts import Verdict


class Doubt(Enum):
    """A reason; its value says it to the user."""

    __hash__ = object.__hash__  # members are what they are: Enum's own hash, of the name, is much slower

    CUT_OFF = "runs outgrew their trace, and what came after was not followed"
    LATE = "runs took too long and were ended"
    MEMORY = "runs were ended for lack of memory"
    INPUTS = "runs were ended because they asked for too many inputs"
    LENGTH = "runs that grew far beyond the others were ended"
    LOST = "a run ended its fork server and left no trace"
    CONCRETE = "values that depend on the input could not be followed"
    PINNED = "addresses or sizes that depend on the input were explored with one value only"
    LIBRARY = "the C library decided on the input, and such a decision has more than two outcomes"
    EXTERNAL = "the input went into functions without a model"
    READS = "the input was read by functions without a model"
    EARLY = "the input was asked for before main, where constructors find none"
    UNSEEN = "something decided on the input where no branch could be seen"
    UNINSTRUMENTED = "the program is linked with libraries that are not instrumented"
    PROCESSES = "the program started other processes"
    REPLACED = "the program replaced itself by another one"
    STRANGERS = "the program has code that nobody can follow: assembly, or functions that are not known here"
    THREADS = "the program has several threads, and only the main one's decisions are explored"
    TIMERS = "the program asked for signals at certain times"
    JUMPED = "the program jumped out of a library function"
    HANDLERS = "handlers of signals that came within a library function were not followed"
    FAULTS = "the program handles its own faults (SIGSEGV, SIGFPE and the like), and what led to one was not followed"
    ASIDE = "the program asked for flags of floating point, or for how much it had printed"
    UNKNOWN = "the solver left questions open"
    PUT_OFF = "questions were put off, because their like had cost much and brought nothing"
    DIVERGED = "runs did not go where they should have gone"
    CHANGED = "a run on the same input went another way"
    PRUNED = "flips were skipped that might have led to something new"
    SNAPSHOTS = "runs began in the middle of others"
    CHANCE = "the program asked for the time, random numbers, its environment or a terminal, which no input changes"


OF_GAPS = {
    Gap.PROCESSES: Doubt.PROCESSES,
    Gap.REPLACED: Doubt.REPLACED,
    Gap.TIMERS: Doubt.TIMERS,
    Gap.JUMPED: Doubt.JUMPED,
    Gap.HANDLERS: Doubt.HANDLERS,
    Gap.READS: Doubt.READS,
    Gap.EARLY: Doubt.EARLY,
    Gap.FAULTS: Doubt.FAULTS,
    Gap.ASIDE: Doubt.ASIDE,
    Gap.CHANCE: Doubt.CHANCE,
}
# They speak against a claim, but not for going on: no input would help.
BESIDE_THE_INPUT = frozenset({Doubt.CHANCE})
OF_VERDICTS = {Verdict.UNKNOWN: Doubt.UNKNOWN, Verdict.DIVERGED: Doubt.DIVERGED, Verdict.PUT_OFF: Doubt.PUT_OFF}


def in_order(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """As the report lists them."""
    found = set(doubts)
    return tuple(doubt for doubt in Doubt if doubt in found)
