"""Tries floats, doubles and long doubles that are likely to satisfy a query, before a solver is asked. Wraps a solver.

Products and roots of unknown numbers take a solver seconds, or are too much for it; but mostly there are answers among
the numbers that a query names, those that its operations make of these when they are undone
(`solve/values/undoing.py`), those near them, and everyday ones of all sizes. Thousands of them are tried at once. The
goal decides which, never chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from untaken.model import floats
from untaken.model.expression import FUNCTION_CALLS, Node, Op, operands
from untaken.model.floats import Words
from untaken.model.operators import COMPARISONS
from untaken.solve.answers import Answer, Sat
from untaken.solve.graph import Graph, nodes_of
from untaken.solve.query import Query, kept
from untaken.solve.solver import Solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.batch import evaluate
from untaken.solve.values.draws import Draws
from untaken.solve.values.undoing import undone_numbers
from untaken.solve.values.variables import ON_FLOATS, Numbers, word_of

TRIED = 2048  # candidates a query
LARGEST = 4_000  # nodes below a query: what is larger takes longer than a solver
EVERYDAY = (0.0, 1.0, 2.0, 3.0, 10.0, 100.0, 1e3, 1e4, 1e6, 1e9, 1e12, 0.5, 0.25, 0.1, 1e-3, 1e-6, 1e-9)
NAMING = frozenset({*floats.BINARY, *FUNCTION_CALLS, *COMPARISONS})  # what has constants worth trying


class FloatGuessingSolver:
    """Asks the inner solver what no candidate satisfies."""

    def __init__(self, inner: Solver, graph: Graph, statistics: Statistics) -> None:
        self._inner = inner
        self._graph = graph
        self._statistics = statistics

    def solve(self, query: Query) -> Answer:
        found = self._guess(query) if any(map(self._graph.has_floats, query.assertions)) else None
        if found is None:
            return self._inner.solve(query)
        self._statistics.by_guess += 1
        return found

    def close(self) -> None:
        self._inner.close()

    def _guess(self, query: Query) -> Sat | None:
        below = self._graph.below(nodes_of(query.assertions))
        fixed = {kept(code)[0] for code in query.assertions if code < 0}
        words = [word for word in self._words(below) if not fixed.intersection(word)]
        if not words or len(below) > LARGEST or not self._graph.effort.may_operate(len(below), TRIED):
            return None
        draws = Draws(query.goal)
        sizes = sorted({len(word) for word in words})
        pools = {size: number_pool(self._graph, below, draws, floats.KINDS[8 * size]) for size in sizes}
        read = self._graph.inputs_of(query.assertions)
        old = query.hint.ljust(read[-1] + 1, b"\0")
        inputs = {byte: np.array([old[byte]], np.uint64) for byte in read}
        for word in words:
            inputs |= _bytes_of(_candidates(pools[len(word)], _bits(word, old), draws), word)
        return self._first(query, inputs)

    def _first(self, query: Query, inputs: dict[int, Words]) -> Sat | None:
        results = evaluate(self._graph, nodes_of(query.assertions), inputs, TRIED)
        holds = np.ones(TRIED, np.bool_)
        for code in query.assertions:
            if code >= 0:
                holds &= results[code >> 1] == code & 1
        if not holds.any():
            return None
        place = int(holds.argmax())
        return Sat({byte: int(values[place if len(values) > 1 else 0]) for byte, values in inputs.items()})

    def _words(self, below: Iterable[int]) -> list[tuple[int, ...]]:
        """The input bytes, lowest first, of each number that is input as it is."""
        found: dict[tuple[int, ...], None] = {}
        for node in map(self._graph.node, below):
            if node.op in ON_FLOATS:
                for operand in operands(node):
                    word = word_of(self._graph, self._graph.node(operand))
                    if 8 * len(word) in floats.KINDS:
                        found[word] = None
        return list(found)


def number_pool(graph: Graph, below: Sequence[int], draws: Draws, kind: Any = np.float64) -> Numbers:
    """Numbers of a kind that a query names, or that are made of these, and near them; and of all sizes."""
    users = [node for node in map(graph.node, below) if node.op in NAMING]
    named = [*EVERYDAY, *(number for user in users for number in _named(graph, user)), *undone_numbers(graph, below)]
    spread = draws.magnitudes(-10, 40, 64)
    with np.errstate(all="ignore"):
        base = np.array([*dict.fromkeys(named)], np.longdouble).astype(kind)
        near = [base, base + 1, base - 1, base * 2, base / 2, base * 1.001, base * 0.999, np.sqrt(np.abs(base))]
        neighbours = np.nextafter(base, kind(np.inf)), np.nextafter(base, kind(-np.inf))
        pool = np.concatenate([*near, *neighbours, spread]).astype(kind)
    signed: Numbers = np.concatenate([pool, -pool])
    return signed


def _named(graph: Graph, user: Node) -> Iterator[np.longdouble]:
    """The constants that an operation has."""
    for constant in map(graph.node, operands(user)):
        if constant.op is not Op.CONST:
            continue
        if user.op in COMPARISONS:
            signed = constant.constant - (constant.constant >> (constant.width - 1) << constant.width)
            yield np.longdouble(float(signed))
        else:
            yield floats.number(constant.constant, constant.width)


def _bits(word: tuple[int, ...], old: bytes) -> int:
    return int.from_bytes(bytes(old[byte] for byte in word), "little")


def _candidates(pool: Numbers, old: int, draws: Draws) -> Words:
    """Some of the pool, and now and then the number that it was."""
    bits = floats.bits_of(draws.chosen(pool, TRIED))
    bits[draws.fractions(TRIED) < 0.25] = old
    return bits


def _bytes_of(bits: Words, word: tuple[int, ...]) -> dict[int, Words]:
    """The bytes of numbers, by their place in the input."""
    return {byte: (bits >> 8 * place & 255).astype(np.uint64) for place, byte in enumerate(word)}
