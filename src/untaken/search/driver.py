"""The driver: runs a strategy against an executor and a solver, and keeps the books.

A strategy only chooses. Here is what all of them need: pruning, solving, running, checking predictions, coverage,
budget, restarts. What it works with is in `world`, runs from snapshots are in `snapshots`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from untaken.interrupts import undisturbed
from untaken.model.effort import UNLIMITED
from untaken.model.path import ExitKind, Path
from untaken.model.stretch import Stretch
from untaken.search.attempts import Attempt, Finish, Flip, Force, Guess, Outcome, Run, Solve, Steps, Verdict, Wander
from untaken.search.budget import Budget, Ending
from untaken.search.completeness import add_doubts
from untaken.search.doubts import OF_VERDICTS, Doubt
from untaken.search.input_limit import InputLimit
from untaken.search.inputs import Starts
from untaken.search.knowledge.assumptions import broken_assumption
from untaken.search.knowledge.place_records import PlaceRecords
from untaken.search.prediction import held
from untaken.search.strategies.hybrid.snapshots import SnapshotRuns
from untaken.search.view import SearchView
from untaken.search.world import BookedRun, NoSolution, Observer, Solution, World

# A strategy of ours never asks so often in vain; one that does is restarted, so that no campaign hangs.
_MOST_ATTEMPTS_WITHOUT_RUN = 1_000_000
_MOST_PRUNED_WITHOUT_RUN = 2_000
_MOST_REPAIRS = 1024  # of assumptions in one run
_MOST_REPAIRS_IN_VAIN = 16  # after which a run failed where it had been before
_ASSUMPTION = ExitKind.ASSUME


class Driver:
    """One campaign of one strategy: `run` returns what ended it."""

    def __init__(
        self,
        world: World,
        strategy: Callable[[SearchView], Steps],
        rng: Random,
        budget: Budget,
        *,
        observer: Observer | None = None,
        seeds: Sequence[bytes] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.search = SearchView(world.program, rng, world.settings)
        self.search.words.give(world.words)
        self._world = world
        self._strategy = strategy
        self._budget = budget
        self._observer = observer or Observer()
        self._seeds = seeds
        self._clock = clock
        self._tally = self.search.tally
        self._started = clock()
        self._stopped = False
        self._enough: Ending | None = None  # what the observer wants the search to end with
        self._attempts_in_vain = 0
        self._pruned_in_vain = 0
        self._single_path = False  # a run proved that all inputs take the same path
        self._input_limit = InputLimit(world.more_inputs)
        self._places = PlaceRecords(world.program, self.search.coverage, self._tally)
        self._snapshots = SnapshotRuns(world.snapshots, self.search.coverage)

    def stop(self) -> None:
        """End after the attempt under way; may be called from a signal handler."""
        self._stopped = True

    @property
    def seconds(self) -> float:
        """Time since the driver was made."""
        return self._clock() - self._started

    def run(self) -> Ending:
        """Run seeds, then the strategy, restarted whenever it runs dry, until something ends the campaign."""
        ending = self._run_seeds()
        while ending is None:
            ending = self._live() or self._ending()
        return ending

    def _run_seeds(self) -> Ending | None:
        useful = []
        for seed in self._seeds:
            if ending := self._ending():
                return ending
            before = self.search.coverage.count
            self._execute(seed, None)
            if self.search.coverage.count > before:
                useful.append(seed)
        if useful and isinstance(self.search.starts, Starts):
            self.search.starts.use(useful)
        return self._ending()

    def _take_news(self) -> bool:
        """Runs what others found, between two attempts; a strategy that begins again may begin there."""
        taken = False
        for input in self._world.news():
            taken = True
            if self._ending():
                break
            covered, cost = self.search.coverage.count, self._tally.cost
            self._execute(input, None)
            new = self.search.coverage.count - covered
            self._tally.given += new
            self._tally.given_cost += self._tally.cost - cost
            if new and isinstance(self.search.starts, Starts):
                self.search.starts.add(input)
        return taken

    def _live(self) -> Ending | None:
        """One life of the strategy, from its start to its end."""
        self._tally.begin_life()
        before, put_off = self._tally.iterations, self._places.put_off
        steps = self._strategy(self.search)
        attempt: Attempt | None = None
        try:
            attempt = next(steps)
            while True:
                if self._take_news() and (ending := self._ending()):
                    return ending
                result = self._perform(attempt)
                if ending := self._ending():
                    return ending
                if self._is_in_vain():
                    break
                wanted, last = steps.send(result), attempt
                if isinstance(wanted, Run) and isinstance(last, Solve) and self._is_spent(last.path):
                    return Ending.PRUNED  # it gave up the path, and would begin again elsewhere
                attempt = wanted
        except StopIteration as end:
            if end.value is Finish.EXHAUSTED and not self._tally.incomplete:
                return self._exhausted()
            self._tally.tried_all |= end.value is Finish.EXHAUSTED
        finally:
            steps.close()
        if isinstance(attempt, Solve) and self._is_spent(attempt.path):
            return Ending.PRUNED
        if self._places.put_off > put_off:
            self._places.run_dry()
        elif self._tally.iterations == before:
            return Ending.STUCK
        self._tally.restarts += 1
        self._observer.on_restart(self._tally.restarts)
        return None

    def _is_in_vain(self) -> bool:
        """True if the strategy asks and asks, and nothing comes of it."""
        return self._attempts_in_vain > _MOST_ATTEMPTS_WITHOUT_RUN or self._pruned_in_vain > _MOST_PRUNED_WITHOUT_RUN

    def _is_spent(self, path: Path) -> bool:
        """True if no flip of a path can cover anything: any other path begins with one of them."""
        if not self._pruned_in_vain or self._tally.incomplete or self.search.coverage.full:
            return False
        pruned = all(self._is_pruned(path, index) for index in path.symbolic.tolist())
        return pruned and all(rule.lossless for rule in self._world.filters)

    def _exhausted(self) -> Ending | None:
        """Every path was seen, or skipped because it could cover nothing. Once all is covered that is so of any."""
        if not self._tally.pruned:
            return Ending.EXHAUSTED
        return None if self.search.coverage.full else Ending.PRUNED

    def _ending(self) -> Ending | None:
        if self._enough is not None:
            return self._enough
        if self._stopped:
            return Ending.STOPPED
        if self._budget.full_coverage and self.search.is_done and self._tally.iterations:
            return Ending.FULL_COVERAGE
        if self._single_path:
            return Ending.EXHAUSTED
        return self._budget.spent(self._tally, self.seconds)

    # ---- attempts -----------------------------------------------------------------------------------------------

    def _perform(self, attempt: Attempt) -> Path | bytes | Outcome | Stretch | None:
        """Try what the strategy asks for; returns what it is to be sent."""
        self._attempts_in_vain += 1
        match attempt:
            case Run():
                return self._run_input(attempt)
            case Wander():
                return self._wander(attempt)
            case Flip():
                outcome = self._flip(attempt)
                return outcome.path if outcome.held else None
            case Force():
                return self._flip(attempt)
            case Guess():
                return self._guess(attempt)
            case Solve():
                solution = self._solve(attempt)
                return solution.input if isinstance(solution, Solution) else None

    def _run_input(self, attempt: Run) -> Path:
        path = self._execute(attempt.input, attempt, attempt.snapshot)
        if attempt.constraints not in (None, len(path)):
            self._tally.doubts.add(Doubt.CHANGED)
        return path

    def _flip(self, attempt: Flip | Force) -> Outcome:
        outcome = self._flipped(attempt)
        self._tally.verdicts[outcome.verdict] += 1
        self._note_verdict(outcome.verdict)
        self._observer.on_flip(attempt, outcome)
        return outcome

    def _note_verdict(self, verdict: Verdict) -> None:
        tally = self._tally
        if verdict is Verdict.PRUNED:
            tally.pruned = True
            if not all(rule.lossless for rule in self._world.filters):
                tally.doubts.add(Doubt.PRUNED)
        elif verdict is not Verdict.HELD and verdict in OF_VERDICTS:
            tally.doubts.add(OF_VERDICTS[verdict])

    def _flipped(self, attempt: Flip | Force) -> Outcome:
        solution = self._solve(attempt)
        if isinstance(solution, Verdict):
            return Outcome(solution)
        if isinstance(attempt, Force) and solution.input in attempt.unless:
            return Outcome(Verdict.REPEATED)
        covered = self.search.coverage.count
        path = self._execute(solution.input, attempt, attempt.path.snapshot)
        new = self.search.coverage.count - covered
        if held(attempt.path, attempt.index, path):
            self._places.held(attempt.path, attempt.index, new)
            return Outcome(Verdict.HELD, path, new)
        return Outcome(Verdict.DIVERGED if solution.certain else Verdict.UNKNOWN, path, new)

    def _guess(self, attempt: Guess) -> Path | None:
        if self._world.guesser is None or self._is_pruned(attempt.path, attempt.index):
            return None
        begun = self._clock()
        self._tally.asked += 1
        input = self._world.guesser.solve_alone(attempt.path, attempt.index)
        self._tally.solve_seconds += self._clock() - begun
        return None if input is None else self._execute(input, attempt, attempt.path.snapshot)

    def _solve(self, attempt: Solve) -> Solution | Verdict:
        """Asks the solver for an input that flips a decision, unless pruning forbids it."""
        path, index = attempt.path, attempt.index
        if self._is_pruned(path, index):
            self._pruned_in_vain += 1
            return Verdict.PRUNED
        steps = self._places.allowance(path, index)
        fill = self.search.inputs.uniform() if attempt.fresh else None
        answer = self._ask(path, index, fill, steps) if steps else NoSolution.PUT_OFF
        if answer is NoSolution.PUT_OFF:
            self._tally.doubts.add(Doubt.PUT_OFF)
        return answer if isinstance(answer, Solution) else answer.value

    def _is_pruned(self, path: Path, index: int) -> bool:
        return not all(rule.allows(self.search, path, index) for rule in self._world.filters)

    def _ask(self, path: Path, index: int, fill: bytes | None = None, steps: int = UNLIMITED) -> Solution | NoSolution:
        begun, effort = self._clock(), self._world.effort
        before = effort.spent
        effort.allow(steps)
        self._tally.asked += 1
        answer = self._world.solver.solve_flip(path, index, fill)
        self._places.asked(path, index, effort.spent - before)
        if answer is NoSolution.PUT_OFF:
            self._places.gave_up(path, index, effort.spent - before)
        self._tally.solve_seconds += self._clock() - begun
        return answer

    # ---- executions ---------------------------------------------------------------------------------------------

    def _execute(self, input: bytes, attempt: Attempt | None, snapshot: int = 0) -> Path:
        """Run the program; where an assumption of the program failed, solve for it and run again.

        The repaired run has the same path up to the assumption, so predictions made for the first still apply.
        """
        path = self._execute_once(input, attempt, snapshot)
        furthest = in_vain = 0
        for _ in range(_MOST_REPAIRS):
            broken = self._broken(path, attempt)
            if broken is None or in_vain > _MOST_REPAIRS_IN_VAIN or self._ending():
                return path
            furthest, in_vain = (broken, 0) if broken > furthest else (furthest, in_vain + 1)
            answer = self._ask(path, broken)
            if not isinstance(answer, Solution):
                return path
            path = self._execute_once(answer.input, attempt, snapshot)
        return path

    def _broken(self, path: Path, attempt: Attempt | None) -> int | None:
        """The assumption that ended a run and is to be repaired.

        Where it is a branch of the program's own, to take it may be what was asked for; and once all is covered, and
        what lies behind such branches reached, they are as good as any.
        """
        broken = self.search.assumptions.broken(path)
        if broken is None or path.exit.kind is _ASSUMPTION:
            return broken
        is_wanted = isinstance(attempt, Solve) and attempt.index == broken
        return None if is_wanted or self.search.is_done else broken

    def _execute_once(self, input: bytes, attempt: Attempt | None, snapshot: int) -> Path:
        begun = self._clock()
        if snapshot:
            path, whole = self._snapshots.run(snapshot, input)
            path = self._mapped(path)
            self._tally.doubts.add(Doubt.SNAPSHOTS)
        else:
            path = whole = self._mapped(self._world.executor.run(input))
        self._tally.run_seconds += self._clock() - begun
        self._count(path)
        self.search.analyses.saw(path)
        if not snapshot:
            self.search.inputs.saw(path.input_used, path.fields)
            self.search.words.saw(path, self.search.rng)
            self.search.assumptions.saw(path)
            self._note_completeness(path)
        is_new = self._book(whole, attempt)
        if not snapshot:
            self._input_limit.saw(path, is_new=is_new, is_done=self.search.is_done)
        elif is_new:
            self.search.corpus.found[snapshot] = path
        return path

    def _mapped(self, path: Path) -> Path:
        """The path, without the ids that the program map lacks."""
        count = self._world.program.id_count
        if not self._world.strange_ids or path.events.max(initial=0) < count:
            return path
        return replace(path, events=np.where(path.events < count, path.events, 0))

    def _wander(self, attempt: Wander) -> Stretch:
        begun = self._clock()
        stretch, path = self._snapshots.wander(attempt)
        self._tally.run_seconds += self._clock() - begun
        self._tally.doubts.add(Doubt.SNAPSHOTS)
        self._count(path)
        self._book(path, attempt)
        return stretch

    def _count(self, path: Path) -> None:
        self._attempts_in_vain = self._pruned_in_vain = 0
        self._tally.iterations += 1
        self._tally.events += len(path.events)
        self._tally.constraints += len(path)

    def _book(self, path: Path, attempt: Attempt | None) -> bool:
        """Whether it covered a branch that was new. What counts as covered was told, whatever ends the search."""
        tally, search = self._tally, self.search
        covered = search.coverage.count
        # A run that broke an assumption is no test, so it covers nothing.
        passed = path.passed if path.exit.kind is not _ASSUMPTION else path.events[:0]
        with undisturbed():
            new = search.coverage.add(passed)
            is_goal = search.coverage.count > covered
            if is_goal:
                tally.last_new = tally.iterations
                search.corpus.add(path)
                search.words.covered(path)
            self._observer.on_run(BookedRun(path, new, is_goal or len(new) > 0, attempt))
        self._enough = self._observer.on_booked(search) or self._enough
        return len(new) > 0

    def _note_completeness(self, path: Path) -> None:
        doubts = self._tally.doubts
        add_doubts(path, doubts)
        doubts.update(self._world.doubts())
        if self._went_unseen(path):
            doubts.add(Doubt.UNSEEN)
        if not doubts and not len(path.symbolic) and broken_assumption(path) is None:
            self._single_path = True

    def _went_unseen(self, path: Path) -> bool:
        """A run without decisions says that all inputs take its path. Where others did decide, that is not so:
        something that we cannot see into, an uninstrumented getopt say, decided on the input."""
        return not len(path) and self._tally.constraints > 0
