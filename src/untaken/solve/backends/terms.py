"""Translates expression nodes into the terms of a solver, each node at most once.

What solvers share is here: the walk, tables, bit counting, and the faces of a value: solvers see one bit as a Boolean
or as a vector, and the bits of a float as a vector or as a number. What differs is a TermFactory, one a solver.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from untaken.model import floats
from untaken.model.expression import FUNCTION_CALLS, UNARY_FLOAT, Node, Op, ReadTable
from untaken.model.floats import LONG_DOUBLE
from untaken.model.operators import COMPARISONS, FLOAT_ARITHMETIC, FLOAT_COMPARISONS
from untaken.solve.backends.factory import TermFactory
from untaken.solve.backends.long_doubles import with_leading_bit, without_leading_bit
from untaken.solve.graph import Graph
from untaken.solve.query import kept
from untaken.solve.values.products import ProductTerms, product_of
from untaken.solve.values.truth import TruthTables

T = TypeVar("T")

LOGICAL = frozenset({Op.AND, Op.OR, Op.XOR})
INTEGER = 256  # bits: more than those of any bound of an integer
FROM_INTEGER = frozenset({Op.FROM_SIGNED, Op.FROM_UNSIGNED})


class Translator(Generic[T]):
    """Terms by node, over one generation of the node table."""

    def __init__(self, graph: Graph, tables: TruthTables, factory: TermFactory[T]) -> None:
        self._graph = graph
        self._tables = tables
        self._make = factory
        self._vectors: dict[int, T] = {}
        self._booleans: dict[int, T] = {}
        self._numbers: dict[int, T] = {}
        self._assertions: dict[int, T] = {}
        self._translated: set[int] = set()

    def assertion(self, code: int) -> T:
        """The Boolean that says: the node of this code has the side of this code."""
        found = self._assertions.get(code)
        if found is None:
            found = self._assertions[code] = self._assertion(code)
        return found

    def _assertion(self, code: int) -> T:
        if code < 0:
            index, value = kept(code)
            return self._make.compare(Op.EQ, self._make.variable(index), self._make.constant(8, value))
        if self._graph.by_table(code):
            return self._from_table(code, self._graph.bits(code).bit_length() - 1)
        self._translate(code >> 1)
        holds = self._boolean(code >> 1)
        return holds if code & 1 else self._make.negation(holds)

    def _from_table(self, code: int, byte: int) -> T:
        """A tree of choices over the bits of the byte, in which equal parts fall together."""
        table = self._tables.of(code, byte)
        leaves = self._make.boolean(False), self._make.boolean(True)
        level = [leaves[table >> value & 1] for value in range(256)]
        for position in range(8):
            level = self._halved(level, self._bit(self._make.variable(byte), position))
        return level[0]

    def _bit(self, a: T, position: int) -> T:
        return self._make.compare(Op.EQ, self._make.extract(a, position, 1), self._make.constant(1, 1))

    def _translate(self, root: int) -> None:
        for index in self._graph.below((root,), self._translated):
            node = self._graph.node(index)
            if node.op in COMPARISONS:
                self._booleans[index] = self._comparison(node)
            elif node.width == 1 and node.op in LOGICAL:
                self._booleans[index] = self._logical(node)
            elif node.width == 1 and node.op is Op.ITE:
                self._booleans[index] = self._make.ite(*map(self._boolean, (node.a, node.b, node.c)))
            elif node.op in FLOAT_COMPARISONS:
                self._booleans[index] = self._make.float_binary(node.op, self._number(node.a), self._number(node.b))
            elif (number := self._as_number(node)) is not None:
                self._numbers[index] = number
            else:
                self._vectors[index] = self._compute(index, node)
            self._translated.add(index)

    def _comparison(self, node: Node) -> T:
        plain = self._make.compare(node.op, self._vector(node.a), self._vector(node.b))
        product = product_of(self._graph, node)
        if product is None:
            return plain
        # Not kept: it would be part of a cycle, and terms have to be freed before their solver is (bitwuzla.py).
        return ProductTerms(self._graph, self._make, self._vector).condition(product, plain)

    def _logical(self, node: Node) -> T:
        other = self._graph.node(node.b)
        if node.op is Op.XOR and other.op is Op.CONST and other.constant:  # how the runtime writes "not"
            return self._make.negation(self._boolean(node.a))
        return self._make.logical(node.op, self._boolean(node.a), self._boolean(node.b))

    def _boolean(self, index: int) -> T:
        found = self._booleans.get(index)
        if found is None:
            node = self._graph.node(index)
            if node.op is Op.CONST:
                found = self._make.boolean(bool(node.constant))
            else:
                found = self._make.compare(Op.EQ, self._vectors[index], self._make.constant(1, 1))
            self._booleans[index] = found
        return found

    def _vector(self, index: int) -> T:
        found = self._vectors.get(index)
        if found is None:
            found = self._vectors[index] = self._other_face(index)
        return found

    def _other_face(self, index: int) -> T:
        if index in self._numbers:
            width = self._graph.node(index).width
            bits = self._make.bits(index, width, self._numbers[index])
            return with_leading_bit(self._make, bits) if width == LONG_DOUBLE else bits
        return self._make.ite(self._booleans[index], self._make.constant(1, 1), self._make.constant(1, 0))

    def _number(self, index: int) -> T:
        found = self._numbers.get(index)
        return self._number_of(self._graph.node(index).width, self._vector(index)) if found is None else found

    def _number_of(self, width: int, bits: T) -> T:
        return self._make.number(width, without_leading_bit(self._make, bits) if width == LONG_DOUBLE else bits)

    def _as_number(self, node: Node) -> T | None:
        """Of operations on numbers, choices and signs too: to see a number as its bits is what solvers are worst at."""
        make, op = self._make, node.op
        if op in FLOAT_ARITHMETIC:
            return make.float_binary(op, self._number(node.a), self._number(node.b))
        if op in FROM_INTEGER:
            return make.float_unary(op, node.width, 0, self._vector(node.a))
        if op in UNARY_FLOAT and op is not Op.TO_SIGNED:
            return make.float_unary(op, node.width, node.b, self._number(node.a))
        if op is Op.ITE and (node.b in self._numbers or node.c in self._numbers):
            return make.ite(self._boolean(node.a), self._number(node.b), self._number(node.c))
        if op in (Op.XOR, Op.AND) and node.a in self._numbers and self._is_about_sign(node):
            return make.float_sign(op, self._numbers[node.a])
        return None

    def _is_about_sign(self, node: Node) -> bool:
        mask, sign = self._graph.node(node.b), 1 << (node.width - 1)
        return mask.op is Op.CONST and mask.constant == (sign if node.op is Op.XOR else sign - 1)

    def _to_signed(self, node: Node) -> T:
        """Towards zero; what does not fit becomes the smallest number."""
        make, width, smallest = self._make, self._graph.node(node.a).width, -(1 << (node.width - 1))
        number = self._number(node.a)
        # Fractions just below the smallest of 32 bits become it, too: floats have none there, but doubles and long
        # doubles do. Below that of more bits there are none.
        op, low = (Op.FLT, smallest - 1) if node.width == 32 < width else (Op.FLE, smallest)
        above = make.float_binary(op, self._float_constant(width, low), number)
        below = make.float_binary(Op.FLT, number, self._float_constant(width, -smallest))
        whole = make.float_unary(Op.TO_SIGNED, node.width, 0, number)
        return make.ite(make.logical(Op.AND, above, below), whole, make.constant(node.width, -smallest))

    def _float_constant(self, width: int, value: int) -> T:
        bits = floats.unary(Op.FROM_SIGNED, (INTEGER, width), 0, value % (1 << INTEGER))
        return self._number_of(width, self._make.constant(width, bits))

    def _compute(self, index: int, node: Node) -> T:
        make = self._make
        match node.op:
            case Op.INPUT:
                return make.variable(node.a)
            case Op.CONST:
                return make.constant(node.width, node.constant)
            case Op.CONCAT:
                return make.concat(self._vector(node.a), self._vector(node.b))
            case Op.EXTRACT:
                return make.extract(self._vector(node.a), node.b, node.width)
            case Op.ZEXT | Op.SEXT:
                return make.extend(node.op, self._vector(node.a), node.width - self._graph.node(node.a).width)
            case Op.ITE:
                return make.ite(self._boolean(node.a), self._vector(node.b), self._vector(node.c))
            case Op.READ:
                return self._read(self._vector(node.a), self._graph.node(node.a).width, self._graph.table(node.b))
            case Op.CTPOP:
                return self._population(self._vector(node.a), node.width)
            case Op.CTLZ | Op.CTTZ:
                return self._zeros(self._vector(node.a), node.width, leading=node.op is Op.CTLZ)
            case Op.TO_SIGNED:
                return self._to_signed(node)
            case op if op in FUNCTION_CALLS:
                return make.unknown(index, node.width)
            case _:
                return make.binary(node.op, self._vector(node.a), self._vector(node.b))

    def _read(self, index: T, width: int, table: ReadTable) -> T:
        """A tree of choices over the bits of the index, lowest bit first; past the end of the table it is zero."""
        make = self._make
        values: dict[int, T] = {}
        level: list[T] = []
        for value, entry in zip(table.values, table.entries, strict=True):
            if not entry and value not in values:
                values[value] = make.constant(table.width, value)
            level.append(self._vector(entry) if entry else values[value])
        zero = make.constant(table.width, 0)
        for position in range((len(table.values) - 1).bit_length()):
            level = self._halved(level, self._bit(index, position))
        inside = make.compare(Op.ULT, index, make.constant(width, len(table.values)))
        return make.ite(inside, level[0], zero)

    def _halved(self, level: list[T], odd: T) -> list[T]:
        """One choice for each pair; equal pairs share it, and a pair of equals needs none."""
        made: dict[tuple[int, int], T] = {}
        halved = []
        for place in range(0, len(level), 2):
            low, high = level[place], level[min(place + 1, len(level) - 1)]
            key = id(low), id(high)
            if key not in made:
                made[key] = low if low is high else self._make.ite(odd, high, low)
            halved.append(made[key])
        return halved

    def _population(self, a: T, width: int) -> T:
        """A balanced sum of the bits, at full width: the solver drops the upper zeros."""
        sums = [self._extended(self._make.extract(a, bit, 1), width) for bit in range(width)]
        while len(sums) > 1:
            left = [sums.pop()] if len(sums) % 2 else []
            pairs = zip(sums[::2], sums[1::2], strict=True)
            sums = [self._make.binary(Op.ADD, one, other) for one, other in pairs] + left
        return sums[0]

    def _extended(self, bit: T, width: int) -> T:
        return self._make.extend(Op.ZEXT, bit, width - 1) if width > 1 else bit

    def _zeros(self, a: T, width: int, *, leading: bool) -> T:
        """A chain of choices that asks for the outermost bit first; the width if no bit is set."""
        make = self._make
        result = make.constant(width, width)
        for distance in reversed(range(width)):
            bit = self._bit(a, width - 1 - distance if leading else distance)
            result = make.ite(bit, make.constant(width, distance), result)
        return result
