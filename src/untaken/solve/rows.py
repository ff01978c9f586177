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
        self._row_of = np.zeros(1024, np.intp)  # by node; 0: not known yet
        self._words = [np.zeros(256, np.uint64)]  # one column a word
        self._count = 1
        self.reach = 0  # one more than the last byte of any row

    def of(self, nodes: NDArray[np.int64]) -> NDArray[np.uint64]:
        """One row a node."""
        places = self._places(nodes)
        return np.stack([word[places] for word in self._words], axis=1)

    def touching(self, nodes: NDArray[np.int64], bits: int) -> NDArray[np.intp]:
        """Which of the nodes depend on any of these bytes, which occur in some row: mostly neighbours, so one word."""
        places = self._places(nodes)
        shared: NDArray[np.uint64] | None = None
        for word, part in enumerate(_split(bits)):
            if part:
                here = self._words[word][places] & np.uint64(part)
                shared = here if shared is None else shared | here
        return np.zeros(0, np.intp) if shared is None else shared.nonzero()[0]

    def _places(self, nodes: NDArray[np.int64]) -> NDArray[np.intp]:
        try:
            places = self._row_of[nodes]
        except IndexError:
            self._row_of = _resized(self._row_of, 2 * int(nodes.max()))
            places = self._row_of[nodes]
        if np.count_nonzero(places) < len(places):
            for node in sorted(set(nodes[places == 0].tolist())):
                self._add(node)
            places = self._row_of[nodes]
        return places

    def _add(self, node: int) -> None:
        bits = self._graph.inputs(node)
        self.reach = max(self.reach, bits.bit_length())
        words = _split(bits)
        while len(self._words) < len(words):
            self._words.append(np.zeros_like(self._words[0]))
        if self._count == len(self._words[0]):
            self._words = [_resized(word, 2 * self._count) for word in self._words]
        for word, part in zip(self._words, words, strict=False):
            word[self._count] = part
        self._row_of[node] = self._count
        self._count += 1


def _split(bits: int) -> list[int]:
    """A set of bits, in words."""
    return [bits >> start & WORD_MASK for start in range(0, bits.bit_length(), WORD)]


def _resized(array: NDArray[Scalar], length: int) -> NDArray[Scalar]:
    larger: NDArray[Scalar] = np.zeros((length, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
