"""What a strategy sees: the program's static shape, what is covered, one random generator, and how to ask for more.

What costs time to compute (graph, distances, dominators) is computed on first use and shared by all strategies of
the campaign; a strategy thereby declares what it needs by using it.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from functools import cache, cached_property
from random import Random
from typing import Protocol

from untaken.model.burst import ChangedInputs
from untaken.model.path import Path
from untaken.model.program import ProgramMap
from untaken.search.attempts import Burst, Flip, Force, Guess, Mend, Run, Settle, Solve
from untaken.search.contexts.contexts import Contexts
from untaken.search.coverage import Coverage
from untaken.search.coverage_goals import CoverageGoals
from untaken.search.heuristics.heuristic import Heuristic
from untaken.search.independence.pair_coverage import new_coverage
from untaken.search.inputs import RandomInputs, Starts
from untaken.search.knowledge.assumptions import Assumptions
from untaken.search.knowledge.causes import Causes
from untaken.search.knowledge.corpus import CoveringInputs
from untaken.search.knowledge.known_runs import KnownRuns
from untaken.search.knowledge.memory_bounds import MemoryBounds
from untaken.search.knowledge.openings import Openings
from untaken.search.knowledge.pass_counts import PassCounts
from untaken.search.knowledge.path_cache import DEFAULT_BYTES, PathCache
from untaken.search.knowledge.streaks import Streaks
from untaken.search.knowledge.witnesses import EarliestWitnesses, InputMeasure, decisions_before, decisions_made
from untaken.search.knowledge.words import WantedWords
from untaken.search.pieces.records import Records
from untaken.search.pieces.rounds import RoundFinder
from untaken.search.pieces.spans import SpanFinder
from untaken.search.pieces.stock import Stock
from untaken.search.program.distance import UncoveredDistance
from untaken.search.program.dominators import Dominators
from untaken.search.program.frames import Frames
from untaken.search.program.graph import StaticGraph
from untaken.search.program.learned_calls import CallLearner
from untaken.search.tally import Tally

_STARTING_BYTES = 64  # from a snapshot on: as much as a few inputs ask for


class StartSource(Protocol):
    """Chooses the input at each start of a strategy."""

    def next(self) -> bytes: ...


class AnyInput:
    """Starts of a search that may begin anywhere: random bytes, then zeros."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def next(self) -> bytes:
        """Random bytes, and zeros after them."""
        return self._rng.randbytes(_STARTING_BYTES)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a search is told of its world when it is made."""

    goals: CoverageGoals | None = None  # what is to be covered; None: all branches
    heuristic: Heuristic | None = None  # what the user gave; None: nothing
    first: bytes = b""  # the input to begin with
    starts: Callable[[RandomInputs, bytes], StartSource] = Starts
    can_wander: bool = False  # whether the program can be let run on random inputs and kept as a snapshot
    reach: InputMeasure = decisions_made  # how much of its input a run had looked at, at each of its constraints
    cursor: InputMeasure = decisions_before  # the first byte of its input that each constraint speaks of
    on_contexts: Callable[[], None] = lambda: None  # told when contexts of decisions are asked for
    on_reach: Callable[[], None] = lambda: None  # told before `reach` or `cursor` is first used, of the next run


class Analyses:
    """Static knowledge of the program, each part made when first asked for."""

    def __init__(
        self, program: ProgramMap, coverage: Coverage, rng: Random, settings: SearchSettings, words: WantedWords
    ) -> None:
        self._program = program
        self._words = words
        self._rng = rng
        self._coverage = coverage
        self._settings = settings

    @cached_property
    def graph(self) -> StaticGraph:
        """Combined control flow and call graph."""
        return StaticGraph(self._program)

    @cached_property
    def frames(self) -> Frames:
        """Where calls begin and end in a path."""
        return Frames(self._program)

    @cached_property
    def calls(self) -> CallLearner:
        """Adds calls through pointers to the graph."""
        return CallLearner(self._program, self.graph, self.frames)

    @cached_property
    def cursor(self) -> InputMeasure:
        """The first byte of its input that each constraint speaks of, of the runs from now on."""
        self._settings.on_reach()
        return self._settings.cursor

    def saw(self, path: Path) -> None:
        """A run happened: if anyone uses the graph, add the calls it shows."""
        if "graph" in self.__dict__:
            self.calls.observe(path.events)
        if "earliest" in self.__dict__:
            self.earliest.observe(path)
        if "stock" in self.__dict__:
            self.stock.saw(path)
        if "records" in self.__dict__:
            self.records.saw(path)
        if "counts" in self.__dict__:
            self.counts.observe(path)
        if "openings" in self.__dict__ and self.openings.observe(path):
            self._words.opened(path)
        if "causes" in self.__dict__:
            self.causes.observe(path)
        if "bounds" in self.__dict__:
            self.bounds.observe(path)

    @cached_property
    def stock(self) -> Stock:
        """Pieces of inputs, of the runs from now on."""
        self._settings.on_reach()
        return Stock(SpanFinder(self._program, self.frames, self._settings.cursor), self._rng, self._program.id_count)

    @cached_property
    def records(self) -> Records:
        """What rounds of the loop that reads the input took, of the runs from now on."""
        finder = RoundFinder(self._program, self.frames, self.stock.finder, self._settings.reach)
        return Records(finder, self._rng, self._program.id_count)

    @cached_property
    def counts(self) -> PassCounts:
        """How often runs passed each id, of the runs from now on."""
        return PassCounts(self._rng, self._program.id_count)

    @cached_property
    def openings(self) -> Openings:
        """Decisions whose other side is uncovered, of the runs from now on."""
        return Openings(self._coverage, self._program.id_count)

    @cached_property
    def causes(self) -> Causes:
        """Decisions shortly before conditions of uncovered branches, of the runs from now on."""
        return Causes(self._coverage, self._program.id_count)

    @cached_property
    def bounds(self) -> MemoryBounds:
        """Sizes and places in memory that were not tried, of the runs from now on."""
        return MemoryBounds()

    @cached_property
    def earliest(self) -> EarliestWitnesses:
        """The earliest way to each branch, of the runs from now on."""
        self._settings.on_reach()
        return EarliestWitnesses(self._program.id_count, self._settings.reach, Streaks(self._program))

    @cached_property
    def distances(self) -> UncoveredDistance:
        """How far each branch is from an uncovered one."""
        return UncoveredDistance(self.graph, self._coverage)

    @cache  # noqa: B019 - one object a campaign, asked for a length or two
    def contexts(self, longest: int) -> Contexts:
        """Contexts of context-guided search, up to a length."""
        self._settings.on_contexts()
        return Contexts(self._program, Dominators(StaticGraph(self._program)), longest)


@dataclass(frozen=True, slots=True, eq=False)
class SearchView:
    """The strategy's side of the driver. Everything random comes from `rng`.

    Several strategies of one search have views of their own: they share what is known, and differ in the last four.
    """

    program: ProgramMap
    rng: Random
    coverage: Coverage
    analyses: Analyses
    assumptions: Assumptions
    tally: Tally
    corpus: CoveringInputs
    inputs: RandomInputs
    words: WantedWords
    known_runs: KnownRuns
    can_wander: bool
    starts: StartSource
    heuristic: Heuristic | None
    cache_bytes: int  # for paths to come back to
    snapshot: int = 0  # where runs begin; 0: at the program's start

    @property
    def is_done(self) -> bool:
        """True if all is covered, and no code behind an assumption is still to be reached."""
        return self.coverage.full and not self.assumptions.is_open

    @property
    def own_count(self) -> int:
        """Goals that this search has covered by itself: what others covered is no merit of a strategy."""
        return self.coverage.count - self.tally.given

    def shared(self, starts: StartSource, among: int) -> SearchView:
        """The same search for one of several strategies, which begin elsewhere and share the memory for paths."""
        return replace(self, starts=starts, cache_bytes=self.cache_bytes // among)

    def scored_by(self, heuristic: Heuristic) -> SearchView:
        """The same search, but branches are scored by this heuristic."""
        return replace(self, heuristic=heuristic)

    def within(self, snapshot: int) -> SearchView:
        """The same search, but runs begin at the snapshot."""
        return replace(self, snapshot=snapshot, starts=AnyInput(self.rng))

    def path_cache(self) -> PathCache:
        """An empty cache for paths to come back to."""
        return PathCache(self.cache_bytes)

    def initial(self) -> Run:
        """Begin: the first time on the given or empty input, at a restart on a random one."""
        return self.run(self.starts.next())

    def run(self, input: bytes) -> Run:
        """An attempt that runs the program on this input."""
        return Run(input, self.snapshot)

    def burst(self, changes: ChangedInputs) -> Burst:
        """Runs all of these; sent the paths of those that cover something."""
        return Burst(changes)

    def random_input(self) -> Run:
        """Execute the program on a uniformly random input."""
        return self.run(self.inputs.uniform())

    def solve(self, path: Path, index: int, *, fresh: bool = False) -> Solve:
        """Only solve for the other side of constraint `index`."""
        return Solve(path, int(index), fresh)

    def flip(self, path: Path, index: int, *, fresh: bool = False) -> Flip:
        """Take the other side of constraint `index`; sent the new path if it went there."""
        return Flip(path, int(index), fresh)

    def guess(self, path: Path, index: int) -> Guess:
        """Meet the condition of the other side of constraint `index` by itself; sent the path of that run."""
        return Guess(path, int(index))

    def mend(self, path: Path, index: int, other: Path, parts: range) -> Mend:
        """As `guess`, but take the other side of constraint `index` as well, and these constraints of another path, the
        last of them on its other side."""
        return Mend(path, int(index), other=other, start=parts.start, goal=parts.stop - 1)

    def settle(self, path: Path, index: int, keeps: range) -> Settle:
        """As `guess`, but take the other side of constraint `index`, an equality, by what is compared there alone."""
        return Settle(path, int(index), keeps=keeps)

    def force(self, path: Path, index: int, *, fresh: bool = False, unless: Container[bytes] = ()) -> Force:
        """As `flip`, but sent the whole outcome; what is in `unless` is not run."""
        return Force(path, int(index), fresh, unless)

    def insist(self, path: Path, index: int) -> Force:
        """The same, however dear flips at this place have been."""
        return Force(path, int(index), insists=True)


def new_search(program: ProgramMap, rng: Random, settings: SearchSettings | None = None) -> SearchView:
    """A search that has seen nothing yet."""
    settings = settings or SearchSettings()
    coverage = new_coverage(program, settings.goals)
    words = WantedWords(coverage)
    analyses = Analyses(program, coverage, rng, settings, words)
    inputs = RandomInputs(rng)
    return SearchView(
        program=program,
        rng=rng,
        coverage=coverage,
        analyses=analyses,
        assumptions=Assumptions(program, lambda: analyses.frames),
        tally=Tally(),
        corpus=CoveringInputs(program.id_count),
        inputs=inputs,
        words=words,
        known_runs=KnownRuns(),
        can_wander=settings.can_wander,
        starts=settings.starts(inputs, settings.first),
        heuristic=settings.heuristic,
        cache_bytes=DEFAULT_BYTES,
    )
