"""The driver: runs a strategy against an executor and a solver, and keeps the books.

A strategy only chooses. Here is what all of them need: its attempts are performed, it is started again when it has run
dry, and the search ends when something ends it. `questions` asks the solver, `runs` runs the program and books what it
did, `world` is what they work with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from random import Random

from untaken.model.path import Path
from untaken.model.stretch import Stretch
from untaken.search.attempts import (
    Attempt,
    Burst,
    Finish,
    Flip,
    Force,
    Guess,
    Mend,
    Outcome,
    Run,
    Settle,
    Solve,
    Steps,
    Verdict,
    Wander,
)
from untaken.search.budget import Budget, Ending
from untaken.search.doubts import OF_VERDICTS, Doubt
from untaken.search.inputs import Starts
from untaken.search.knowledge.failing_branches import CRASHED, FurtherTries
from untaken.search.knowledge.place_records import PlaceRecords
from untaken.search.knowledge.spelled_words import SpelledWords
from untaken.search.patience import Patience
from untaken.search.prediction import held
from untaken.search.questions import Questions
from untaken.search.runs import Runs
from untaken.search.tally import GLANCE_COST
from untaken.search.view import SearchView, new_search
from untaken.search.world import Observer, Solution, World

_HELD, _INFEASIBLE = Verdict.HELD, Verdict.INFEASIBLE
_WITHOUT_RUN = {verdict: Outcome(verdict) for verdict in Verdict}


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
        self.search = new_search(world.program, rng, world.settings)
        self.search.words.give(world.words)
        self.search.words.spelled = SpelledWords(world.program.words)
        self._news = world.news
        self._word_finder = world.word_finder
        self._strategy = strategy
        self._budget = budget
        self._observer = observer or Observer()
        self._seeds = seeds
        self._clock = clock
        self._tally = self.search.tally
        self._tally.glance_cost = 1.0 if budget.counts_iterations else GLANCE_COST
        self._started = clock()
        self._stopped = False
        self._patience = Patience()
        self._places = PlaceRecords(world.program, self.search.coverage, self._tally, world.most_steps)
        self._further_tries = FurtherTries()
        self._questions = Questions(world, self.search, self._places, clock)
        self._runs = Runs(world, self.search, self._questions, self._observer, clock, self._is_over, self._left)

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
            self._runs.execute(seed, None)
            if self.search.coverage.count > before:
                useful.append(seed)
        if useful and isinstance(self.search.starts, Starts):
            self.search.starts.use(useful)
        return self._ending()

    def _take(self, news: Iterable[bytes]) -> bool:
        """Runs what others found, between two attempts; a strategy that begins again may begin there."""
        taken = False
        for input in news:
            taken = True
            if self._ending():
                break
            covered, cost = self.search.coverage.count, self._tally.cost
            self._runs.execute(input, None)
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
        steps, news = self._strategy(self.search), self._news
        try:
            attempt = next(steps)
            while True:
                if news is not None and (inputs := news()) and self._take(inputs) and (ending := self._ending()):
                    return ending
                result = self._perform(attempt)
                if ending := self._ending():
                    return ending
                if self._patience.is_over(self._tally.iterations, self._questions.pruned):
                    break
                attempt = steps.send(result)
        except StopIteration as end:
            if end.value is Finish.EXHAUSTED and not self._tally.incomplete:
                return self._exhausted()
            self._tally.tried_all |= end.value is Finish.EXHAUSTED
        finally:
            steps.close()
        if self._places.put_off > put_off:
            self._places.run_dry()
        elif self._tally.iterations == before:
            return Ending.STUCK
        self._tally.restarts += 1
        self._observer.on_restart(self._tally.restarts)
        return None

    def _exhausted(self) -> Ending | None:
        """Every path was seen, or skipped because it could cover nothing. Once all is covered that is so of any."""
        if not self._tally.pruned:
            return self._all_seen()
        return None if self.search.coverage.full else Ending.PRUNED

    def _all_seen(self) -> Ending:
        return Ending.ALL_OF_INPUT if self._tally.doubts else Ending.EXHAUSTED

    def _ending(self) -> Ending | None:
        if self._runs.enough is not None:
            return self._runs.enough
        if self._stopped:
            return Ending.STOPPED
        if self._runs.single_path:
            return self._all_seen()
        if self._questions.nothing_is_left:
            return Ending.PRUNED
        return self._budget.spent(self._tally, 0.0 if self._budget.seconds is None else self.seconds)

    def _is_over(self) -> bool:
        return self._ending() is not None

    def _left(self) -> int:
        return min(self._budget.executions_left(self._tally), self._observer.executions_left(self.search))

    # ---- attempts -----------------------------------------------------------------------------------------------

    def _perform(self, attempt: Attempt) -> Path | list[Path] | bytes | Outcome | Stretch | None:
        """Try what the strategy asks for; returns what it is to be sent."""
        match attempt:  # the most frequent ones first
            case Flip():
                outcome = self._flip(attempt)
                return outcome.path if outcome.verdict is _HELD else None
            case Force():
                return self._flip(attempt)
            case Run():
                return self._run_input(attempt)
            case Wander():
                return self._runs.wander(attempt)
            case Burst():
                return self._runs.burst(attempt)
            case Guess():
                return self._run_guess(attempt, self._questions.guess(attempt.path, attempt.index))
            case Mend() | Settle():
                return self._run_guess(attempt, self._questions.mend(attempt))
            case Solve():
                return self._solve(attempt)

    def _solve(self, attempt: Solve) -> bytes | None:
        """Where there is an answer its place has answered: whether a run would go there, nobody asks."""
        solution = self._questions.solve(attempt)
        if not isinstance(solution, Solution):
            return None
        self._places.held(attempt.path, attempt.index, 0)
        return solution.input

    def _run_input(self, attempt: Run) -> Path:
        path = self._runs.execute(attempt.input, attempt, attempt.snapshot)
        if attempt.constraints not in (None, len(path)):
            self._tally.doubts.add(Doubt.CHANGED)
        return path

    def _run_guess(self, attempt: Guess | Mend | Settle, input: bytes | None) -> Path | None:
        return None if input is None else self._runs.execute(input, attempt, attempt.path.snapshot)

    def _flip(self, attempt: Flip | Force) -> Outcome:
        outcome = self._flipped(attempt)
        verdict = outcome.verdict
        self._tally.verdicts[verdict] += 1
        if verdict is not _HELD and verdict is not _INFEASIBLE:
            self._note_doubt(verdict)
        self._observer.on_flip(attempt, outcome)
        return outcome

    def _note_doubt(self, verdict: Verdict) -> None:
        """Whether all paths will have been seen, after a flip that neither held nor was impossible."""
        tally = self._tally
        if verdict is Verdict.PRUNED:
            tally.pruned = True
            if not self._questions.is_lossless:
                tally.doubts.add(Doubt.PRUNED)
        elif verdict in OF_VERDICTS:
            tally.doubts.add(OF_VERDICTS[verdict])

    def _flipped(self, attempt: Flip | Force) -> Outcome:
        solution = self._questions.solve(attempt)
        if isinstance(solution, Verdict):
            if solution is _INFEASIBLE or solution is Verdict.UNKNOWN:
                self._ask_for_words(attempt.path, attempt.index)
            return _WITHOUT_RUN[solution]
        if isinstance(attempt, Force) and solution.input in attempt.unless:
            return _WITHOUT_RUN[Verdict.REPEATED]
        coverage, old, index = self.search.coverage, attempt.path, attempt.index
        covered = coverage.count
        path = self._runs.execute(solution.input, attempt, old.snapshot)
        new = coverage.count - covered
        if new and path.exit.kind in CRASHED:
            self._try_otherwise(attempt, solution.input)
        if held(old, index, path):
            self._places.held(old, index, new)
            self.search.words.flipped(old, old.constraint(index)[1], path, self.search.rng)
            return Outcome(_HELD, path, new)
        return Outcome(Verdict.DIVERGED if solution.certain else Verdict.UNKNOWN, path, new)

    def _ask_for_words(self, path: Path, index: int) -> None:
        """Where no change of bytes takes the other side, a longer text in their place may."""
        if self._word_finder is not None and not path.snapshot:
            self.search.words.ask(path, index, self._word_finder.words_for)

    def _try_otherwise(self, attempt: Flip | Force, failed: bytes) -> None:
        """Where the flip leaves inputs open, others than those of a run that failed may end well."""
        inputs, path = self.search.inputs, attempt.path
        for fill in (b"\1" * inputs.length, inputs.uniform(), inputs.uniform()):
            if not self._further_tries.are_worth_it(self._tally.iterations):
                return
            answer = self._questions.ask(path, attempt.index, fill)
            if not isinstance(answer, Solution) or answer.input == failed or self._is_over():
                return
            if self._further_tries.ended_well(self._runs.execute(answer.input, attempt, path.snapshot)):
                return
