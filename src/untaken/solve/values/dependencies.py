"""Which input bytes constraints depend on, by words of 64 bytes: slicing asks that, and searches near the old input."""

from __future__ import annotations

import sys
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from untaken.model.distinct import distinct
from untaken.model.expression import ExpressionTable
from untaken.solve.graph import Graph
from untaken.solve.values.input_sets import WORD

DENSE = 64  # words: of the first bytes of the input, what each node has of them is kept in a row of its own
FEWEST_ROWS = 256
_Scalar = TypeVar("_Scalar", bound=np.generic)
WordsOfSet = list[tuple[int, int]]  # the words of a set of bits that are not zero, by number


class Column:
    """The rows that have bytes of one word, and which."""

    def __init__(self) -> None:
        self._rows = np.zeros(4, np.intp)
        self._parts = np.zeros(4, np.uint64)
        self._count = 0

    def add(self, row: int, part: int) -> None:
        if self._count == len(self._rows):
            self._rows, self._parts = _resized(self._rows, 2 * self._count), _resized(self._parts, 2 * self._count)
        self._rows[self._count], self._parts[self._count] = row, part
        self._count += 1

    def sharing(self, part: int) -> NDArray[np.intp]:
        """The rows that have any of these bytes."""
        shared = (self._parts[: self._count] & np.uint64(part)) != 0
        rows: NDArray[np.intp] = self._rows[: self._count][shared]
        return rows


class InputRows:
    """The input bytes of each node; rows are added as nodes are first asked for.

    What a node takes grows with its own bytes, not with the length of the input.
    """

    def __init__(self, graph: Graph, table: ExpressionTable) -> None:
        self._graph = graph
        self._table = table
        self._row_of = np.zeros(1024, np.intp)  # by node; 0: not known yet
        self._parts: list[WordsOfSet] = [[]]  # by row
        self._first: list[NDArray[np.uint64]] = []  # one column a word, up to DENSE
        self._columns: dict[int, Column] = {}  # by word, from there on
        self.reach = 0  # one more than the last byte of any row

    def prepare(self, nodes: NDArray[np.int64]) -> None:
        """The last of these many nodes is asked for next, then the others: their bytes are found in one pass."""
        if nodes[-1] >= len(self._row_of) or not self._row_of[nodes[-1]]:
            self._places(nodes)

    def touching(self, nodes: NDArray[np.int64], bits: int) -> NDArray[np.intp]:
        """Which of the nodes depend on any of these bytes: mostly neighbours, so one word."""
        places = self._places(nodes)
        shared: NDArray[np.uint64] | None = None
        for word, part in nonzero_words(bits):
            here = self._shares(places, word, part)
            shared = here if shared is None else shared | here
        return np.zeros(0, np.intp) if shared is None else shared.nonzero()[0]

    def _shares(self, places: NDArray[np.intp], word: int, part: int) -> NDArray[np.uint64]:
        """Which rows have any of these bytes: those that are not zero."""
        if word < len(self._first):
            return self._first[word].take(places, mode="clip") & np.uint64(part)
        hit = np.zeros(len(self._parts), np.uint64)
        if word in self._columns:
            hit[self._columns[word].sharing(part)] = 1
        return hit.take(places)

    def connected(self, nodes: NDArray[np.int64]) -> NDArray[np.intp]:
        """Which of the nodes share bytes with the last one, directly or through others, in order."""
        places = self._places(nodes)
        left = np.zeros(len(self._parts), np.bool_)  # rows that are asked about and were not reached yet
        left[places] = True
        left[places[-1]] = False
        waiting, reached = [int(places[-1])], dict[int, int]()
        while waiting:
            for word, part in self._parts[waiting.pop()]:
                new = part & ~reached.get(word, 0)
                if new:
                    reached[word] = reached.get(word, 0) | new
                    rows = self._sharing(places, word, new)
                    rows = rows[left[rows]]
                    left[rows] = False
                    waiting.extend(set(rows.tolist()))
        return (~left.take(places)).nonzero()[0]

    def _sharing(self, places: NDArray[np.intp], word: int, part: int) -> NDArray[np.intp]:
        """The rows that have any of these bytes: of those at the places, or of all."""
        if word < len(self._first):
            return places[self._shares(places, word, part).nonzero()[0]]
        return self._columns[word].sharing(part)

    def _places(self, nodes: NDArray[np.int64]) -> NDArray[np.intp]:
        try:
            places = self._row_of[nodes]
        except IndexError:
            self._row_of = _resized(self._row_of, 2 * int(nodes.max()))
            places = self._row_of[nodes]
        if np.count_nonzero(places) < len(places):
            new = distinct(nodes[places == 0])
            self._graph.input_sets.prepare(new, self._table)
            for node in new.tolist():
                self._add(node)
            places = self._row_of[nodes]
        return places

    def _add(self, node: int) -> None:
        first, window = self._graph.input_sets.window(node)
        self.reach = max(self.reach, first * WORD + window.bit_length())
        row, parts = len(self._parts), [(first + word, part) for word, part in nonzero_words(window)]
        for word, part in parts:
            if word < DENSE:
                self._put(row, word, part)
            else:
                self._column(word).add(row, part)
        self._parts.append(parts)
        self._row_of[node] = row

    def _column(self, word: int) -> Column:
        if word not in self._columns:
            self._columns[word] = Column()
        return self._columns[word]

    def _put(self, row: int, word: int, part: int) -> None:
        while word >= len(self._first):
            self._first.append(np.zeros(FEWEST_ROWS, np.uint64))
        if row + 1 >= len(self._first[word]):  # the last is always zero, and stands for all rows behind it
            self._first[word] = _resized(self._first[word], 2 * row)
        self._first[word][row] = part


def nonzero_words(bits: int) -> WordsOfSet:
    """A set of bits in words, without those that are empty; the first ones are not looked at one by one."""
    if not bits >> WORD:
        return [(0, bits)] if bits else []
    first = ((bits & -bits).bit_length() - 1) // WORD
    bits >>= first * WORD
    if not bits >> WORD:  # neighbours, as they mostly are
        return [(first, bits)]
    size = -(-bits.bit_length() // WORD) * WORD // 8
    words = np.frombuffer(bits.to_bytes(size, sys.byteorder), np.uint64)
    places = words.nonzero()[0]
    return [(first + place, part) for place, part in zip(places.tolist(), words[places].tolist(), strict=True)]


def _resized(array: NDArray[_Scalar], length: int) -> NDArray[_Scalar]:
    larger: NDArray[_Scalar] = np.zeros((length, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
