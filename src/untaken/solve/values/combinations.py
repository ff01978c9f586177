"""Tries combinations of values of some bytes, all of them if they are few, thousands at once (batch.py).

Hashes and checksums link bytes in ways that a solver has to bit-blast. But what the path says of each byte alone often
leaves it a handful of values (conjunctions.py): a letter, and one that the slot of a hash table was taken for. All
combinations of those are tried sooner than a solver is asked, and if none will do, that is exact. Of more, some are
drawn, never by chance: by the goal alone.
"""

from __future__ import annotations

from math import prod

import numpy as np

from untaken.model.floats import Words
from untaken.solve.answers import Answer, Sat
from untaken.solve.graph import Graph, indices
from untaken.solve.values.batch import same
from untaken.solve.values.byte_domains import ByteDomains
from untaken.solve.values.conjunctions import Domains
from untaken.solve.values.draws import scattered
from untaken.solve.values.vectors import ByteVectors

MOST = 4096  # candidates

Columns = dict[int, Words]  # by input byte: its value in each candidate


class CombinationSearch:
    """Shares what it knows of nodes with the other layers."""

    def __init__(self, graph: Graph, vectors: ByteVectors) -> None:
        self._graph = graph
        self._vectors = vectors

    def exhausted(self, space: ByteDomains) -> Answer | None:
        """The first of all combinations. Exact, whatever the other bytes are; None if only they stand in the way."""
        found = self._satisfying(space.inside, space.old, _all(space.domains)) if space.size else None
        return space.contradiction if found is None else self._first(space, found)

    def drawn(self, space: ByteDomains) -> Sat | None:
        """Some combinations of many; first those that are close to the old one."""
        found = self._satisfying(space.inside, space.old, _some(space))
        return None if found is None else self._first(space, found)

    def _first(self, space: ByteDomains, found: Columns) -> Sat | None:
        left = self._satisfying(space.across, space.old, found)
        return None if left is None else Sat({byte: int(column[0]) for byte, column in left.items()})

    def _satisfying(self, codes: list[int], old: bytes, columns: Columns) -> Columns | None:
        """The candidates for which all assertions hold, the other bytes as they were."""
        for code in reversed(codes):  # pins are last, and leave the least
            inputs = {byte: same(old[byte]) for byte in indices(self._graph.bits(code)) if byte not in columns}
            holds = self._vectors.evaluate(code >> 1, inputs | columns) == np.uint64(code & 1)
            if not holds.any():
                return None
            if not holds.all():
                columns = {byte: column[holds] for byte, column in columns.items()}
        return columns


def _values(allowed: int) -> Words:
    return np.array(indices(allowed), np.uint64)


def _all(domains: Domains) -> Columns:
    """Every combination of the values that the bytes may have, one column a byte."""
    columns: Columns = {}
    size = inner = prod(map(int.bit_count, domains.values()))
    for byte, allowed in domains.items():
        values = _values(allowed)
        inner //= len(values)
        column = np.empty((size // inner // len(values), len(values), inner), np.uint64)
        column[:] = values[:, np.newaxis]
        columns[byte] = column.ravel()
    return columns


def _some(space: ByteDomains) -> Columns:
    """In the first half of the candidates about every other byte keeps its old value, in the second all are drawn."""
    columns: Columns = {}
    for byte, allowed in space.domains.items():
        values = _values(allowed)
        drawn = scattered(space.query.salt ^ byte << 32, MOST)
        columns[byte] = values[drawn % np.uint64(len(values))]
        if allowed >> space.old[byte] & 1:
            keeps = drawn[: MOST // 2] >> np.uint64(63) == 1
            columns[byte][: MOST // 2][keeps] = space.old[byte]
    return columns
