"""Which input bytes constraints depend on, as a matrix of bits: what slicing computes with."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from untaken.solve.graph import Graph

WORD = 64
WORD_MASK = (1 << WORD) - 1
Scalar = TypeVar("Scalar", bound=np.generic)


class InputRows:
    """The input bytes of each node as a row of 64-bit words; rows are added as nodes are first asked for."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._row_of = np.zeros(1024, np.uint32)  # by node; 0: not known yet
        self._rows = np.zeros((256, 1), np.uint64)
        self._count = 1

    def of(self, nodes: NDArray[np.int64]) -> NDArray[np.uint64]:
        """One row a node."""
        places = self._places(nodes)
        rows: NDArray[np.uint64] = self._rows[places]
        return rows

    def touching(self, nodes: NDArray[np.int64], bits: int) -> NDArray[np.intp]:
        """Which of the nodes depend on any of these bytes; word by word, since the bytes of a goal are neighbours."""
        places = self._places(nodes)
        shared = [
            self._rows[places, word] & np.uint64(part)
            for word in range(self._rows.shape[1])
            if (part := bits >> WORD * word & WORD_MASK)
        ]
        return np.flatnonzero(shared[0] if len(shared) == 1 else np.bitwise_or.reduce(shared))

    def _places(self, nodes: NDArray[np.int64]) -> NDArray[np.uint32]:
        try:
            places = self._row_of[nodes]
        except IndexError:
            self._row_of = _resized(self._row_of, 2 * int(nodes.max()))
            places = self._row_of[nodes]
        if np.count_nonzero(places) < len(places):
            for node in np.unique(nodes[places == 0]).tolist():
                self._add(node)
            places = self._row_of[nodes]
        return places

    def packed(self, bits: int) -> NDArray[np.uint64]:
        """A set of input bytes that occur in some row, as a row."""
        return np.frombuffer(bits.to_bytes(8 * self._rows.shape[1], "little"), np.uint64)

    def _add(self, node: int) -> None:
        bits = self._graph.inputs(node)
        words = -(-bits.bit_length() // WORD)
        if words > self._rows.shape[1]:
            self._rows = np.pad(self._rows, ((0, 0), (0, words - self._rows.shape[1])))
        if self._count == len(self._rows):
            self._rows = _resized(self._rows, 2 * self._count)
        self._rows[self._count] = self.packed(bits)
        self._row_of[node] = self._count
        self._count += 1


def _resized(array: NDArray[Scalar], length: int) -> NDArray[Scalar]:
    larger: NDArray[Scalar] = np.zeros((length, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
