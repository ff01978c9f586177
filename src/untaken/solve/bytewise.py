"""Looks for new values of the bytes of a goal that says something of each of its bytes alone (conjunctions.py).

Such goals, and the assertions about the same bytes alone, leave each byte a set of values: an empty one is an exact
contradiction. Values from the sets are then tried against the assertions that link bytes; one that is broken narrows
the set of a byte, with all others as they are. What is found is exact; where nothing is found, nothing is known.
"""

from __future__ import annotations

from itertools import product
from math import prod

from untaken.solve.answers import Answer, Sat, Unsat
from untaken.solve.conjunctions import Conjunctions, Domains, Parts
from untaken.solve.enumeration import choose
from untaken.solve.graph import Graph, indices
from untaken.solve.query import Query
from untaken.solve.scalar import ScalarEvaluator
from untaken.solve.truth import EVERY_VALUE, TruthTables

REPAIRS = 32
COMBINATIONS = 64


class BytewiseSearch:
    """Shares what it knows of nodes with the other layers."""

    def __init__(self, graph: Graph, tables: TruthTables, scalar: ScalarEvaluator) -> None:
        self._graph = graph
        self._tables = tables
        self._scalar = scalar
        self._conjunctions = Conjunctions(graph, tables)

    def solve(self, around: Query, old: bytes) -> Answer | None:
        """`around` has all assertions about bytes of the goal, `old` reaches all their bytes; None: not known."""
        goal = self._conjunctions.of(around.goal)
        if not goal.linked:
            return self._all_of(goal.domains, around, old)
        opposite = self._conjunctions.of(around.goal ^ 1)
        return None if opposite.linked else self._one_of(opposite.domains, around, old)

    def _all_of(self, wanted: Domains, around: Query, old: bytes) -> Answer | None:
        known = self._assumed(around, wanted)
        if not all(known.domains.values()):
            return Unsat()
        bits = _set_of(wanted)
        few = prod(map(int.bit_count, known.domains.values())) <= COMBINATIONS
        if few and not any(self._graph.bits(code) & ~bits for code in known.linked):
            return self._exhausted(known, bytearray(old))
        changed = bytearray(old)
        for byte, allowed in known.domains.items():
            if not allowed >> old[byte] & 1:
                changed[byte] = choose(allowed, around.salt)
        return self._repaired(known, changed, around.salt)

    def _one_of(self, unwanted: Domains, around: Query, old: bytes) -> Answer | None:
        """The goal is that one of several conditions is broken: a contradiction if none can be."""
        known = self._assumed(around, dict.fromkeys(unwanted, EVERY_VALUE))
        broken = {byte: known.domains[byte] & ~allowed for byte, allowed in unwanted.items()}
        if not any(broken.values()):
            return Unsat()
        for byte, values in broken.items():
            if values:
                changed = bytearray(old)
                changed[byte] = choose(values, around.salt)
                answer = self._repaired(Parts({byte: values}, known.linked), changed, around.salt)
                if answer is not None:
                    return answer
        return None

    def _assumed(self, around: Query, start: Domains) -> Parts:
        """What the other assertions leave these bytes, and those that link them, to each other or to more."""
        known = Parts(dict(start))
        bits = _set_of(start)
        for code in around.assertions[:-1]:
            parts = self._conjunctions.of(code)
            for byte, allowed in parts.domains.items():
                if byte in known.domains:
                    known.domains[byte] &= allowed
            known.linked.extend(each for each in parts.linked if self._graph.bits(each) & bits)
        return known

    def _exhausted(self, known: Parts, changed: bytearray) -> Answer:
        """Few combinations, and no other byte is involved: all are tried."""
        for values in product(*map(indices, known.domains.values())):
            for byte, value in zip(known.domains, values, strict=True):
                changed[byte] = value
            if all(self._scalar.holds(code, changed) for code in known.linked):
                return Sat(dict(zip(known.domains, values, strict=True)))
        return Unsat()

    def _repaired(self, known: Parts, changed: bytearray, salt: int) -> Answer | None:
        for _ in range(REPAIRS):
            against = next((code for code in known.linked if not self._scalar.holds(code, changed)), None)
            if against is None:
                return Sat({byte: changed[byte] for byte in known.domains})
            if not self._mend(against, known.domains, changed, salt):
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


def _set_of(domains: Domains) -> int:
    """The bytes, as a set of bits."""
    return sum(1 << byte for byte in domains)
