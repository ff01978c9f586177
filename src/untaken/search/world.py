"""What the driver works with, as protocols: how programs are run and flips solved, which rules prune, who watches.

So the search knows nothing of processes or terms, and tests use a made-up program.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from untaken.model.burst import ChangedInputs
from untaken.model.effort import Effort
from untaken.model.path import Path
from untaken.model.program import ProgramMap
from untaken.model.stretch import Stretch
from untaken.model.word import Word
from untaken.search.attempts import Attempt, Flip, Force, Mend, Outcome, Settle, Verdict, Wander
from untaken.search.budget import Ending
from untaken.search.coverage_goals import CoverageGoals
from untaken.search.doubts import Doubt
from untaken.search.heuristics.heuristic import Heuristic
from untaken.search.inputs import RandomInputs, Starts
from untaken.search.knowledge.place_records import MOST_STEPS
from untaken.search.knowledge.witnesses import InputMeasure, decisions_before, decisions_made
from untaken.search.view import SearchSettings, SearchView, StartSource


class Executor(Protocol):
    """Runs the program on an input and tells its path."""

    def run(self, input: bytes) -> Path: ...


class Snapshots(Protocol):
    """Lets the program wander on random inputs, keeps it where it stopped, and runs it from there."""

    def wander(self, attempt: Wander) -> Stretch: ...

    def run_from(self, snapshot: int, input: bytes) -> Path:
        """With constraints over the inputs from the snapshot on."""
        ...

    def whole_input(self, path: Path) -> bytes:
        """The input that leads from the program's start to where a run from the present snapshot ended."""
        ...

    def replay(self, input: bytes) -> Path:
        """From the program's start to the end of the input, without constraints."""
        ...


@dataclass(frozen=True, slots=True)
class Solution:
    """An input for the other side; `certain` unless the solver could only guess at it."""

    input: bytes
    certain: bool = True


class NoSolution(Enum):
    """Why there is no input."""

    __hash__ = object.__hash__  # members are what they are: Enum's own hash, of the name, is much slower

    INFEASIBLE = Verdict.INFEASIBLE
    UNKNOWN = Verdict.UNKNOWN
    PUT_OFF = Verdict.PUT_OFF


class FlipSolver(Protocol):
    """Finds inputs that flip a decision of a path."""

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        """An input that follows `path` before constraint `index` and there takes the other side.

        Input bytes that constraints 0..index do not mention keep their old values, or are taken from `fill`.
        """
        ...


class Glimpse(Enum):
    """What there is to be seen of a run without its path."""

    NEW = "it passed what none before it did, or ended in trouble where none did"
    OFTENER = "it passed something as often as none before it did"
    NOTHING = "neither"


@dataclass(frozen=True, slots=True)
class Sight:
    """Of some runs without their paths: how many there were, and what was seen of the last; of the others nothing."""

    glimpse: Glimpse
    input: bytes  # of the last one
    runs: int
    cut: int = 0  # of these, those that asked for more inputs than they may have; not one that is run again


class Glancer(Protocol):
    """Runs the program where its path is not wanted."""

    def glance(self, changes: ChangedInputs, runs: range, passes: NDArray[np.uint8]) -> Sight:
        """Runs these of the changed inputs, at least the first, until there is something to be seen, or for a while.

        `passes` has a bit for each id and each sort of number (knowledge/pass_counts.py): so often runs have passed it.
        """
        ...


class Guesser(Protocol):
    """Finds inputs for less than a path, or for parts of two."""

    def solve_alone(self, path: Path, index: int) -> bytes | None:
        """The path's input, changed so that the other side's condition holds, wherever that leads."""
        ...

    def solve_onward(self, mend: Mend) -> bytes | None:
        """An input that flips the decision, and meets what the other path decided from there to the goal."""
        ...

    def solve_settled(self, settle: Settle) -> bytes | None:
        """An input that flips the decision by what is compared there, and keeps the bytes that are to be kept."""
        ...

    def put_aside(self, path: Path, index: int) -> None:
        """The flip was too hard, and is wanted all the same: its answer comes as news, if there is one."""
        ...


class WordFinder(Protocol):
    """Tells what else could stand in an input where a flip has no answer."""

    def words_for(self, path: Path, index: int) -> Sequence[Word]:
        """Texts in place of such in the path's input, with which the other side's condition may hold."""
        ...


class Filter(Protocol):
    """A pruning rule: says which flips are worth solving."""

    @property
    def lossless(self) -> bool:
        """True as long as no flip was forbidden that might have covered something."""
        ...

    def allows(self, search: SearchView, path: Path, index: int) -> bool:
        """Whether a flip that is asked for may be solved; one that may not counts as skipped."""
        ...

    def rules_out(self, search: SearchView, path: Path, index: int) -> bool:
        """Whether a flip can cover nothing, as far as control flow goes; nothing is counted."""
        ...


@dataclass(slots=True, eq=False)  # each run makes one, and frozen ones take several times as long to make
class BookedRun:
    """A run of the program, and what was new about it."""

    path: Path
    new_branches: NDArray[np.intp]
    is_new: bool  # it is the first to cover something, a branch or another goal, or to do so and end well
    attempt: Attempt | None  # None: a seed of the user
    cleared: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))  # only failing runs passed these

    @property
    def covers(self) -> NDArray[np.intp]:
        """What it is the first test of."""
        return np.concatenate((self.new_branches, self.cleared)) if len(self.cleared) else self.new_branches


class Observer:
    """Is told of everything; override what is of interest."""

    def on_run(self, run: BookedRun) -> None:
        """The program ran, and the run is booked."""

    def on_glances(self, count: int) -> None:
        """The program ran so many times more, and nothing was new."""

    def on_booked(self, search: SearchView) -> Ending | None:
        """After each of these: what may take its time, and may be interrupted. What is returned ends the search."""
        return None

    def executions_left(self, search: SearchView) -> int:
        """How many may come at once, before `on_booked` has to be asked: at least one."""
        return sys.maxsize

    def on_flip(self, attempt: Flip | Force, outcome: Outcome) -> None:
        """A flip was tried, with this outcome."""

    def on_restart(self, restarts: int) -> None:
        """The strategy ran dry and begins again."""


@dataclass(frozen=True, slots=True)
class World:
    """What the driver works with: the program, how to run it, how to solve, which rules prune."""

    program: ProgramMap
    executor: Executor
    solver: FlipSolver
    filters: tuple[Filter, ...] = ()
    # What else keeps the path space from ever being exhausted: that inputs went into code that we cannot see into, say.
    doubts: Callable[[], Collection[Doubt]] = lambda: ()
    strange_ids: bool = True  # runs may show ids that the program map lacks: a library was loaded by name
    first: bytes = b""  # the input to begin with, where there are no seeds
    starts: Callable[[RandomInputs, bytes], StartSource] = Starts  # who chooses the inputs to begin with
    goals: CoverageGoals | None = None  # what is to be covered; None: all branches
    heuristic: Heuristic | None = None  # for strategies that score branches; None: the one that we ship
    words: Sequence[bytes] = ()  # that the user says the program looks for
    snapshots: Snapshots | None = None  # None: the program cannot wander
    guesser: Guesser | None = None  # None: nothing is guessed
    word_finder: WordFinder | None = None  # None: only comparisons of strings tell words
    glancer: Glancer | None = None  # None: nothing is changed at random
    effort: Effort = field(default_factory=Effort)  # what the solver's answers cost
    most_steps: int = MOST_STEPS  # that one of them may
    reach: InputMeasure = decisions_made  # how much of its input a run had looked at, at each of its constraints
    cursor: InputMeasure = decisions_before  # the first byte of its input that each constraint speaks of
    # Called once contexts of decisions are looked for: runs may bring what tells most of them.
    record_windows: Callable[[], None] = lambda: None
    record_reach: Callable[[], None] = lambda: None  # the same before the first run that `reach` or `cursor` measures
    # Called when runs that are cut at a limit of inputs should have more of them; whether they will.
    more_inputs: Callable[[], bool] = lambda: False
    # Asked before each attempt: inputs from outside that are to be run, because they may cover something.
    news: Callable[[], Iterable[bytes]] | None = None

    @property
    def settings(self) -> SearchSettings:
        """What the search itself is told of it."""
        return SearchSettings(
            self.goals,
            self.heuristic,
            self.first,
            self.starts,
            self.snapshots is not None,
            self.reach,
            self.cursor,
            self.record_windows,
            self.record_reach,
        )
