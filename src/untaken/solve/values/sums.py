"""Sums that take each input byte by itself: totals, checksums, counts.

`a[0] + a[1] + ... == 1000` links all its bytes, and a solver adds them up bit by bit. But what each byte contributes is
known (vectors.py), so how far the sum is from what is wanted can be shared out among them.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from untaken.model.expression import Op
from untaken.model.floats import Words
from untaken.solve.graph import Graph, indices
from untaken.solve.values.vectors import ByteVectors

MOST_NODES = 1 << 16  # of one sum
_BITS = 64
_WORD = 1 << _BITS
_SAME = frozenset({Op.ZEXT, Op.SEXT})  # whoever believes the sum looks at the real one in the end
_Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WantedSum:
    """What a goal asks for: the sum, and values of it that satisfy the goal, the nearest first."""

    term: int
    width: int
    values: tuple[int, ...]


def wanted_sum(graph: Graph, goal: int) -> WantedSum | None:
    """The sum that a goal compares with a constant, if it does."""
    node, holds = graph.node(goal >> 1), bool(goal & 1)
    if node.op not in _BORDERS or (node.op is Op.EQ and not holds):
        return None
    left, right = graph.node(node.a), graph.node(node.b)
    if (left.op is Op.CONST) == (right.op is Op.CONST) or left.width > _BITS:
        return None
    term, constant = (node.b, left.constant) if left.op is Op.CONST else (node.a, right.constant)
    distance, sign = _BORDERS[node.op][left.op is Op.CONST, holds]
    values = [constant + distance, *(constant + distance + sign * further for further in (1, 2, 255) if sign)]
    return WantedSum(term, graph.node(term).width, tuple(values))


# By whether the constant is on the left and whether the comparison is to hold: how far from the constant the nearest
# value is with which it does, and in which direction the others lie.
_LESS = {(False, True): (-1, -1), (False, False): (0, 1), (True, True): (1, 1), (True, False): (0, -1)}
_NOT_MORE = {(False, True): (0, -1), (False, False): (1, 1), (True, True): (0, 1), (True, False): (-1, -1)}
_BORDERS = {
    Op.EQ: {(False, True): (0, 0), (True, True): (0, 0)},
    Op.ULT: _LESS,
    Op.SLT: _LESS,
    Op.ULE: _NOT_MORE,
    Op.SLE: _NOT_MORE,
}


class ByteSums:
    """Takes sums apart, over one generation of the node table."""

    def __init__(self, graph: Graph, vectors: ByteVectors) -> None:
        self._graph = graph
        self._vectors = vectors

    def contributions(self, term: int) -> dict[int, Words] | None:
        """What each byte adds to the sum, for each of its values, modulo 2 to the 64th; None if it is no such sum."""
        factors = factors_of(self._graph, term, lambda index: index in self._vectors)
        if factors is None:
            return None
        found: dict[int, Words] = {}
        for node, factor in factors.items():
            byte = indices(self._graph.inputs(node))
            if byte:
                added = _words(self._vectors.of(node)) * np.uint64(factor % _WORD)
                found[byte[0]] = found[byte[0]] + added if byte[0] in found else added
        return found


def factors_of(graph: Graph, term: int, is_part: Callable[[int], bool]) -> dict[int, int] | None:
    """The parts that a sum is made of, and how often it has each of them; None if it is made of something else, too."""
    waiting, factors, parts = [-term], {term: 1}, dict[int, int]()
    while waiting:
        index = -heapq.heappop(waiting)  # whoever uses a node has a larger number: its factor is complete
        factor = factors.pop(index)
        if is_part(index):
            parts[index] = factor
            continue
        inner = _summands(graph, index)
        if inner is None or len(factors) + len(parts) > MOST_NODES:
            return None
        for child, times in inner:
            if child not in factors:
                heapq.heappush(waiting, -child)
            factors[child] = factors.get(child, 0) + factor * times
    return parts


def _summands(graph: Graph, index: int) -> list[tuple[int, int]] | None:
    node = graph.node(index)
    if node.op is Op.ADD:
        return [(node.a, 1), (node.b, 1)]
    if node.op is Op.SUB:
        return [(node.a, 1), (node.b, -1)]
    if node.op is Op.CONCAT:
        return [(node.a, 1 << graph.node(node.b).width), (node.b, 1)]
    if node.op in _SAME or (node.op is Op.EXTRACT and node.b == 0):
        return [(node.a, 1)]
    return _multiple(graph, node.op, node.a, node.b)


def _multiple(graph: Graph, op: Op, a: int, b: int) -> list[tuple[int, int]] | None:
    if op not in (Op.MUL, Op.SHL):
        return None
    left, right = graph.node(a), graph.node(b)
    if op is Op.MUL and left.op is Op.CONST:
        return [(b, left.constant)]
    if right.op is not Op.CONST or (op is Op.SHL and right.constant >= _BITS):
        return None
    return [(a, right.constant if op is Op.MUL else 1 << right.constant)]


def _words(vector: Words) -> Words:
    """Of numbers that are wider than that, the low bits."""
    return (vector % _WORD).astype(np.uint64) if vector.dtype == object else vector


def shared_out(distance: int, width: int, old: bytes, allowed: dict[int, int], added: dict[int, Words]) -> bytes | None:
    """The input with some bytes changed so that the sum is larger by this distance, modulo 2 to the width; None if it
    is not found. `allowed`: values of each byte, as bits."""
    left, data = _signed(np.array([distance % _WORD], np.uint64), width).item(), bytearray(old)
    for byte in sorted(added, key=lambda byte: (-int(np.abs(_moves(added[byte], old[byte], width)).max()), byte)):
        if left == 0:
            break
        values = np.array(indices(allowed[byte]), np.intp)
        moves = _moves(added[byte], data[byte], width)[values]
        best = int(np.abs(left - moves).argmin())
        if abs(left - int(moves[best])) < abs(left):
            data[byte] = int(values[best])
            left -= int(moves[best])
    return bytes(data) if left == 0 else None


def _moves(added: Words, value: int, width: int) -> _Numbers:
    """By how much each value of a byte changes the sum."""
    return _signed(added - added[value], width)


def _signed(numbers: Words, width: int) -> _Numbers:
    """Of a number of so many bits the nearest to zero that is the same modulo 2 to the width."""
    unused = np.uint64(_BITS - width)
    return (numbers << unused).astype(np.int64) >> unused.astype(np.int64)
