"""Looks for new values of the bytes of a goal that says something of each of its bytes alone (values/conjunctions.py).

Such goals, and the assertions about the same bytes alone, leave each byte a set of values: an empty one is an exact
contradiction. Values from the sets are then tried against the assertions that link bytes; one that is broken narrows
the set of a byte, with all others as they are. What is found is exact; where nothing is found, nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable

from untaken.solve.answers import Answer, Sat, Unsat
from untaken.solve.graph import Graph
from untaken.solve.layers.enumeration import choose
from untaken.solve.query import Query
from untaken.solve.values.byte_domains import ByteDomains, DomainFinder
from untaken.solve.values.combinations import CombinationSearch
from untaken.solve.values.conjunctions import Domains
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.truth import EVERY_VALUE, TruthTables

REPAIRS = 32
COMBINATIONS = 64


class BytewiseSearch:
    """Shares what it knows of nodes with the other layers."""

    def __init__(self, graph: Graph, tables: TruthTables, scalar: ScalarEvaluator, domains: DomainFinder) -> None:
        self._graph = graph
        self._tables = tables
        self._scalar = scalar
        self._domains = domains
        self._combinations = CombinationSearch(graph, tables.vectors)

    def solve(self, around: Query, old: bytes) -> Answer | None:
        """`around` has all assertions about bytes of the goal, `old` reaches all their bytes; None: not known."""
        goal = self._domains.parts(around.goal)
        if not goal.linked:
            return self._all_of(goal.domains, around, old)
        opposite = self._domains.parts(around.goal ^ 1)
        return None if opposite.linked else self._one_of(opposite.domains, around, old)

    def settled(self, around: Query) -> Answer | None:
        """The answer, where it is one for all old inputs: no pin and no other byte has a say in it."""
        goal = self._domains.parts(around.goal)
        if goal.linked or around.pins:
            return None
        space = self._domains.around(around, goal.domains, b"")
        if not all(space.domains.values()):
            return self._opponent(goal.domains, space) or space.contradiction
        if space.across:
            return None
        if space.size <= COMBINATIONS:
            return self._first_of_few(space)
        if space.inside or len(space.domains) > 1:
            return None  # bytes that may stay as they are do
        ((byte, allowed),) = space.domains.items()
        return Sat({byte: choose(allowed, around.salt)})

    def _all_of(self, wanted: Domains, around: Query, old: bytes) -> Answer | None:
        """A contradiction if no value is left for some byte."""
        space = self._domains.around(around, wanted, old)
        if all(space.domains.values()):
            return self._with_pins(space, self._values_for_all)
        return self._opponent(wanted, space) or space.contradiction

    def _opponent(self, wanted: Domains, space: ByteDomains) -> Unsat | None:
        """Mostly there is one assertion that contradicts the goal all by itself."""
        goal, *others = space.core
        for code in others:
            for byte, allowed in self._domains.parts(code).domains.items():
                if not allowed & wanted.get(byte, EVERY_VALUE):
                    return Unsat(frozenset((goal, code)))
        return None

    def _one_of(self, unwanted: Domains, around: Query, old: bytes) -> Answer | None:
        """The goal is that one of several conditions is broken: a contradiction if none can be."""
        space = self._domains.around(around, dict.fromkeys(unwanted, EVERY_VALUE), old)
        if not any(_broken(unwanted, space).values()):
            return space.contradiction
        return self._with_pins(space, lambda space: self._value_for_one(unwanted, space))

    def _with_pins(self, space: ByteDomains, search: Callable[[ByteDomains], Answer | None]) -> Answer | None:
        """Where there is nothing because of the pins, what there is without them."""
        if not space.query.pins:
            return search(space)
        pinned = self._domains.pinned(space)
        answer = search(pinned)
        if not isinstance(answer, Unsat):
            return answer
        relaxed = search(space)
        return Unsat(answer.core, relaxed) if isinstance(relaxed, Sat) else relaxed or answer

    def _values_for_all(self, space: ByteDomains) -> Answer | None:
        if not all(space.domains.values()):
            return space.contradiction
        if not space.across and space.size <= COMBINATIONS:
            return self._first_of_few(space)
        changed = bytearray(space.old)
        for byte, allowed in space.domains.items():
            if not allowed >> changed[byte] & 1:
                changed[byte] = choose(allowed, space.query.salt)
        return self._repaired(dict(space.domains), space.linked, changed, space.query.salt)

    def _first_of_few(self, space: ByteDomains) -> Answer | None:
        """Mostly the first combination will do."""
        first = {byte: (allowed & -allowed).bit_length() - 1 for byte, allowed in space.domains.items()}
        if all(self._surely_holds(code, first) for code in space.inside):
            return Sat(first)
        return self._combinations.exhausted(space)

    def _value_for_one(self, unwanted: Domains, space: ByteDomains) -> Answer | None:
        broken = _broken(unwanted, space)
        if not any(broken.values()):
            return space.contradiction
        salt = space.query.salt
        for byte, values in broken.items():
            if values:
                changed = bytearray(space.old)
                changed[byte] = choose(values, salt)
                answer = self._repaired({byte: values}, space.linked, changed, salt)
                if answer is not None:
                    return answer
        return None

    def _repaired(self, domains: Domains, linked: list[int], changed: bytearray, salt: int) -> Answer | None:
        for _ in range(REPAIRS):
            against = next((code for code in linked if not self._holds(code, changed)), None)
            if against is None:
                return Sat({byte: changed[byte] for byte in domains})
            if not self._mend(against, domains, changed, salt):
                return None
        return None

    def _holds(self, code: int, changed: bytearray) -> bool:
        """Evaluates only what its opposite does not say of single bytes."""
        return self._surely_holds(code, changed) or (
            bool(self._domains.parts(code ^ 1).linked) and self._scalar.holds(code, changed)
        )

    def _surely_holds(self, code: int, changed: bytearray | dict[int, int]) -> bool:
        """Whether a byte breaks the opposite."""
        opposite = self._domains.parts(code ^ 1).domains
        return any(not allowed >> changed[byte] & 1 for byte, allowed in opposite.items())

    def _mend(self, against: int, domains: Domains, changed: bytearray, salt: int) -> bool:
        """Another value for one byte, so that the broken assertion holds."""
        bits = self._graph.bits(against)
        for byte, allowed in domains.items():
            if bits >> byte & 1:
                better = allowed & self._tables.of(against, byte, changed)
                if better:
                    domains[byte] = better
                    changed[byte] = choose(better, salt)
                    return True
        return False


def _broken(unwanted: Domains, space: ByteDomains) -> Domains:
    """For each byte the values that break its condition."""
    return {byte: space.domains[byte] & ~allowed for byte, allowed in unwanted.items()}
