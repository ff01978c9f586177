"""The search's flips, answered by the solver stack on the expressions of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from untaken.campaign.machinery.executor import SessionExecutor
from untaken.campaign.solver_costs import SolverCosts, hardest_operation
from untaken.model.effort import UNLIMITED
from untaken.model.path import Path
from untaken.model.word import Word
from untaken.search.attempts import Mend, Settle
from untaken.search.splice import spliced
from untaken.search.world import NoSolution, Solution
from untaken.solve.answers import Answer, Sat, Unknown, Unsat, apply
from untaken.solve.graph import Graph
from untaken.solve.query import FlipQuery, Flips, Query
from untaken.solve.stack import SolverStack
from untaken.solve.values.written_numbers import NumberFinder
from untaken.solve.worker.aside import SolverAside

MOST_CONTRADICTIONS = 8  # of another path's conditions with a goal, that are looked into


class StackFlips:
    """Answers the flips of a search with the solver stack."""

    def __init__(
        self,
        executor: SessionExecutor,
        solver: SolverStack,
        costs: SolverCosts | None = None,
        aside: SolverAside | None = None,
    ) -> None:
        self._executor = executor
        self._solver = solver
        self._costs = SolverCosts() if costs is None else costs
        self._aside = aside  # None: what gives up has no answer
        self._looked_at = Graph(executor.session.expressions)
        self._numbers = NumberFinder(self._looked_at)
        self._generation = executor.session.expressions.generation
        self._flips: Flips | None = None  # of the path that was flipped last

    def solve_flip(self, path: Path, index: int, fill: bytes | None = None) -> Solution | NoSolution:
        try:
            return self._solve_flip(path, index, fill)
        except Exception as error:
            self._executor.begin_afresh_if_damaged(error)
            return NoSolution.UNKNOWN

    def _solve_flip(self, path: Path, index: int, fill: bytes | None) -> Solution | NoSolution:
        current = self._executor.current(path, index + 1)
        if current is None:
            return NoSolution.UNKNOWN
        query = self._query(current, index)
        if self._solver.rules_out(query.goal):
            return NoSolution.INFEASIBLE
        answer = self._timed(query)
        if self._aside is not None and _gave_up(answer) and not path.snapshot:
            self._aside.put(query.side ^ 1, query)
        if isinstance(answer, Sat):
            base = path.input if fill is None else self._filled(query, fill)
            return Solution(apply(answer.model, base), not answer.optimistic)
        return why_not(answer)

    def put_aside(self, path: Path, index: int) -> None:
        try:
            self._put_aside(path, index)
        except Exception as error:
            self._executor.begin_afresh_if_damaged(error)

    def _put_aside(self, path: Path, index: int) -> None:
        current = None if self._aside is None or path.snapshot else self._executor.current(path, index + 1)
        if self._aside is not None and current is not None:
            self._aside.insist(self._query(current, index))

    def solve_alone(self, path: Path, index: int) -> bytes | None:
        try:
            return self._solve_alone(path, index)
        except Exception as error:
            self._executor.begin_afresh_if_damaged(error)
            return None

    def _solve_alone(self, path: Path, index: int) -> bytes | None:
        current = self._executor.current(path, index + 1)
        if current is None:
            return None
        answer = self._solver.solve(self._query(current, index).goal_alone())
        return apply(answer.model, path.input) if isinstance(answer, Sat) else None

    def solve_onward(self, mend: Mend) -> bytes | None:
        try:
            return self._solve_onward(mend)
        except Exception as error:
            self._executor.begin_afresh_if_damaged(error)
            return None

    def _solve_onward(self, mend: Mend) -> bytes | None:
        other = self._executor.current(mend.other, mend.goal + 1)
        current = self._executor.current(mend.path, mend.index + 1)
        if other is None or current is None or other.generation != current.generation:
            return None
        flip, onward = self._query(current, mend.index), Query.flip(other, mend.goal)
        model = self._meet_most(flip, onward.conditions(mend.start), onward.goal)
        return None if model is None else apply(model, mend.path.input)

    def _meet_most(self, flip: Query, conditions: tuple[int, ...], goal: int) -> Mapping[int, int] | None:
        """Meets the flip and the goal, and of the conditions those that do not stand against these: a loop that went
        round twice may have to go round five times."""
        for _ in range(MOST_CONTRADICTIONS):
            answer = self._solver.solve(flip.under((*conditions, goal)))
            if isinstance(answer, Sat):
                return answer.model
            core = answer.core if isinstance(answer, Unsat) else None
            left = conditions if core is None else tuple(code for code in conditions if code not in core)
            if left == conditions:
                return None
            conditions = left
        return None

    def solve_settled(self, settle: Settle) -> bytes | None:
        try:
            return self._solve_settled(settle)
        except Exception as error:
            self._executor.begin_afresh_if_damaged(error)
            return None

    def _solve_settled(self, settle: Settle) -> bytes | None:
        current = self._executor.current(settle.path, settle.index + 1)
        if current is None:
            return None
        answer = self._solver.settle(self._query(current, settle.index), settle.keeps)
        if answer is not None:
            return apply(answer.model, settle.path.input)
        return self._written_anew(current, settle)

    def _written_anew(self, current: Path, settle: Settle) -> bytes | None:
        """With another number in as many digits: which characters are digits may have been decided on the path."""
        for word in self._words_for(current, settle.index):
            stretch = slice(word.start, word.start + word.length)
            is_kept = stretch.start < settle.keeps.stop and stretch.stop > settle.keeps.start
            if not is_kept and len(word.text) <= word.length and word.text.isalnum():
                digits = word.text.rjust(word.length, b"0")
                return spliced(settle.path.input, settle.path.fields, stretch, digits)
        return None

    def words_for(self, path: Path, index: int) -> Sequence[Word]:
        try:
            return self._words_for(path, index)
        except Exception as error:
            self._executor.begin_afresh_if_damaged(error)
            return ()

    def _words_for(self, path: Path, index: int) -> list[Word]:
        """Other numbers in place of those that the condition compares."""
        current = self._executor.current(path, index + 1)
        if current is None:
            return []
        node, _, position, _, taken, _ = current.constraint(index)
        numbers = self._number_finder().wanted(2 * node + (taken ^ 1), path.input)
        return [replace(word, position=position) for word in numbers]

    def _timed(self, query: FlipQuery) -> Answer:
        statistics = self._solver.statistics
        before = statistics.seconds
        answer = self._solver.solve(query)
        if self._costs.note(query.side, statistics.seconds - before, answer):
            self._costs.tell(query.side, hardest_operation(self._own_graph(), query))
        return answer

    def _query(self, path: Path, index: int) -> FlipQuery:
        if self._flips is None or self._flips.path is not path:
            self._flips = Flips(path)
        return self._flips.at(index)

    def _filled(self, query: Query, fill: bytes) -> bytes:
        """The old bytes where the query speaks of them, the new ones elsewhere."""
        spoken = self._own_graph().inputs_of(query.assertions)
        size = max([len(fill), *(index + 1 for index in spoken)])
        mixed = bytearray(fill.ljust(size, b"\0"))
        for index in spoken:
            mixed[index] = query.hint[index] if index < len(query.hint) else 0
        return bytes(mixed)

    def _own_graph(self) -> Graph:
        """To look at expressions. Not the solver's graph: whoever walks on that spends steps, or saves the solver some,
        and the search decides by steps."""
        expressions = self._executor.session.expressions
        if expressions.generation != self._generation:
            self._looked_at, self._generation = Graph(expressions), expressions.generation
            self._numbers = NumberFinder(self._looked_at)
        return self._looked_at

    def _number_finder(self) -> NumberFinder:
        self._own_graph()
        return self._numbers


def _gave_up(answer: Answer) -> bool:
    return answer.gave_up if isinstance(answer, Sat) else isinstance(answer, Unknown)


def why_not(answer: Answer) -> NoSolution:
    """What gave up only because it was not allowed more steps is put off, for a time when there is nothing cheaper."""
    if isinstance(answer, Unknown):
        return NoSolution.PUT_OFF if answer.allowed < UNLIMITED else NoSolution.UNKNOWN
    return NoSolution.INFEASIBLE
