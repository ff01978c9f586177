"""Looks for new values of the bytes of a goal that says something of each of its bytes alone (conjunctions.py).

Such goals, and the assertions about the same bytes alone, leave each byte a set of values: an empty one is an exact
contradiction. Values from the sets are then tried against the assertions that link bytes; one that is broken narrows
the set of a byte, with all others as they are. What is found is exact; where nothing is found, nothing is known.
"""

from __future__ import annotations

from untaken.solve.answers import Answer, Sat
from untaken.solve.conjunctions import Domains
from untaken.solve.enumeration import choose
from untaken.solve.graph import Graph
from untaken.solve.grids import GridSearch
from untaken.solve.query import Query
from untaken.solve.scalar import ScalarEvaluator
from untaken.solve.spaces import Spaces
from untaken.solve.truth import EVERY_VALUE, TruthTables

REPAIRS = 32
COMBINATIONS = 64


class BytewiseSearch:
    """Shares what it knows of nodes with the other layers."""

    def __init__(self, graph: Graph, tables: TruthTables, scalar: ScalarEvaluator, spaces: Spaces) -> None:
        self._graph = graph
        self._tables = tables
        self._scalar = scalar
        self._spaces = spaces
        self._grids = GridSearch(graph, tables.vectors)

    def solve(self, around: Query, old: bytes) -> Answer | None:
        """`around` has all assertions about bytes of the goal, `old` reaches all their bytes; None: not known."""
        goal = self._spaces.parts(around.goal)
        if not goal.linked:
            return self._all_of(goal.domains, around, old)
        opposite = self._spaces.parts(around.goal ^ 1)
        return None if opposite.linked else self._one_of(opposite.domains, around, old)

    def _all_of(self, wanted: Domains, around: Query, old: bytes) -> Answer | None:
        space = self._spaces.around(around, wanted, old)
        if all(space.domains.values()):
            self._spaces.add_pins(space)
        if not all(space.domains.values()):
            return space.contradiction
        if space.size <= COMBINATIONS and not space.across:
            return self._grids.exhausted(space)
        changed = bytearray(old)
        for byte, allowed in space.domains.items():
            if not allowed >> old[byte] & 1:
                changed[byte] = choose(allowed, around.salt)
        return self._repaired(space.domains, space.linked, changed, around.salt)

    def _one_of(self, unwanted: Domains, around: Query, old: bytes) -> Answer | None:
        """The goal is that one of several conditions is broken: a contradiction if none can be."""
        space = self._spaces.around(around, dict.fromkeys(unwanted, EVERY_VALUE), old)
        if any(_broken(unwanted, space.domains)):
            self._spaces.add_pins(space)
        broken = _broken(unwanted, space.domains)
        if not any(broken):
            return space.contradiction
        for byte, values in zip(unwanted, broken, strict=True):
            if values:
                changed = bytearray(old)
                changed[byte] = choose(values, around.salt)
                answer = self._repaired({byte: values}, space.linked, changed, around.salt)
                if answer is not None:
                    return answer
        return None

    def _repaired(self, domains: Domains, linked: list[int], changed: bytearray, salt: int) -> Answer | None:
        for _ in range(REPAIRS):
            against = next((code for code in linked if not self._scalar.holds(code, changed)), None)
            if against is None:
                return Sat({byte: changed[byte] for byte in domains})
            if not self._mend(against, domains, changed, salt):
                return None
        return None

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


def _broken(unwanted: Domains, known: Domains) -> list[int]:
    """For each byte the values that break its condition."""
    return [known[byte] & ~allowed for byte, allowed in unwanted.items()]
