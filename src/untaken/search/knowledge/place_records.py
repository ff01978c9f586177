"""What flips cost and brought at each place of the program, so that time is spent where it pays.

Programs have places whose other side no input ever takes, but which cost the solver much to find out: a bound that
cannot fail after `h % size`, the cases of a parser's table, the states of an automaton. Every strategy meets them on
every path. So each place has a record: the steps that its flips took, and how many of them held. A place is a condition
of the source with the side that was taken: the cases of a switch share theirs. A place whose answers
cost more than is fair is asked ever more rarely, in proportion. A flip that is put off is neither infeasible nor the
end of a proof. What is fair follows from what a run costs, and grows while nothing new is found: then cheaper work has
run dry, and the places that were put off have their turn.

All is counted, nothing is timed: the same seed gives the same tests.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from untaken.model.path import Path
from untaken.model.program import BranchId, Location, ProgramMap
from untaken.search.coverage import Coverage
from untaken.search.tally import Tally

# The number of a condition of the source; the side that was taken; the kind of the constraint; how deep in the path it
# is, roughly: the later rounds of a loop cost far more than the first ones.
DecisionPlace = tuple[int, int, int, int]

_STEPS_A_RUN = 4.0  # of the solver, in the time of a short run
_FAIR_RUNS = 10.0  # an answer may cost as much as so many runs
_LEAST_FAIR = _FAIR_RUNS * _STEPS_A_RUN  # which is never less than that
_NEW_BRANCH = 3.0  # and so many times more where the other side was never taken
_DEPTH_BITS = 4  # constraints 0 to 7, to 127, to 2,047 and so on of a path have records of their own
_FREE_TRIES = 6  # before a record says anything
_FADING = 0.93  # what older evidence counts, for each new question
_PATIENCE = 1_500.0  # work without anything new, in runs, after which twice as much is fair
_FIRST_STEPS = 1_200  # that a question is allowed; where one gives up, the next may take twice as much
_CAREFUL_STEPS = 400  # the same where questions that gave up took more than a tenth of all work
_WASTE = 0.1
MOST_STEPS = 20_000  # in the end, where the other side was never taken
STEPS_BEFORE_ASIDE = 3_600  # the same where somebody else goes on with the question, see solve/worker/aside.py
_MOST_DOUBLINGS = 64  # past all other bounds
_USUAL_STEPS = 4_000  # and where it was
INSISTED_STEPS = 1_200  # that a question is allowed which is not put off
_SHARE = 0.02  # of all work so far, which no question may take more than as long as there is other work
_LEAST_STEPS = 4_000  # but it is allowed so many, the usual ones at least


@dataclass(slots=True)
class PlaceRecord:
    """Of one place; all but the last two fade."""

    asked: float = 0.0
    held: float = 0.0
    steps: float = 0.0
    skipped: int = 0  # since it was last asked
    given_up: int = 0  # times: it may have an answer that takes more steps

    def ask(self, steps: int) -> None:
        """One more question took so many steps; what was before fades."""
        self.asked = self.asked * _FADING + 1.0
        self.held *= _FADING
        self.steps = self.steps * _FADING + steps
        self.skipped = 0

    @property
    def price(self) -> float:
        """Steps for an answer that held, with half an answer given in advance."""
        return self.steps / (self.held + 0.5)


class PlaceRecords:
    """The records of a campaign."""

    def __init__(self, program: ProgramMap, coverage: Coverage, tally: Tally, most_steps: int = MOST_STEPS) -> None:
        self._program = program
        self._coverage = coverage
        self._tally = tally
        self._hardest = most_steps
        self._records: dict[DecisionPlace, PlaceRecord] = {}
        self._numbers: dict[tuple[int, Location] | int, int] = {}  # of conditions; of ids where the source has none
        self._conditions: dict[int, int] = {}  # their numbers, by id of a side
        self._path: Path | None = None  # a flip is spoken of several times in a row: the last one
        self._index = 0
        self._place: DecisionPlace = (0, 0, 0, 0)
        self._record: PlaceRecord | None = None  # of this place
        self._side = 0  # the id of the side that it had taken
        self._last_new = (0, 0.0)  # the iteration that last covered something, and the work done until then
        self._generosity = 1.0  # what is fair, times this
        self._frontier = 1  # sides that were never taken, of conditions that were evaluated
        self._steps = 0  # of all questions
        self._in_vain = 0  # of those that gave up
        self.put_off = 0  # flips that were not asked for, or given up because they may take no more steps for now

    def allowance(self, path: Path, index: int) -> int:
        """The steps that a flip may take; 0: it is put off."""
        if path is not self._path or index != self._index:
            self._look_at(path, index)
        if self._last_new[0] != self._tally.last_new:
            self._begin_again()
        is_covered = self._coverage.hit.item(self._side ^ 1)
        record = self._record
        if record is None:
            return self._most_steps(0, is_covered)
        steps = self._most_steps(record.given_up, is_covered)
        if record.steps <= _LEAST_FAIR * (record.held + 0.5):  # as at most places: what is fair now need not be known
            return steps
        fair = self._fair_price(1.0 if is_covered else _NEW_BRANCH)
        if record.price <= fair or (record.asked < _FREE_TRIES and record.steps < _FREE_TRIES * fair):
            return steps
        record.skipped += 1
        if record.skipped * fair < record.price:
            self.put_off += 1
            return 0
        return steps

    def run_dry(self) -> None:
        """A strategy has nothing left but what was put off: until something is new, twice as much is fair."""
        self._generosity *= 2.0

    def asked(self, path: Path, index: int, steps: int) -> None:
        """A flip was asked for, and took so many steps."""
        if path is not self._path or index != self._index:
            self._look_at(path, index)
        record = self._record
        if record is None:
            record = self._record = self._records[self._place] = PlaceRecord()
        self._steps += steps
        record.ask(steps)

    def gave_up(self, path: Path, index: int, steps: int) -> None:
        """The question had no answer within its steps, but may have one with more of them."""
        self._look_at(path, index)
        self._records[self._place].given_up += 1
        self._in_vain += steps
        self.put_off += 1

    def held(self, path: Path, index: int, new_branches: int) -> None:
        """The run went where it was to go; a place that brings something new begins with a clean record."""
        if path is not self._path or index != self._index:
            self._look_at(path, index)
        if new_branches:
            self._records.pop(self._place, None)
            self._record = None
        elif self._record is not None:
            self._record.held += 1.0

    def _most_steps(self, given_up: int, is_covered: bool) -> int:
        """What a question may take at most: it holds no campaign back, but when all else is dry it may take more."""
        if is_covered and not self._in_vain and not given_up:  # as most are
            return int(_FIRST_STEPS * self._generosity)
        work = self._steps + _STEPS_A_RUN * self._tally.run_cost
        first = _CAREFUL_STEPS if self._in_vain > _WASTE * work else _FIRST_STEPS
        doubled = 2.0 ** min(given_up, _MOST_DOUBLINGS)
        if is_covered:
            return int(min(_USUAL_STEPS, first * doubled) * self._generosity)
        share = max(_LEAST_STEPS, _SHARE * work)
        alone = self._hardest / self._frontier  # what all of them may take together
        first_of_new = max(alone, _NEW_BRANCH * first)
        return int(min(self._hardest, max(share, alone), first_of_new * doubled) * self._generosity)

    def _fair_price(self, promise: float) -> float:
        """What an answer may cost now, in steps, where one promises so much."""
        spent = self._tally.run_cost
        run = max(1.0, spent / max(1, self._tally.iterations))  # the cost of one, in short runs
        patience = self._generosity * (1.0 + (spent - self._last_new[1]) / _PATIENCE)  # grows with work in vain
        return _LEAST_FAIR * run * promise * patience

    def _begin_again(self) -> None:
        """Something was new since the last question."""
        self._last_new = (self._tally.last_new, self._tally.run_cost)
        self._generosity = 1.0
        self._frontier = self._count_frontier()

    def _count_frontier(self) -> int:
        uncovered = self._coverage.uncovered()
        return max(1, int(np.count_nonzero(self._coverage.hit[uncovered ^ 1])))

    def _look_at(self, path: Path, index: int) -> None:
        """Where a constraint was decided is what is spoken of."""
        _, side, _, kind, taken, _ = path.constraint(index)
        condition = self._conditions.get(side)
        if condition is None:
            condition = self._conditions[side] = self._number(side)
        self._place = (condition, taken, kind, index.bit_length() // _DEPTH_BITS)
        self._path, self._index, self._side = path, index, side
        self._record = self._records.get(self._place)

    def _number(self, side: int) -> int:
        branch = self._program.branches.get(BranchId(side))
        key = side if branch is None or not branch.location.line else (branch.function, branch.location)
        return self._numbers.setdefault(key, len(self._numbers))
