"""What a strategy may ask the driver to try, and what it is told of it.

A strategy is a generator. It yields one of these attempts and is sent the result:

    Run    a Path: what the program did on this input
    Solve  the input that would take the other side, as bytes, or None; nothing is run
    Flip   the Path of the new run if it went as predicted, else None
    Force  an Outcome: the new path in any case, what became of the prediction, how many branches are new
    Guess  the Path of a run on an input that meets the other side's condition by itself, or None
    Mend   the Path of a run on an input that takes the other side and goes on as another run did, or None
    Settle the Path of a run on an input that takes the other side and in which some bytes are as they were, or None
    Burst  the Paths of those of many inputs that covered something or ended in trouble, in a list
    Wander a Stretch: what the program took in on random inputs, and the snapshot at which it waits, if it does

`Flip` is what the papers' pseudo-code needs ("if the branch can be forced"); `Force` is for strategies that also
learn from a run that went elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from untaken.model.burst import ChangedInputs
from untaken.model.path import Path

Count = int  # the type of a strategy's option that makes no sense below 1


@dataclass(frozen=True, slots=True)
class Run:
    """Execute the program on an input; from its start, or from a snapshot."""

    input: bytes
    snapshot: int = 0
    constraints: int | None = None  # that an earlier run on it had


@dataclass(frozen=True, slots=True)
class Burst:
    """Execute the program on many inputs that are changed at random, and only see to which of them pass what none has
    passed: the others' paths are not even read, which takes many times as long as to run them. Those that do are run
    again as usual."""

    changes: ChangedInputs


@dataclass(frozen=True, slots=True)
class Wander:
    """Let the program run on random inputs until no branch was new for `saturation` of them, and keep a snapshot there.

    It goes on from `snapshot`, where it is given `input` first, or begins anew. After `longest` inputs in all it ends.
    Runs from the new snapshot may ask for `horizon` inputs each.
    """

    seed: int
    saturation: int
    longest: int
    horizon: int
    snapshot: int = 0
    input: bytes = b""


@dataclass(slots=True, eq=False)
class Solve:
    """Find an input that follows `path` up to constraint `index` and there takes the other side.

    With `fresh`, input bytes that none of these constraints mention get new random values instead of the old ones.
    """

    path: Path
    index: int
    fresh: bool = False


@dataclass(slots=True, eq=False)
class Flip(Solve):
    """Prune, solve, run and check the prediction; the strategy is sent the new path only if it held."""


@dataclass(slots=True, eq=False)
class Force(Solve):
    """As Flip, but the strategy is sent the whole Outcome. An input that is in `unless` is not run. One that `insists`
    is not put off because flips at its place were dear."""

    unless: Container[bytes] = ()
    insists: bool = False


@dataclass(slots=True, eq=False)
class Guess(Solve):
    """Run an input that meets the other side's condition by itself, whatever the path decided before.

    For a side that those decisions rule out: they may turn out to follow. Nothing is predicted.
    """


@dataclass(slots=True, eq=False, kw_only=True)
class Mend(Solve):
    """Run an input that takes the other side, and that also meets the conditions of constraints `start` to `goal` of
    another path, the last of them on its other side.

    A flip changes whatever is easiest to change; that may be what leads from there to the goal. Nothing is predicted.
    """

    other: Path
    start: int
    goal: int


@dataclass(slots=True, eq=False, kw_only=True)
class Settle(Solve):
    """Run an input that takes the other side, an equality, by what is compared there alone: a checksum that was written
    down, but not what it is about; or that writes a number in digits anew. The bytes that are kept are not changed in
    any case. Nothing is predicted."""

    keeps: range


Attempt = Run | Solve | Flip | Force | Guess | Mend | Settle | Burst | Wander


class Verdict(Enum):
    """What became of a flip."""

    __hash__ = object.__hash__  # members are what they are: Enum's own hash, of the name, is much slower

    HELD = "held"
    DIVERGED = "diverged"  # the new run did not go where the solver's answer should have led it
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"  # the solver gave up, or only guessed and was wrong
    PRUNED = "pruned"  # a filter forbade it
    PUT_OFF = "put off"  # its place costs much and answers little: it has its turn later
    REPEATED = "repeated"  # the input was run before, and the strategy wants no other


@dataclass(slots=True, eq=False)
class Outcome:
    """A flip's verdict, the run it led to if there was one, and how many branches that run was first to cover."""

    verdict: Verdict
    path: Path | None = None
    new_branches: int = 0

    @property
    def held(self) -> bool:
        return self.verdict is Verdict.HELD


class Finish(Enum):
    """What a strategy returns when it ends by itself; None: it has run dry and may be restarted."""

    EXHAUSTED = "exhausted"  # every flip of every path was tried


_T = TypeVar("_T")

# A part of a strategy that ends in a value; Any is what is sent, which depends on what was yielded (see above).
Part = Generator[Attempt, Any, _T]
Steps = Part[Finish | None]
Strategy = Callable[..., Steps]
