"""What the driver asks of the pruning rules and of the solver: whether a flip is worth solving, and for its input.

It keeps count of what was pruned, and says when pruning has left nothing: that is a fact about the program, whatever
the strategy makes of it.
"""

from __future__ import annotations

from collections.abc import Callable

from untaken.model.effort import UNLIMITED
from untaken.model.path import Path
from untaken.search.attempts import Force, Mend, Settle, Solve, Verdict
from untaken.search.doubts import Doubt
from untaken.search.knowledge.place_records import INSISTED_STEPS, PlaceRecords
from untaken.search.view import SearchView
from untaken.search.world import NoSolution, Solution, World

_PUT_OFF = NoSolution.PUT_OFF
_VERDICTS: dict[NoSolution, Verdict] = {reason: reason.value for reason in NoSolution}


class Questions:
    """Asked by the driver; `clock` says what time the solver took."""

    def __init__(self, world: World, search: SearchView, places: PlaceRecords, clock: Callable[[], float]) -> None:
        self._world = world
        self._solver, self._effort, self._filters = world.solver, world.effort, world.filters
        self._search = search
        self._tally = search.tally
        self._places = places
        self._clock = clock
        self._unproven = 0  # pruned flips since all of a path were looked at
        self.pruned = 0  # flips that were asked for, in all
        self.nothing_is_left = False  # no flip can cover anything more, by rules that cost no coverage

    def solve(self, attempt: Solve) -> Solution | Verdict:
        """An input that flips a decision, unless pruning forbids it."""
        path, index = attempt.path, attempt.index
        if self._filters and self._is_pruned(path, index):
            self._note_pruned(path)
            return Verdict.PRUNED
        steps = self._places.allowance(path, index)
        if isinstance(attempt, Force) and attempt.insists:
            steps = steps or INSISTED_STEPS
        fill = self._search.inputs.uniform() if attempt.fresh else None
        answer = self.ask(path, index, fill, steps) if steps else _PUT_OFF
        if isinstance(answer, Solution):
            return answer
        if answer is _PUT_OFF:
            self._tally.doubts.add(Doubt.PUT_OFF)
        return _VERDICTS[answer]

    def ask(self, path: Path, index: int, fill: bytes | None = None, steps: int = UNLIMITED) -> Solution | NoSolution:
        """What the solver says, within so many steps; its place has them in its record."""
        begun, effort, tally = self._clock(), self._effort, self._tally
        before = effort.spent
        effort.limit = before + steps
        tally.asked += 1
        answer = self._solver.solve_flip(path, index, fill)
        tally.solver_steps += effort.spent - before
        self._places.asked(path, index, effort.spent - before)
        if answer is _PUT_OFF:
            self._places.gave_up(path, index, effort.spent - before)
        tally.solve_seconds += self._clock() - begun
        return answer

    def insist(self, path: Path, index: int, answer: Solution | NoSolution) -> None:
        """The flip is wanted, whether or not a run has taken its side before: if this is no real answer, it is looked
        for beside the search."""
        has_answer = answer.certain if isinstance(answer, Solution) else answer is NoSolution.INFEASIBLE
        if not has_answer and self._world.guesser is not None:
            self._world.guesser.put_aside(path, index)

    def guess(self, path: Path, index: int) -> bytes | None:
        """An input that meets the condition of the other side by itself, if one is guessed."""
        guesser = self._world.guesser
        if guesser is None or self._is_pruned(path, index):
            return None
        return self._counted(lambda: guesser.solve_alone(path, index))

    def mend(self, attempt: Mend | Settle) -> bytes | None:
        """An input that takes the other side, and then goes where another path went, if there is one."""
        guesser = self._world.guesser
        if guesser is None or self._is_pruned(attempt.path, attempt.index):
            return None
        self._effort.limit = self._effort.spent + INSISTED_STEPS
        if isinstance(attempt, Settle):
            return self._counted(lambda: guesser.solve_settled(attempt))
        return self._counted(lambda: guesser.solve_onward(attempt))

    def _counted(self, question: Callable[[], bytes | None]) -> bytes | None:
        begun, before = self._clock(), self._effort.spent
        self._tally.asked += 1
        input = question()
        self._tally.solver_steps += self._effort.spent - before
        self._tally.solve_seconds += self._clock() - begun
        return input

    @property
    def is_lossless(self) -> bool:
        """True as long as no flip was pruned that might have covered something."""
        return all(rule.lossless for rule in self._filters)

    def _is_pruned(self, path: Path, index: int) -> bool:
        return any(not rule.allows(self._search, path, index) for rule in self._filters)

    def _note_pruned(self, path: Path) -> None:
        """Looks at all flips of a path once as many were pruned, so that looking costs no more than pruning does."""
        self.pruned += 1
        self._unproven += 1
        if self._unproven >= len(path.symbolic):
            self._unproven = 0
            self.nothing_is_left = self._is_spent(path)

    def _is_spent(self, path: Path) -> bool:
        """True if no flip of a path can cover anything: any other path begins with one of them."""
        if self._tally.incomplete or self._search.coverage.full:
            return False
        return all(self._is_ruled_out(path, index) for index in path.symbolic.tolist())

    def _is_ruled_out(self, path: Path, index: int) -> bool:
        return any(rule.rules_out(self._search, path, index) for rule in self._filters)
