"""The runs of a search: the program is run, assumptions that fail are repaired, and what a run showed is booked.

What is covered, counted and doubted is kept here, for all strategies alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from untaken.interrupts import undisturbed
from untaken.model.burst import ChangedInputs
from untaken.model.path import ExitKind, Path
from untaken.model.stretch import Stretch
from untaken.search.attempts import Attempt, Burst, Solve, Wander
from untaken.search.budget import Ending
from untaken.search.completeness import add_doubts
from untaken.search.coverage import NOTHING
from untaken.search.doubts import Doubt
from untaken.search.input_limit import InputLimit
from untaken.search.knowledge.assumptions import broken_assumption
from untaken.search.knowledge.failing_branches import FailingBranches
from untaken.search.questions import Questions
from untaken.search.strategies.hybrid.snapshots import SnapshotRuns
from untaken.search.view import SearchView
from untaken.search.world import BookedRun, Glimpse, Observer, Sight, Solution, World

_FRESH_GLANCES = 0.3  # of these, as many are taken to have had a path of their own
_FRESH_FOR_COST = 0.5  # but no more for their cost than other work in a drought has: there they would be favoured
_MOST_REPAIRS = 1024  # of assumptions in one run
_MOST_REPAIRS_IN_VAIN = 16  # after which a run failed where it had been before
_ASSUMPTION, _INPUTS, _USUAL_END = ExitKind.ASSUME, ExitKind.INPUTS, ExitKind.CODE


@dataclass(slots=True)
class _Glances:
    """Those since the last that showed something. How many of them come at once is a matter of time, so nothing is
    learnt from some of them alone: the same seed, the same tests."""

    idle: int = 0
    cut: int = 0


class Runs:
    """Runs the program for the driver.

    `is_over` says whether something has ended the search: then nothing is repaired any more. `left` says how many
    executions it may still have, at least.
    """

    def __init__(
        self,
        world: World,
        search: SearchView,
        questions: Questions,
        observer: Observer,
        clock: Callable[[], float],
        is_over: Callable[[], bool],
        left: Callable[[], int],
    ) -> None:
        self._world = world
        self._executor = world.executor
        self._has_strange_ids = world.strange_ids
        self._has_failing_branches = search.assumptions.has_failing_branches
        self._search = search
        self._tally = search.tally
        self._questions = questions
        self._observer = observer
        self._clock = clock
        self._is_over = is_over
        self._left = left
        self._known = search.known_runs
        self._input_limit = InputLimit(world.more_inputs)
        self._snapshots = SnapshotRuns(world.snapshots, search.coverage)
        self._failing = FailingBranches(world.program.id_count)
        self.enough: Ending | None = None  # what the observer wants the search to end with
        self.single_path = False  # a run proved that all inputs take the same path

    def execute(self, input: bytes, attempt: Attempt | None, snapshot: int = 0) -> Path:
        """Run the program; where an assumption of the program failed, solve for it and run again.

        The repaired run has the same path up to the assumption, so predictions made for the first still apply.
        """
        path = self._execute_once(input, attempt, snapshot)
        if path.exit.kind is _USUAL_END and not self._has_failing_branches:
            return path
        furthest = in_vain = 0
        for _ in range(_MOST_REPAIRS):
            broken = self._broken(path, attempt)
            if broken is None or in_vain > _MOST_REPAIRS_IN_VAIN or self._is_over():
                return path
            furthest, in_vain = (broken, 0) if broken > furthest else (furthest, in_vain + 1)
            answer = self._questions.ask(path, broken)
            if self._search.assumptions.is_open:
                self._questions.insist(path, broken, answer)
            if not isinstance(answer, Solution):
                return path
            path = self._execute_once(answer.input, attempt, snapshot)
        return path

    def burst(self, attempt: Burst) -> list[Path]:
        """Run changed inputs, and those again that show something; until something ends the search."""
        found: list[Path] = []
        done, count, glances = 0, len(attempt.changes), _Glances()
        while done < count and not self._is_over():
            sight = self._glance(attempt.changes, range(done, min(count, done + self._left())))
            done += sight.runs
            self._count_glances(sight, glances)
            if sight.glimpse is not Glimpse.NOTHING or done == count:
                self._learn_from(glances)
                glances = _Glances()
            if sight.glimpse is Glimpse.NEW:
                found.append(self.execute(sight.input, attempt))
            elif sight.glimpse is Glimpse.OFTENER:
                self._search.analyses.counts.keep(self.execute(sight.input, attempt))
            self.enough = self._observer.on_booked(self._search) or self.enough
        return found

    def _glance(self, changes: ChangedInputs, runs: range) -> Sight:
        if self._world.glancer is None:
            return Sight(Glimpse.NEW, changes.starts[runs.start // changes.copies].input, 1)
        begun = self._clock()
        sight = self._world.glancer.glance(changes, runs, self._search.analyses.counts.seen)
        self._tally.run_seconds += self._clock() - begun
        return sight

    def _count_glances(self, sight: Sight, glances: _Glances) -> None:
        """All but the one that is run again: that run counts."""
        idle = sight.runs - (sight.glimpse is not Glimpse.NOTHING)
        self._tally.iterations += idle
        self._tally.glances += idle
        self._tally.bursts += not self._tally.counts_glances
        glances.idle += idle
        glances.cut += sight.cut
        self._observer.on_glances(idle)

    def _learn_from(self, glances: _Glances) -> None:
        tally, idle = self._tally, glances.idle
        tally.fresh += idle * min(_FRESH_GLANCES, _FRESH_FOR_COST * tally.glance_cost)
        self._input_limit.saw_in_vain(idle, glances.cut, is_done=self._search.is_done)

    def wander(self, attempt: Wander) -> Stretch:
        """Let the program run on random inputs; what that covered is booked."""
        begun = self._clock()
        stretch, path = self._snapshots.wander(attempt)
        self._tally.run_seconds += self._clock() - begun
        self._tally.doubts.add(Doubt.SNAPSHOTS)
        self._count(path)
        self._tally.fresh += 1
        self._book(path, attempt)
        return stretch

    def _broken(self, path: Path, attempt: Attempt | None) -> int | None:
        """The assumption that ended a run and is to be repaired.

        Where it is a branch of the program's own, to take it may be what was asked for; and once all is covered, and
        what lies behind such branches reached, they are as good as any.
        """
        broken = self._search.assumptions.broken(path)
        if broken is None or path.exit.kind is _ASSUMPTION:
            return broken
        is_wanted = isinstance(attempt, Solve) and attempt.index == broken
        return None if is_wanted or self._search.is_done else broken

    def _execute_once(self, input: bytes, attempt: Attempt | None, snapshot: int) -> Path:
        if snapshot:
            return self._execute_from(snapshot, input, attempt)
        search, tally, known = self._search, self._tally, self._known
        if known.wanted and attempt is not None and (path := known.path_of(input)) is not None:
            tally.known += 1
            return path
        begun = self._clock()
        path = self._mapped(self._executor.run(input))
        tally.run_seconds += self._clock() - begun
        self._count(path)
        tally.fresh += not known.wanted or known.add(input, path)
        search.analyses.saw(path)
        self._learn(path)
        is_new = self._book(path, attempt)
        self._input_limit.saw(was_cut=path.exit.kind is _INPUTS, is_new=is_new, is_done=search.is_done)
        return path

    def _execute_from(self, snapshot: int, input: bytes, attempt: Attempt | None) -> Path:
        begun = self._clock()
        path, whole = self._snapshots.run(snapshot, input)
        path = self._mapped(path)
        self._tally.doubts.add(Doubt.SNAPSHOTS)
        self._tally.run_seconds += self._clock() - begun
        self._count(path)
        self._tally.fresh += 1
        self._search.analyses.saw(path)
        if self._book(whole, attempt):
            self._search.corpus.found[snapshot] = path
        return path

    def _mapped(self, path: Path) -> Path:
        """The path, without the ids that the program map lacks."""
        if not self._has_strange_ids:
            return path
        count = self._world.program.id_count
        if path.events.max(initial=0) < count:
            return path
        return replace(path, events=np.where(path.events < count, path.events, 0))

    def _count(self, path: Path) -> None:
        tally = self._tally
        tally.iterations += 1
        tally.events += len(path.events)
        tally.constraints += len(path.constraints)

    def _learn(self, path: Path) -> None:
        """What a run from the program's start says about inputs, and about all other paths."""
        search = self._search
        if path.input_used > search.inputs.length:
            search.inputs.saw(path.input_used, path.fields)
        if search.words.wanted:
            search.words.saw(path, search.rng)
        search.assumptions.saw(path)
        self._note_completeness(path)

    def _note_completeness(self, path: Path) -> None:
        doubts = self._tally.doubts
        add_doubts(path, doubts)
        if of_program := self._world.doubts():
            doubts.update(of_program)
        if not len(path.constraints):
            self._note_decided_by_nothing(path)
        elif not self._tally.incomplete and not len(path.symbolic) and broken_assumption(path) is None:
            self.single_path = True

    def _note_decided_by_nothing(self, path: Path) -> None:
        """A run without decisions says that all inputs take its path. Where others did decide, that is not so:
        something that we cannot see into, an uninstrumented getopt say, decided on the input."""
        if self._tally.constraints > 0:
            self._tally.doubts.add(Doubt.UNSEEN)
        self.single_path |= not self._tally.incomplete and broken_assumption(path) is None

    def _book(self, path: Path, attempt: Attempt | None) -> bool:
        """Whether it covered a branch that was new. What counts as covered was told, whatever ends the search."""
        tally, search = self._tally, self._search
        covered = search.coverage.count
        with undisturbed():
            # A run that broke an assumption is no test, so it covers nothing.
            new = NOTHING if path.exit.kind is _ASSUMPTION else search.coverage.add_run(path)
            cleared = self._failing.cleared(path, new)
            is_goal = search.coverage.count > covered
            if is_goal:
                tally.last_new = tally.iterations
                search.corpus.add(path)
                search.words.covered(path)
            is_new = is_goal or len(new) > 0 or len(cleared) > 0
            self._observer.on_run(BookedRun(path, new, is_new, attempt, cleared))
        self.enough = self._observer.on_booked(search) or self.enough
        return len(new) > 0
