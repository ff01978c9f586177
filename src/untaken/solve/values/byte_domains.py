"""What a query leaves some of its bytes: sets of values, and the assertions that link them (conjunctions.py)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import prod

from untaken.solve.answers import Unsat
from untaken.solve.graph import Graph, set_of
from untaken.solve.query import Query
from untaken.solve.values.conjunctions import Conjunctions, Domains
from untaken.solve.values.truth import EVERY_VALUE

REMEMBERED = 4096  # queries whose domains are known; then they are forgotten
SHORT = 256  # assertions: of longer queries nothing is remembered


@dataclass(slots=True)
class ByteDomains:
    """Some bytes of a query."""

    query: Query
    old: bytes  # the old input, which reaches all bytes of the query
    domains: Domains
    inside: list[int] = field(default_factory=list)  # what links these bytes to each other
    across: list[int] = field(default_factory=list)  # what links them to further bytes
    core: list[int] = field(default_factory=list)  # the assertions of the query that domains and links came of

    @property
    def size(self) -> int:
        """How many combinations of values the bytes may have."""
        return prod(map(int.bit_count, self.domains.values()))

    @property
    def linked(self) -> list[int]:
        return self.inside + self.across

    @property
    def contradiction(self) -> Unsat:
        return Unsat(frozenset(self.core))


class DomainFinder:
    """Finds them. Pins come last: what contradicts itself without them need not be asked again without them."""

    def __init__(self, graph: Graph, conjunctions: Conjunctions) -> None:
        self.graph = graph
        self.parts = conjunctions.of  # of one assertion; not to be changed
        self._around: dict[Hashable, ByteDomains] = {}

    def around(self, query: Query, start: Domains, old: bytes) -> ByteDomains:
        """What all assertions but the goal and the pins leave the bytes of `start`, which follows from the goal; not to
        be changed. It does not depend on the old input, and is asked for again with most of them."""
        if query.length > SHORT:
            return self._found_around(query, start, old)
        known = self._around.get(query.identity)
        if known is None:
            if len(self._around) >= REMEMBERED:
                self._around.clear()
            known = self._around[query.identity] = self._found_around(query.with_hint(b""), start, b"")
        return ByteDomains(query, old, known.domains, known.inside, known.across, known.core)

    def _found_around(self, query: Query, start: Domains, old: bytes) -> ByteDomains:
        space = ByteDomains(query, old, dict(start), core=[query.goal])
        self._add(space, [code for code in query.assertions[:-1] if code not in query.pins])
        return space

    def with_goal(self, query: Query, bytes_free: list[int], old: bytes) -> ByteDomains:
        """What all assertions leave these bytes."""
        space = ByteDomains(query, old, dict.fromkeys(bytes_free, EVERY_VALUE))
        self._add(space, [query.goal, *query.assertions[:-1]])
        return space

    def pinned(self, space: ByteDomains) -> ByteDomains:
        """What the pins leave of a space that is `around` a goal."""
        query = space.query
        smaller = ByteDomains(query, space.old, dict(space.domains), space.inside[:], space.across[:], space.core[:])
        self._add(smaller, [code for code in query.assertions[:-1] if code in query.pins])
        return smaller

    def _add(self, space: ByteDomains, codes: list[int]) -> None:
        domains = space.domains
        bits = set_of(domains)
        for code in codes:
            parts = self.parts(code)
            used = False
            for byte, allowed in parts.domains.items():
                if byte in domains:
                    domains[byte] &= allowed
                    used = True
            for each in parts.linked:
                about = self.graph.bits(each)
                if not about & ~bits:
                    space.inside.append(each)
                    used = True
                elif about & bits:
                    space.across.append(each)
            if used:
                space.core.append(code)
