"""What a search by descent may move: numbers that the input holds as they are, and single bytes.

From what one is, it may go on by steps, to its neighbours near and far, or by leaps of what programs deal in: whole
numbers, powers of two, full turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model import floats
from untaken.model.expression import FUNCTION_CALLS, UNARY_FLOAT, Node, Op, operands
from untaken.model.floats import Words
from untaken.solve.graph import Graph
from untaken.solve.values.draws import Draws

Numbers = NDArray[Any]  # of one kind of floats

ON_FLOATS = frozenset({*floats.BINARY, *UNARY_FLOAT, *FUNCTION_CALLS} - {Op.FROM_SIGNED, Op.FROM_UNSIGNED})
WORD = 8  # bytes: what is longer is moved byte by byte
EVERY_BYTE = np.arange(256, dtype=np.uint64)
NOWHERE = np.zeros(0, np.uint64)
TURNS = np.array((2 * np.pi, 360.0))
LEAPS = np.concatenate([2.0 ** np.arange(-20, 41), np.outer(TURNS, 2.0 ** np.arange(24)).ravel()])


class VariableKind(Enum):
    """What the bits of a variable mean."""

    NUMBER = auto()  # a float or a double
    INTEGER = auto()
    BYTE = auto()


@dataclass(frozen=True, slots=True)
class InputVariable:
    """Input bytes, the lowest first."""

    place: tuple[int, ...]
    kind: VariableKind

    @property
    def width(self) -> int:
        """How many bits the variable has."""
        return 8 * len(self.place)

    def read(self, data: bytes) -> int:
        """Its value in an input that reaches it."""
        return int.from_bytes(bytes(data[byte] for byte in self.place), "little")

    def spread(self, values: Words) -> dict[int, Words]:
        """The input bytes that give it these values."""
        return {byte: values >> np.uint64(8 * i) & np.uint64(255) for i, byte in enumerate(self.place)}

    def steps(self, value: int) -> Words:
        """Where it may go from here, in the order of values."""
        if self.kind is VariableKind.BYTE:
            return EVERY_BYTE
        if self.kind is VariableKind.INTEGER:
            return self._as_integers(_neighbours(value, self.width))
        return self._as_integers(self._next_numbers(value))

    def leaps(self, value: int) -> Words:
        """Where else it may go: to what programs compute of a number."""
        return self._computed(value) if self.kind is VariableKind.NUMBER else NOWHERE

    def drawn(self, pool: Numbers, size: int, draws: Draws) -> Words:
        """Values out of a pool of numbers."""
        if self.kind is VariableKind.BYTE:
            return draws.words(size) & np.uint64(255)
        chosen = draws.chosen(pool, size)
        if self.kind is VariableKind.NUMBER:
            return self._as_numbers(chosen)
        limit = 2.0 ** (self.width - 1)
        whole = np.clip(chosen, -limit, limit * (1 - 2**-50)).astype(np.int64)
        cut: Words = whole.view(np.uint64) & self._mask
        return cut

    @property
    def _mask(self) -> np.uint64:
        return np.uint64((1 << self.width) - 1)

    def _as_integers(self, values: list[int]) -> Words:
        return np.array([value & int(self._mask) for value in values], np.uint64)

    def _as_numbers(self, numbers: Numbers) -> Words:
        with np.errstate(all="ignore"):
            return floats.bits_of(numbers if self.width == 64 else numbers.astype(np.float32))

    def _next_numbers(self, bits: int) -> list[int]:
        """Those that are 1, 2, 4, ... numbers further up or down, as bits."""
        sign = 1 << (self.width - 1)
        place = -(bits & (sign - 1)) if bits & sign else bits
        return [sign | -each if each < 0 else each for each in _neighbours(place, self.width - 1) if abs(each) < sign]

    def _computed(self, bits: int) -> Words:
        number = float(floats.floats_of(np.array((bits,), np.uint64), self.width)[0])
        with np.errstate(all="ignore"):
            made = (-number, np.rint(number), number * 2, number / 2, number * 10, number / 10)
            return self._as_numbers(np.concatenate([number + LEAPS, number - LEAPS, made]))


def _neighbours(value: int, width: int) -> list[int]:
    distances = [1 << power for power in range(width)]
    return [value + distance for distance in distances] + [value - distance for distance in distances]


def variables_of(graph: Graph, below: Iterable[int]) -> list[InputVariable]:
    """All that these nodes depend on: words of several bytes where they are used as such, else bytes."""
    found: dict[tuple[int, ...], InputVariable] = {}
    taken: set[int] = set()
    records = [graph.node(index) for index in below]
    for node in records:
        for operand in operands(node) if node.op is not Op.CONCAT else ():
            word = word_of(graph, graph.node(operand))
            if 0 < len(word) <= WORD and (node.op in ON_FLOATS or word not in found):
                found[word] = InputVariable(
                    word, VariableKind.NUMBER if _is_number(node, word) else VariableKind.INTEGER
                )
                taken.update(word)
    single = {node.a for node in records if node.op is Op.INPUT} - taken
    return [*found.values(), *(InputVariable((byte,), VariableKind.BYTE) for byte in sorted(single))]


def values_said(graph: Graph, assertions: Iterable[int]) -> dict[tuple[int, ...], int]:
    """The words of the input that an assertion says to equal a constant, by their bytes; and that constant."""
    found: dict[tuple[int, ...], int] = {}
    for node in (graph.node(code >> 1) for code in assertions if code >= 0 and code & 1):
        if node.op in (Op.EQ, Op.FEQ):
            for constant, other in ((node.a, node.b), (node.b, node.a)):
                word = word_of(graph, graph.node(other))
                if word and graph.node(constant).op is Op.CONST:
                    found[word] = graph.node(constant).constant
    return found


def _is_number(user: Node, word: tuple[int, ...]) -> bool:
    return user.op in ON_FLOATS and len(word) in (4, 8)


def word_of(graph: Graph, node: Node) -> tuple[int, ...]:
    """The input bytes, lowest first, of a number that is input as it is."""
    found: list[int] = []
    rest = [node] if node.op is Op.CONCAT else []
    while rest:
        piece = rest.pop()
        if piece.op is Op.CONCAT:
            rest += graph.node(piece.a), graph.node(piece.b)
        elif piece.op is Op.INPUT:
            found.append(piece.a)
        else:
            return ()
    return tuple(found)
