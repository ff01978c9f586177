"""Looks for a new input close to the old one, which satisfies all but the goal. Wraps two solvers.

Parsers link neighbouring bytes, so that the independent part of a query is often most of the input. But few bytes
need to change: first one integer of the goal is moved, then one of its bytes is given all values, then what a checksum
is compared with is set, then the bytes of the goal are set free and all others kept, then also those that stood in the
way. Only constraints about free bytes have to be looked at. What is found is exact, and so is a contradiction in which
no kept byte takes part; all else goes to the `far` solver.
"""

from __future__ import annotations

from dataclasses import dataclass

from untaken.solve.answers import Answer, Sat, Unsat
from untaken.solve.graph import Graph, indices, set_of
from untaken.solve.layers.bytewise import BytewiseSearch
from untaken.solve.layers.closest import ClosestSearch
from untaken.solve.layers.enumeration import choose
from untaken.solve.layers.settling import SettlingSearch
from untaken.solve.layers.sizewise import SizewiseSearch
from untaken.solve.limits import too_long_for_now
from untaken.solve.query import Query, keeps, kept
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.bounds import LastingBounds
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.dependencies import InputRows
from untaken.solve.values.input_sets import MANY
from untaken.solve.values.recurring import SHORT, Recurring, RecurringQuestions
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.truth import TruthTables

ROUNDS = 4
BYTES_TRIED = 16  # of the goal, one at a time
LOOKED_AT_IN_A_STEP = 50  # assertions, to see which are about a byte


@dataclass(frozen=True, slots=True)
class Tools:
    """What is shared with other layers."""

    graph: Graph
    rows: InputRows
    tables: TruthTables
    scalar: ScalarEvaluator
    domains: DomainFinder
    statistics: Statistics


class NearbySolver:
    """`near` gets small queries that keep bytes, `far` whole ones."""

    def __init__(self, near: Solver, far: Solver, tools: Tools) -> None:
        self._near = near
        self._far = far
        self._graph = tools.graph
        self._rows = tools.rows
        self._tables = tools.tables
        self._scalar = tools.scalar
        self._domains = tools.domains
        self._lasting = LastingBounds(tools.graph)
        self._sizewise = SizewiseSearch(tools.graph)
        self.impossible: set[int] = set()  # goals that contradict themselves
        self._possible: set[int] = set()  # goals that do not
        self._excludes: dict[int, frozenset[int]] = {}
        self._recurring = RecurringQuestions()
        self._bytewise = BytewiseSearch(tools.graph, tools.tables, tools.scalar, tools.domains)
        self._closest = ClosestSearch(tools.graph, tools.scalar)
        self._settling = SettlingSearch(tools.domains, tools.scalar, near.solve)
        self._statistics = tools.statistics
        self._effort = tools.statistics.effort

    def solve(self, query: Query) -> Answer:
        goal, nodes = query.goal, query.nodes
        if len(nodes) >= MANY:
            self._rows.prepare(nodes)
        bits = self._graph.bits(goal)
        if not bits:  # a constant
            return self._near.solve(query.goal_alone())
        if goal not in self._possible and self._contradicts_itself(goal):
            self.impossible.add(goal)
            return Unsat(frozenset((goal,)))
        asked = self._recurring.of(query, self._rows.touching(nodes, bits))
        if asked.settled is not None:
            self._statistics.by_memory += 1
            return asked.settled
        around = asked.query.with_hint(query.hint)
        answer = (
            self._settled(asked)
            or self._moved(around)
            or too_long_for_now(around, self._effort)
            or self._searched(query, around, bits)
        )
        if isinstance(answer, Unsat) and answer.core is not None and len(answer.core) == 2 and goal in answer.core:
            self._note_excluded(query, answer.core - {goal})
        return answer

    def _note_excluded(self, query: Query, other: frozenset[int]) -> None:
        """An assertion contradicts the goal by itself, which is mostly known."""
        known = self._excludes.get(query.goal) or frozenset((query.goal ^ 1,))
        if not other <= known and not query.has_pins_among(other):
            self._excludes[query.goal] = known | other

    def settle(self, query: Query, keeps: range) -> Sat | None:
        """Another value for what a checksum is compared with, and nothing else."""
        if len(query.nodes) >= MANY:
            self._rows.prepare(query.nodes)
        return self._settling.settle(query, self._old(query), set_of(keeps))

    def close(self) -> None:
        self._far.close()

    def _contradicts_itself(self, goal: int) -> bool:
        """What a string is compared with may be longer than it; and what a mask or a remainder leaves is small."""
        if not all(self._domains.parts(goal).domains.values()):
            self._statistics.by_contradiction += 1
            return True
        out_of_bounds = not self._graph.one_byte(goal) and self._lasting.rule_out(goal)
        self._statistics.by_bounds += out_of_bounds
        if not out_of_bounds:
            self._possible.add(goal)
        return out_of_bounds

    def _settled(self, asked: Recurring) -> Answer | None:
        """What is the answer whatever the old input is. What contradicts a goal becomes known only by and by."""
        query, is_new = asked.query, not asked.was_tried
        asked.was_tried = True
        sized = self._by_size(query) if is_new else None
        asked.settled = sized or self._contradiction(query) or (self._by_bytes(query) if is_new else None)
        return asked.settled

    def _by_size(self, query: Query) -> Answer | None:
        answer = self._sizewise.solve(query)
        self._statistics.by_enumeration += answer is not None
        return answer

    def _contradiction(self, query: Query) -> Unsat | None:
        """The same condition was decided before: loops do this all the time."""
        against = self._against(query.goal, query.assertions)
        if against is None:
            return None
        self._statistics.by_contradiction += 1
        return Unsat(frozenset((query.goal, against)))

    def _by_bytes(self, query: Query) -> Answer | None:
        if query.length > SHORT or not self._closest.has_none(query.goal):
            return None
        answer = self._bytewise.settled(query)
        self._statistics.by_bytes += answer is not None
        return answer

    def _against(self, goal: int, assertions: tuple[int, ...]) -> int | None:
        """An assertion that is known to contradict the goal by itself."""
        known = self._excludes.get(goal)
        if known is None:
            return goal ^ 1 if goal ^ 1 in assertions else None
        return min(known.intersection(assertions), default=None)

    def _old(self, query: Query) -> bytes:
        """The old input: zeros were read past its end."""
        return query.hint.ljust(self._rows.reach, b"\0")

    def _moved(self, around: Query) -> Sat | None:
        """Another value for an integer of the goal."""
        self._effort.spend(around.length // LOOKED_AT_IN_A_STEP)
        if self._closest.has_none(around.goal):
            return None
        moved = self._closest.solve(around, self._old(around))
        self._statistics.by_neighbours += moved is not None
        return moved

    def _searched(self, query: Query, around: Query, bits: int) -> Answer:
        return (
            self._close(around, bits)
            or self._brought_together(query, around)
            or self._neighbours(query, bits)
            or self._far.solve(query)
        )

    def _brought_together(self, query: Query, around: Query) -> Sat | None:
        """Another value for what a checksum is compared with."""
        settled = self._settling.solve(query, around, self._old(query))
        self._statistics.by_neighbours += settled is not None
        return settled

    def _close(self, around: Query, bits: int) -> Answer | None:
        """Other values for bytes of the goal alone."""
        old = self._old(around)
        answer = self._bytewise.solve(around, old)
        if answer is not None:
            self._statistics.by_bytes += 1
            return answer
        if all(self._graph.bits(code) | bits == bits for code in around.assertions):
            return self._near.solve(around)  # closed: no other byte is involved
        return self._one_byte(around, bits, old)

    def _one_byte(self, around: Query, bits: int, old: bytes) -> Answer | None:
        """Another value for one byte of the goal."""
        for byte in indices(bits)[:BYTES_TRIED]:
            value = self._another_value(around, byte, old)
            if value is not None:
                self._statistics.by_one_byte += 1
                return Sat({byte: value})
        return None

    def _another_value(self, around: Query, byte: int, old: bytes) -> int | None:
        """Tries a value that the goal allows; an assertion that is against it is tabulated, and so on."""
        allowed = self._tables.of(around.goal, byte, old)
        self._effort.spend(len(around.assertions) // LOOKED_AT_IN_A_STEP)
        about = [code for code in around.assertions if self._graph.bits(code) >> byte & 1]
        linked = []
        for code in about:
            if self._graph.one_byte(code):
                allowed &= self._tables.of(code, byte)
            else:
                linked.append(code)
        changed = bytearray(old)
        while allowed:
            changed[byte] = choose(allowed, around.salt)
            against = next((code for code in linked if not self._scalar.holds(code, changed)), None)
            if against is None:
                return changed[byte]
            allowed &= self._tables.of(against, byte, old)
        return None

    def _neighbours(self, query: Query, free: int) -> Answer | None:
        """Frees the bytes of the goal, then those whose old values contradict it."""
        for _ in range(ROUNDS):
            around = query.select(self._rows.touching(query.nodes, free))
            answer = too_long_for_now(around, self._effort) or self._near.solve(self._keeping(around, free))
            if isinstance(answer, Sat):
                self._statistics.by_neighbours += 1
                return Sat({index: value for index, value in answer.model.items() if free >> index & 1})
            if not isinstance(answer, Unsat) or answer.core is None:
                return None
            blocking = [kept(code)[0] for code in answer.core if code < 0]
            if not blocking:
                return answer
            for index in blocking:
                free |= 1 << index
        return None

    def _keeping(self, query: Query, free: int) -> Query:
        """The query with all bytes kept that are not free."""
        old = self._old(query)
        read = self._graph.inputs_of(query.assertions)
        held = [keeps(index, old[index]) for index in read if not free >> index & 1]
        return Query.of([*held, *query.assertions], query.hint)
